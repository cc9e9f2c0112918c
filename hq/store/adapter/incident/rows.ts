// How incident groups and their member rows are read and written.
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Decision, IncidentKey, IncidentPlan } from '../../../../common/core/incident/plan.ts';
import type {
  IncidentMember,
  IncidentRecord,
  WholeIncident,
} from '../../../../common/core/incident/record.ts';
import { groupOrders } from '../../../receiver/store/schema.ts';
import { advanceCounter, lockCounter } from '../../engine/counters.ts';
import type { Db, Tx } from '../../engine/database.ts';
import { audit, incidentMembers as members, incidents } from '../../schema/tables.ts';

/** Rows of one INSERT: its parameters stay below the protocol's 65,535. */
const CHUNK = 2_000;

export async function readIncident(db: Db, id: number): Promise<IncidentRecord | null> {
  return (await db.select().from(incidents).where(eq(incidents.id, id)))[0] ?? null;
}

export const rowsOf = (tx: Tx, incident: IncidentKey): Promise<IncidentMember[]> =>
  tx.db.select().from(members).where(inGroup(incident));

const inGroup = ({ tenantCode, id }: IncidentKey): SQL | undefined =>
  and(eq(members.tenantCode, tenantCode), eq(members.incidentId, id));

/** Those groups that are there, with all their rows. */
export async function incidentsWithMembers(tx: Tx, ids: readonly number[]): Promise<WholeIncident[]> {
  if (ids.length === 0) return [];
  const found = await tx.db
    .select()
    .from(incidents)
    .where(inArray(incidents.id, [...ids]));
  const tenants = [...new Set(found.map(({ tenantCode }) => tenantCode))];
  const rows =
    found.length === 0
      ? []
      : await tx.db
          .select()
          .from(members)
          .where(
            and(
              inArray(members.tenantCode, tenants),
              inArray(
                members.incidentId,
                found.map(({ id }) => id),
              ),
            ),
          );
  const byGroup = Map.groupBy(rows, ({ incidentId }) => incidentId);
  return found.map((incident) => ({ incident, rows: byGroup.get(incident.id) ?? [] }));
}

/** The group and those it was merged into, one after another. */
export async function pathOf(tx: Tx, own: IncidentRecord): Promise<IncidentRecord[]> {
  const path = [own];
  for (let last = own; last.mergedInto !== null; path.push(last)) {
    const next = await readIncident(tx.db, last.mergedInto);
    if (!next)
      throw new Error(`the incident ${last.mergedInto} is missing, although ${last.id} was merged into it`);
    last = next;
  }
  return path;
}

/** Where a group went that was merged, over all steps; the last known id where a group on the way is gone. */
export async function endOf(db: Db, incident: IncidentRecord): Promise<number | null> {
  for (let last = incident; ;) {
    if (last.mergedInto === null) return last.id;
    const next = await readIncident(db, last.mergedInto);
    if (!next) return last.mergedInto;
    last = next;
  }
}

/** These groups and all that they were merged into, by id. */
export async function pathsOf(tx: Tx, ids: readonly number[]): Promise<Map<number, IncidentRecord>> {
  const found = new Map<number, IncidentRecord>();
  for (let wanted = [...ids]; wanted.length > 0;) {
    for (const group of await tx.db.select().from(incidents).where(inArray(incidents.id, wanted)))
      found.set(group.id, group);
    wanted = [
      ...new Set(
        [...found.values()].flatMap(({ mergedInto }) =>
          mergedInto === null || found.has(mergedInto) ? [] : [mergedInto],
        ),
      ),
    ];
  }
  return found;
}

/** Locks the counter; the number counts as given out only when a group is inserted with it. */
export const nextIncidentId = async (tx: Tx): Promise<number> =>
  (await lockCounter(tx, 'incident')).value + 1;

/** Carries out what was decided. @returns the outcome */
export async function applyPlan<O>(tx: Tx, { outcome, plan }: Decision<O>): Promise<O> {
  if (plan) await write(tx, plan);
  return outcome;
}

async function write(tx: Tx, plan: IncidentPlan): Promise<void> {
  const { db } = tx;
  for (const { incident, eventIds } of plan.dropMembers) {
    await db
      .delete(members)
      .where(and(inGroup(incident), sql`${members.eventId} = any(${sql.param(eventIds)}::bigint[])`));
  }
  for (const incident of plan.hideMembers)
    await db.update(members).set({ live: false }).where(inGroup(incident));
  for (let from = 0; from < plan.addMembers.length; from += CHUNK)
    await db.insert(members).values(plan.addMembers.slice(from, from + CHUNK));
  for (const incident of plan.showMembers)
    await db.update(members).set({ live: true }).where(inGroup(incident));
  for (const incident of plan.insert) {
    await db.insert(incidents).values(incident);
    await advanceCounter(tx, 'incident', { value: incident.id, at: incident.createdAt });
  }
  for (const incident of plan.update) {
    await db
      .update(incidents)
      .set(incident)
      .where(and(eq(incidents.tenantCode, incident.tenantCode), eq(incidents.id, incident.id)));
  }
  if (plan.remove.length > 0) {
    await db.delete(incidents).where(inArray(incidents.id, plan.remove));
    await db.delete(groupOrders).where(inArray(groupOrders.incidentId, plan.remove));
  }
  if (plan.audit.length > 0) await db.insert(audit).values(plan.audit);
}
