// The cooldowns of events that are played again, by the clock of the events. Pure but for what it remembers.
import type { EventRecord } from '../../core/event/record.ts';
import { cooldownKey, type DecisionPreview } from '../act/decide.ts';

/** To be asked for each event once, in the order in which they came. */
export class Cooldowns {
  #standing = new Map<string, { until: number; by: number }>();

  /**
   * Whether the event falls into a cooldown; if not, it may begin one.
   * @param at when it came, epoch ms @returns id of the event that began the cooldown; null: there is none
   */
  suppressedBy(event: EventRecord, { choice, makesTask }: DecisionPreview, at: number): number | null {
    const key = makesTask ? cooldownKey(event, choice) : null;
    if (key === null) return null;
    const name = JSON.stringify(key);
    const standing = this.#standing.get(name);
    if (standing && at < standing.until) return standing.by;
    this.#standing.set(name, { until: at + choice.cooldownS * 1000, by: event.id });
    return null;
  }
}
