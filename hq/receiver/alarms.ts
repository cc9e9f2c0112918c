import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { told } from '../../common/core/alarm/told.ts';
import type { Logger } from '../../common/log.ts';
import type { Message, MessageOf } from '../../common/message.ts';
import { formatTimeOrNull } from '../../common/time.ts';
import { hubMessages } from '../hub-messages.ts';
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
 * What a batch of a site shows that needs a person. Raised before the site is answered: should that fail, the
 * site sends it again, and so it is told again.
 */
export class ReceiverAlarms {
  #options: ReceiverAlarmOptions;
  /** Decisions held back when last looked, by site. */
  #held = new Map<string, number>();

  constructor(options: ReceiverAlarmOptions) {
    this.#options = options;
  }

  async of(
    site: string,
    { conflicts, foreign, refused, sameAs }: Extract<StoreOutcome, { kind: 'stored' }>,
  ): Promise<void> {
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
    if (held === 0)
      return void (await alarms.clear(`uplink_decisions_held:${site}`, this.#options.instance, clock.now()));
    await this.#raise(
      'warning',
      site,
      { code: 'uplink_decisions_held', params: { held, site, version } },
      { site, held, version },
    );
  }

  async #taken(site: string, conflicts: EventConflict[]): Promise<void> {
    await this.#raise(
      'critical',
      site,
      { code: 'uplink_key_conflict', params: { site, last: lastOf(conflicts) } },
      { site, events: conflicts.slice(-MOST_DETAILS).map(viewOf) },
    );
  }

  async #changed(site: string, conflicts: EventConflict[]): Promise<void> {
    await this.#raise(
      'warning',
      site,
      { code: 'uplink_content_conflict', params: { site, last: lastOf(conflicts) } },
      { site, events: conflicts.slice(-MOST_DETAILS).map(viewOf) },
    );
  }

  async #foreign(site: string, changes: ForeignChange[]): Promise<void> {
    const last = changes.at(-1);
    if (!last) return;
    const { verdict, by, eventId, key } = last;
    await this.#raise(
      'critical',
      site,
      {
        code: 'uplink_foreign_verdict',
        params: { site, verdict, by, event: eventId, key, held: last.heldBy ?? HEADQUARTERS },
      },
      { site, changes: changes.slice(-MOST_DETAILS) },
    );
  }

  async #refused(site: string, refused: RefusedDecision[]): Promise<void> {
    const last = refused.at(-1);
    if (!last) return;
    await this.#raise(
      'warning',
      site,
      {
        code: 'uplink_decision_refused',
        params: { site, event: last.eventId, reason: last.reason },
      },
      { site, decisions: refused.slice(-MOST_DETAILS) },
    );
  }

  async #renamed(site: string, before: string): Promise<void> {
    await this.#raise(
      'warning',
      site,
      { code: 'uplink_site_renamed', params: { site, before } },
      { site, before },
    );
  }

  /** The key of the alarm is its code and the site. */
  async #raise(
    severity: 'warning' | 'critical',
    site: string,
    message: MessageOf<typeof hubMessages>,
    details: object,
  ): Promise<void> {
    const { alarms, clock, instance, log } = this.#options;
    const text = told(hubMessages, message, details);
    log.warn({ alarm: message.code, details }, text.message);
    await alarms.raise(
      { key: `${message.code}:${site}`, instance, tenantCode: null, severity, ...text },
      clock.now(),
    );
  }
}

const HEADQUARTERS: Message = { code: 'headquarters', params: {} };

/** The last of them, for a person. */
function lastOf(conflicts: EventConflict[]): Message[] {
  return conflicts.slice(-1).map(({ key, tenantCode, type, severity, occurredAt, heldBy, heldId }) => ({
    code: 'conflicting_event',
    params: {
      type,
      severity: severity ?? { code: 'no_severity', params: {} },
      time: formatTimeOrNull(occurredAt) ?? { code: 'unknown_time', params: {} },
      key,
      tenant: tenantCode,
      id: heldId,
      held: heldBy ?? HEADQUARTERS,
    },
  }));
}

const viewOf = ({ occurredAt, receivedAt, ...conflict }: EventConflict) => ({
  ...conflict,
  occurredAt: formatTimeOrNull(occurredAt),
  receivedAt: formatTimeOrNull(receivedAt),
});
