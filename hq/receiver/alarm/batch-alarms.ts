import type { Message } from '../../../common/message.ts';
import { formatTimeOrNull } from '../../../common/time.ts';
import type { ChannelName } from '../../../common/uplink/wire.ts';
import { refusalParam } from '../order/decide.ts';
import type { RefusedOrder } from '../order/record.ts';
import type { EventConflict, ForeignChange, RefusedDecision, StoredBatch } from '../port.ts';
import { MOST_DETAILS, type SiteAlarms } from './alarms.ts';
import { nameOf } from './channel-alarms.ts';

/**
 * Raises alarms for what a stored batch shows that needs a person. That happens before the site is answered:
 * if it fails, the site sends the batch again, and the alarm is raised then.
 */
export class BatchAlarms {
  #alarms: SiteAlarms;

  constructor(alarms: SiteAlarms) {
    this.#alarms = alarms;
  }

  async raise(
    site: string,
    channel: ChannelName,
    { conflicts, foreign, refused, refusedOrders, failed, sameAs }: StoredBatch,
  ): Promise<void> {
    const taken = conflicts.filter(({ heldBy }) => heldBy !== site);
    const changed = conflicts.filter(({ heldBy }) => heldBy === site);
    if (taken.length > 0) await this.#taken(site, taken);
    if (changed.length > 0) await this.#changed(site, changed);
    if (foreign.length > 0) await this.#foreign(site, foreign);
    if (refused.length > 0) await this.#refused(site, refused);
    await this.#orders(
      'uplink_order_refused',
      site,
      refusedOrders.filter(({ unclear }) => !unclear),
    );
    await this.#orders(
      'uplink_order_unclear',
      site,
      refusedOrders.filter(({ unclear }) => unclear),
    );
    await this.#alarms.itemsFailed(site, nameOf(channel), failed);
    if (sameAs !== null) await this.#renamed(site, sameAs);
  }

  async #orders(
    code: 'uplink_order_refused' | 'uplink_order_unclear',
    site: string,
    orders: RefusedOrder[],
  ): Promise<void> {
    const [last] = orders.slice(-1);
    if (!last) return;
    const subject: Message =
      'taskId' in last
        ? { code: 'task_named', params: { id: last.taskId } }
        : { code: 'group_named', params: { id: last.incidentId } };
    await this.#alarms.raise(
      'warning',
      site,
      { code, params: { site, subject, by: last.by, reason: refusalParam(last) } },
      { site, orders: orders.slice(-MOST_DETAILS) },
    );
  }

  async #taken(site: string, conflicts: EventConflict[]): Promise<void> {
    await this.#alarms.raise(
      'critical',
      site,
      { code: 'uplink_key_conflict', params: { site, last: lastOf(conflicts) } },
      { site, events: conflicts.slice(-MOST_DETAILS).map(viewOf) },
    );
  }

  async #changed(site: string, conflicts: EventConflict[]): Promise<void> {
    await this.#alarms.raise(
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
    await this.#alarms.raise(
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
    await this.#alarms.raise(
      'warning',
      site,
      {
        code: 'uplink_decision_refused',
        params: { site, event: last.eventId, reason: refusalParam(last) },
      },
      { site, decisions: refused.slice(-MOST_DETAILS) },
    );
  }

  async #renamed(site: string, before: string): Promise<void> {
    await this.#alarms.raise(
      'warning',
      site,
      { code: 'uplink_site_renamed', params: { site, instance: site, before } },
      { site, before },
    );
  }
}

const HEADQUARTERS: Message = { code: 'headquarters', params: {} };

/** The last of the conflicts as a message, in a list of at most one. */
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
