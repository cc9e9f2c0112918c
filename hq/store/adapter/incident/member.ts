// The events that are members of incident groups, and which groups have them; in SQL.
import type pg from 'pg';
import type { EventRecord } from '../../../../common/core/event/record.ts';
import { memberOf, type MemberSource } from '../../../../common/core/incident/aggregate.ts';
import type { IncidentKey } from '../../../../common/core/incident/plan.ts';
import type { MemberEvent, OtherLayer } from '../../../../common/core/incident/record.ts';
import type { IncidentLayer } from '../../../../common/core/incident/schema.ts';
import type { Tx } from '../../engine/database.ts';
import { SELECT_EVENTS } from '../event-rows.ts';

/** Which group has each of the events in this layer now. */
export async function holdersOf(
  tx: Tx,
  tenantCode: string,
  layer: IncidentLayer,
  eventIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await tx.client.query<{ eventId: number; incidentId: number }>(
    `select event_id as "eventId", incident_id as "incidentId" from incident_members
     where tenant_code = $1 and layer = $2 and live and event_id = any($3::bigint[])`,
    [tenantCode, layer, eventIds],
  );
  return new Map(rows.map((row) => [row.eventId, row.incidentId]));
}

/**
 * Those of the events that are the tenant's. `fresh`, which are about to become members, cannot be deleted
 * until the transaction ends.
 */
export async function eventsForMembers(
  tx: Tx,
  tenantCode: string,
  { eventIds, fresh }: { eventIds: readonly number[]; fresh: readonly number[] },
): Promise<Map<number, MemberEvent>> {
  if (fresh.length > 0) {
    await tx.client.query(
      'select 1 from events where tenant_code = $1 and id = any($2::bigint[]) order by id for key share',
      [tenantCode, fresh],
    );
  }
  const { rows } = await tx.client.query<MemberSource>(
    `select id, type, source, severity, is_test as "isTest", occurred_at as "occurredAt", received_at as
      "receivedAt", origin_received_at as "originReceivedAt"
     from events where tenant_code = $1 and id = any($2::bigint[])`,
    [tenantCode, eventIds],
  );
  return new Map(rows.map((row) => [row.id, memberOf(row)]));
}

/** Those of the events that are the tenant's, whole, by id. */
export async function eventsOf(
  pool: pg.Pool,
  tenantCode: string,
  eventIds: readonly number[],
): Promise<Map<number, EventRecord>> {
  const { rows } = await pool.query<EventRecord>(
    `${SELECT_EVENTS} where e.tenant_code = $1 and e.id = any($2::bigint[])`,
    [tenantCode, eventIds],
  );
  return new Map(rows.map((event) => [event.id, event]));
}

/** The groups of other layers that have events of this one now, and how many. */
export async function otherLayersOf(pool: pg.Pool, { tenantCode, id }: IncidentKey): Promise<OtherLayer[]> {
  const { rows } = await pool.query<OtherLayer>(
    `select i.id, i.layer, i.state, i.title, count(*)::int as "sharedCount" from incident_members m
       cross join lateral (select o.incident_id from incident_members o
         where o.tenant_code = m.tenant_code and o.event_id = m.event_id and o.live
           and o.layer <> m.layer offset 0) o
       cross join lateral (select * from incidents where tenant_code = $1 and id = o.incident_id limit 1) i
     where m.tenant_code = $1 and m.incident_id = $2 group by i.id, i.layer, i.state, i.title
       order by i.layer, i.id`,
    [tenantCode, id],
  );
  return rows;
}
