import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import type { IncidentFilter, IncidentRecord } from '../../../../common/core/incident/record.ts';
import type { Db } from '../../engine/database.ts';
import { incidentMembers as members, incidents } from '../../schema/tables.ts';

const holding = (db: Db, eventId: number) =>
  db
    .select({ id: members.incidentId })
    .from(members)
    .where(and(eq(members.eventId, eventId), eq(members.live, true)));

/** As `IncidentPort.list`. */
export function listIncidents(
  db: Db,
  filter: IncidentFilter,
  before: { lastAt: number; id: number } | null,
  limit: number,
): Promise<IncidentRecord[]> {
  return db
    .select()
    .from(incidents)
    .where(
      and(
        filter.state === undefined ? ne(incidents.state, 'closed') : eq(incidents.state, filter.state),
        filter.tenantCode === null ? undefined : eq(incidents.tenantCode, filter.tenantCode),
        filter.layer === undefined ? undefined : eq(incidents.layer, filter.layer),
        filter.siteRef === undefined ? undefined : eq(incidents.siteRef, filter.siteRef),
        filter.instance === undefined
          ? undefined
          : sql`${incidents.instance} is not distinct from ${filter.instance}`,
        filter.eventId === undefined ? undefined : inArray(incidents.id, holding(db, filter.eventId)),
        filter.includeTest ? undefined : eq(incidents.isTest, false),
        before === null
          ? undefined
          : sql`(${incidents.lastAt}, ${incidents.id}) < (${before.lastAt}, ${before.id})`,
      ),
    )
    .orderBy(desc(incidents.lastAt), desc(incidents.id))
    .limit(limit);
}
