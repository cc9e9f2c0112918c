import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Stamp } from '../../../../common/clock.ts';
import type { IncidentRecord } from '../../../../common/core/incident/record.ts';
import type { GroupOrderItem } from '../../../../common/uplink/group-order.ts';
import {
  commandOf,
  type GroupOrderRefusal,
  groupsOf,
  isMeant,
  reasonOf,
  standsAlready,
} from '../../../uplink/group-order/decide.ts';
import type { GroupOrderPort } from '../../../uplink/group-order/port.ts';
import type { Carried } from '../../../uplink/inbox/port.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import type { SiteIncidents } from '../incident/incident.ts';
import { IncidentRows } from '../incident/rows.ts';
import type { SiteOrders } from './order.ts';

/**
 * Orders of headquarters on incident groups, on SQLite. Their answers stand with those to orders on tasks.
 * Invariants: an order, what it changes and its answer are written in one transaction; an order that is known
 * is never carried out again.
 */
export class SiteGroupOrders implements GroupOrderPort {
  #group: GroupCommit;
  #rows: IncidentRows;
  #incidents: SiteIncidents;
  #answers: Pick<SiteOrders, 'isAnsweredNow' | 'answerNow'>;

  constructor(
    group: GroupCommit,
    orm: BetterSQLite3Database,
    incidents: SiteIncidents,
    answers: Pick<SiteOrders, 'isAnsweredNow' | 'answerNow'>,
  ) {
    this.#group = group;
    this.#rows = new IncidentRows(orm);
    this.#incidents = incidents;
    this.#answers = answers;
  }

  carry(order: GroupOrderItem, eventIds: readonly number[], stamp: Stamp): Promise<Carried> {
    return this.#group.write(() => {
      const { order_id: orderId, tenant_code: tenantCode, body } = order;
      if (this.#answers.isAnsweredNow(orderId)) return 'answered';
      const refusal = this.#carry(order, eventIds, stamp);
      this.#answers.answerNow({ orderId, tenantCode, kind: body.kind }, refusal, stamp);
      return refusal === null ? 'carried_out' : 'refused';
    });
  }

  #carry(order: GroupOrderItem, eventIds: readonly number[], stamp: Stamp): GroupOrderRefusal | null {
    const groups = new Map<number, IncidentRecord>();
    for (const named of groupsOf(order)) {
      const found = this.#rows.read(named.id);
      if (!isMeant(found, named, order.tenant_code)) return { code: 'order_no_group', params: {} };
      groups.set(found.id, found);
    }
    const group = this.#rows.present(order.group.id);
    if (standsAlready(order, groups, this.#holderOf(group, eventIds))) return null;
    const command = commandOf(order);
    const { body } = order;
    switch (body.kind) {
      case 'confirm':
        return reasonOf(this.#incidents.confirmNow(command, stamp));
      case 'split':
        // An event that is not kept here any more has left its group.
        if (eventIds.length < new Set(body.event_keys).size && group.state !== 'closed')
          return { code: 'order_not_members', params: {} };
        return reasonOf(this.#incidents.splitNow({ ...command, eventIds }, stamp));
      case 'merge': {
        const incidentIds = body.others.map(({ id }) => id);
        return reasonOf(this.#incidents.mergeNow({ ...command, incidentIds }, stamp));
      }
      case 'unmerge':
        return reasonOf(this.#incidents.unmergeNow(command, stamp));
    }
  }

  /** The group that has all of the events in its layer; null: there is none such. */
  #holderOf({ layer }: IncidentRecord, eventIds: readonly number[]): IncidentRecord | null {
    const held = this.#rows.holders(eventIds, layer);
    const [only, ...others] = new Set(held.values());
    if (only === undefined || others.length > 0 || held.size < eventIds.length) return null;
    return this.#rows.read(only);
  }
}
