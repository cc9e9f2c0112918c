import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { Logger } from '../../common/log.ts';
import { formatTimeOrNull } from '../../common/time.ts';
import type { EventConflict, ForeignChange, RefusedDecision, StoreOutcome } from './port.ts';

/** Particulars that an alarm carries; the lists have them all. */
const MOST_DETAILS = 20;

export interface ReceiverAlarmOptions {
  alarms: AlarmPort;
  clock: Clock;
  log: Logger;
  /** Name of headquarters, under which they stand. */
  instance: string;
}

/**
 * What a batch of a site shows that needs a person. Raised before the site is answered: should that fail, the site
 * sends it again, and so it is told again.
 */
export class ReceiverAlarms {
  #options: ReceiverAlarmOptions;
  /** Decisions held back when last looked, by site. */
  #held = new Map<string, number>();

  constructor(options: ReceiverAlarmOptions) {
    this.#options = options;
  }

  async of(site: string, { conflicts, foreign, refused, sameAs }: Extract<StoreOutcome, { kind: 'stored' }>): Promise<void> {
    const taken = conflicts.filter(({ heldBy }) => heldBy !== site);
    const changed = conflicts.filter(({ heldBy }) => heldBy === site);
    if (taken.length > 0) await this.#taken(site, taken);
    if (changed.length > 0) await this.#changed(site, changed);
    if (foreign.length > 0) await this.#foreign(site, foreign);
    if (refused.length > 0) await this.#refused(site, refused);
    if (sameAs !== null) await this.#renamed(site, sameAs);
  }

  /** @param held decisions that the site does not understand */
  async held(site: string, held: number, version: string): Promise<void> {
    const before = this.#held.get(site);
    if (before === held) return;
    this.#held.set(site, held);
    const { alarms, clock } = this.#options;
    if (held === 0) return void (await alarms.clear(`uplink_decisions_held:${site}`, this.#options.instance, clock.now()));
    await this.#raise('uplink_decisions_held', 'warning', site,
      `${held} of the verdicts given here wait until the site ${site} is updated: its version ${version} does not carry out ` +
      'a merge into an event that it does not keep.', { site, held, version });
  }

  async #taken(site: string, conflicts: EventConflict[]): Promise<void> {
    await this.#raise('uplink_key_conflict', 'critical', site,
      `Events of the site ${site} are not stored here, because another instance used their idempotency keys first; ` +
      `the last of them: ${sentence(conflicts)} Give the cameras of each site keys of their own; ` +
      'GET /api/core/uplink/conflicts has all.', { site, events: conflicts.slice(-MOST_DETAILS).map(viewOf) });
  }

  async #changed(site: string, conflicts: EventConflict[]): Promise<void> {
    await this.#raise('uplink_content_conflict', 'warning', site,
      `Events of the site ${site} came again with another content; what came first stands. The last of them: ` +
      `${sentence(conflicts)} GET /api/core/uplink/conflicts has all.`,
      { site, events: conflicts.slice(-MOST_DETAILS).map(viewOf) });
  }

  async #foreign(site: string, changes: ForeignChange[]): Promise<void> {
    const last = changes.at(-1);
    const heldBy = last?.heldBy ?? 'headquarters';
    await this.#raise('uplink_foreign_verdict', 'critical', site,
      `The site ${site} judged events that did not arise there, and was refused; the last: ${last?.verdict} by ${last?.by} ` +
      `on event ${last?.eventId} (key ${last?.key}) of ${heldBy}. Either its cameras use the keys of another site, ` +
      `or its key is in other hands, or it was ${heldBy} before: then say so with fieldline-hq site continue.`,
      { site, changes: changes.slice(-MOST_DETAILS) });
  }

  async #refused(site: string, refused: RefusedDecision[]): Promise<void> {
    const last = refused.at(-1);
    await this.#raise('uplink_decision_refused', 'warning', site,
      `The site ${site} did not carry out what was decided here on event ${last?.eventId}: ${last?.reason}. ` +
      'It stands here, its camera does not hear of it; the timelines of such events say so.',
      { site, decisions: refused.slice(-MOST_DETAILS) });
  }

  async #renamed(site: string, before: string): Promise<void> {
    await this.#raise('uplink_site_renamed', 'warning', site,
      `The site ${site} sends the very events that the site ${before} brought. If ${before} was set up again under this name, ` +
      `say so: fieldline-hq site continue ${site} --before ${before}; ` +
      `until then what ${site} says on those events is refused. Otherwise its disk was copied: stop the copy.`, { site, before });
  }

  async #raise(kind: string, severity: 'warning' | 'critical', site: string, message: string, details: unknown): Promise<void> {
    const { alarms, clock, instance, log } = this.#options;
    log.warn({ alarm: kind, details }, message);
    await alarms.raise({ key: `${kind}:${site}`, instance, tenantCode: null, severity, message, details }, clock.now());
  }
}

function sentence(conflicts: EventConflict[]): string {
  const last = conflicts.at(-1);
  if (!last) return '';
  const { key, tenantCode, type, severity, occurredAt, heldBy, heldId } = last;
  return `${type}, ${severity ?? 'no severity'}, occurred ${formatTimeOrNull(occurredAt) ?? 'at an unknown time'}, key ${key} of the tenant ${tenantCode}, ` +
    `which is event ${heldId} of ${heldBy ?? 'headquarters'}.`;
}

const viewOf = ({ occurredAt, receivedAt, ...conflict }: EventConflict) =>
  ({ ...conflict, occurredAt: formatTimeOrNull(occurredAt), receivedAt: formatTimeOrNull(receivedAt) });
