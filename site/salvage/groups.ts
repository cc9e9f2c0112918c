import type Database from 'better-sqlite3';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { withOnly } from '../../common/core/incident/aggregate.ts';
import { incidentMembers, incidents } from '../store/schema/tables.ts';

/**
 * Incident groups whose members were lost are what the others make of them; one without any goes, unless a
 * person confirmed it or others went into it.
 */
export function recountGroups(target: Database.Database): void {
  const orm = drizzle({ client: target });
  // A group that was merged away stands by itself again when the one that it went into is lost.
  target.exec(`UPDATE OR IGNORE incident_members SET live = 1 WHERE incident_id IN (SELECT id FROM incidents
    WHERE merged_into NOT IN (SELECT id FROM incidents));
    UPDATE incidents SET state = coalesce(state_before, 'auto'), state_before = NULL, closed_at = NULL,
      merged_into = NULL WHERE merged_into NOT IN (SELECT id FROM incidents);
    UPDATE incidents SET split_from = NULL WHERE split_from NOT IN (SELECT id FROM incidents);`);
  const wrong = target
    .prepare<[], number>(
      'SELECT id FROM incidents i WHERE member_count <> (SELECT count(*) FROM incident_members m WHERE ' +
        'm.incident_id = i.id)',
    )
    .pluck();
  for (const id of wrong.all()) {
    const group = orm.select().from(incidents).where(eq(incidents.id, id)).get();
    const rows = orm.select().from(incidentMembers).where(eq(incidentMembers.incidentId, id)).all();
    if (group)
      orm
        .update(incidents)
        .set(withOnly(group, rows, group.updatedAt))
        .where(eq(incidents.id, id))
        .run();
  }
  const dropEmpty =
    target.prepare(`DELETE FROM incidents WHERE member_count = 0 AND NOT (confirmed_at IS NOT NULL
      AND is_test = 0)
    AND id NOT IN (SELECT merged_into FROM incidents WHERE merged_into IS NOT NULL)`);
  while (dropEmpty.run().changes > 0);
}
