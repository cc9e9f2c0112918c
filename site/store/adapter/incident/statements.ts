import type Database from 'better-sqlite3';
import type { OtherLayer } from '../../../../common/core/incident/record.ts';
import { prepareInsert } from '../../engine/insert.ts';
import { prepareNextId } from '../../engine/sequence.ts';
import { incidentMembers, incidents } from '../../schema/tables.ts';

/** Statements of `SiteIncidents`, in SQL: the changes of members, which are many, and a join. */
export function prepareIncidents(sqlite: Database.Database) {
  return {
    addIncident: prepareInsert(sqlite, incidents),
    addMember: prepareInsert(sqlite, incidentMembers),
    dropMember: sqlite.prepare<[number, number]>(
      'DELETE FROM incident_members WHERE incident_id = ? AND event_id = ?',
    ),
    setLive: sqlite.prepare<[number, number]>('UPDATE incident_members SET live = ? WHERE incident_id = ?'),
    nextId: prepareNextId(sqlite, 'incidents'),
    newestMember: sqlite
      .prepare<[number], number>('SELECT max(event_id) FROM incident_members WHERE incident_id = ?')
      .pluck(),
    pointers: sqlite.prepare<[number], { id: number; mergedInto: number }>(
      'SELECT id, merged_into AS mergedInto FROM incidents WHERE merged_into = ?',
    ),
    otherLayers: sqlite.prepare<[number], OtherLayer>(
      `SELECT i.id, i.layer, i.state, i.title, count(*) AS sharedCount FROM incident_members m
         JOIN incident_members o ON o.event_id = m.event_id AND o.live = 1 AND o.layer <> m.layer
           JOIN incidents i ON i.id = o.incident_id
       WHERE m.incident_id = ? GROUP BY i.id ORDER BY i.layer, i.id`,
    ),
  };
}
