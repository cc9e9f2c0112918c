import type Database from 'better-sqlite3';
import { eq, ne, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { withOnly } from '../../common/core/incident/aggregate.ts';
import { incidentMembers, incidents } from '../store/schema/tables.ts';
import { detachFromLost, dropEmptyGroups } from './relations.ts';

/**
 * Incident groups whose members were lost are what the others make of them; one without any goes, unless a
 * person confirmed it or others went into it.
 */
export function recountGroups(target: Database.Database): void {
  const orm = drizzle({ client: target });
  detachFromLost(target);
  const counted = sql`(select count(*) from ${incidentMembers}
    where ${incidentMembers.incidentId} = ${incidents.id})`;
  const wrong = orm
    .select({ id: incidents.id })
    .from(incidents)
    .where(ne(incidents.memberCount, counted))
    .all();
  for (const { id } of wrong) {
    const group = orm.select().from(incidents).where(eq(incidents.id, id)).get();
    const rows = orm.select().from(incidentMembers).where(eq(incidentMembers.incidentId, id)).all();
    if (group)
      orm
        .update(incidents)
        .set(withOnly(group, rows, group.updatedAt))
        .where(eq(incidents.id, id))
        .run();
  }
  dropEmptyGroups(target);
}
