import type { SeverityOf } from '../../common/core/event/service.ts';
import { type DeviceEvent, eventOf, ranked } from './device/event.ts';
import { formOf, textOf } from './message/parts.ts';
import type { ReadMessage } from './post.ts';
import type { Device, Occurrence } from './record.ts';

/** Messages that one look shows. */
const MOST_MESSAGES = 20;
/** Characters of a document that are shown. */
const MOST_TEXT = 4_000;

/** A message, and the events that it becomes. */
export interface Trial {
  at: number;
  contentType: string | null;
  bytes: number;
  parts: { form: string; bytes: number; text: string | null }[];
  heartbeats: number;
  unreadable: string[];
  /** The pictures among them are named, not held. */
  events: { state: 'active' | 'ended' | 'single'; known: boolean; event: DeviceEvent }[];
}

/** Those who look at what a device sends. A look changes nothing: what comes is taken as ever. */
export class Trials {
  #looking = new Map<string, Set<(trial: Trial) => void>>();
  #now: () => number;

  #severityOf: SeverityOf;

  constructor(now: () => number, severityOf: SeverityOf) {
    this.#now = now;
    this.#severityOf = severityOf;
  }

  /** Told of each message of each device; does nothing unless somebody looks. */
  see(device: Device, seen: ReadMessage): void {
    const looking = this.#looking.get(device.keyId);
    if (!looking || looking.size === 0) return;
    const made = (occurrence: Occurrence): DeviceEvent =>
      ranked(eventOf(device, seen.vendor, occurrence, this.#now()), device, this.#severityOf);
    const trial = trialOf(seen, this.#now(), made);
    for (const tell of looking) tell(trial);
  }

  /** What comes until the time is over, or until the first message that is more than a heartbeat has come. */
  async look(keyId: string, ms: number, gone: AbortSignal): Promise<Trial[]> {
    const seen: Trial[] = [];
    const looking = this.#looking.get(keyId) ?? new Set();
    this.#looking.set(keyId, looking);
    await new Promise<void>((resolve) => {
      const late = setTimeout(end, ms);
      const tell = (trial: Trial): void => {
        seen.push(trial);
        if (trial.events.length > 0 || trial.unreadable.length > 0 || seen.length >= MOST_MESSAGES) end();
      };
      function end(): void {
        clearTimeout(late);
        gone.removeEventListener('abort', end);
        looking.delete(tell);
        resolve();
      }
      looking.add(tell);
      gone.addEventListener('abort', end);
      if (gone.aborted) end();
    });
    if (looking.size === 0) this.#looking.delete(keyId);
    return seen;
  }
}

function trialOf(
  { contentType, bytes, parts, readings }: ReadMessage,
  now: number,
  made: (occurrence: Occurrence) => DeviceEvent,
): Trial {
  return {
    at: now,
    contentType: contentType ?? null,
    bytes,
    parts: parts.map((part) => {
      const form = formOf(part);
      const text =
        form === 'picture' ? null : textOf(part.body, part.headers['content-type']).slice(0, MOST_TEXT);
      return { form, bytes: part.body.length, text };
    }),
    heartbeats: readings.filter(({ what }) => what === 'heartbeat').length,
    unreadable: readings.flatMap((one) => (one.what === 'unreadable' ? [one.reason] : [])),
    events: readings.flatMap((one) =>
      one.what === 'occurrence' ? [{ state: one.state, known: one.known, event: made(one) }] : [],
    ),
  };
}
