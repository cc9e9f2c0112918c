import type Database from 'better-sqlite3';
import type { WorkKind } from '../../../../common/uplink/work-item.ts';
import type { WorkRow } from './work-state.ts';

/** Rows that an estimate of bytes looks at. */
const MEASURED = 2_000;
/** Bytes of an item without its entries and members, of an entry, and of a member, as measured. */
const PLAIN_BYTES = 900;
const ENTRY_BYTES = 220;
const MEMBER_BYTES = 210;

/** Statements of `SiteWork`. */
export function prepareWork(sqlite: Database.Database) {
  const columns = `change_no AS changeNo, kind, subject_id AS subjectId, at, event_id AS eventId,
    event_key AS eventKey, base_no AS baseNo`;
  return {
    of: sqlite.prepare<[WorkKind, number], WorkRow>(
      `SELECT ${columns} FROM work_changes WHERE kind = ? AND subject_id = ?`,
    ),
    drop: sqlite.prepare<[WorkKind, number]>('DELETE FROM work_changes WHERE kind = ? AND subject_id = ?'),
    add: sqlite.prepare<[number, WorkKind, number, number, number, string | null, number | null]>(
      `INSERT INTO work_changes (change_no, kind, subject_id, at, event_id, event_key, base_no)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    isStored: sqlite.prepare<[{ changeNo: number }]>(
      `SELECT 1 FROM uplink_channels c WHERE c.name = 'work' AND c.cursor >= @changeNo AND NOT EXISTS (
         SELECT 1 FROM uplink_parked p
         WHERE p.channel = 'work' AND p.origin_id = @changeNo AND p.state <> 'replayed')`,
    ),
    addMember: sqlite.prepare<[number, number]>('INSERT OR IGNORE INTO work_members VALUES (?, ?)'),
    addRest: sqlite.prepare<[number, number]>(
      `INSERT OR IGNORE INTO work_members SELECT incident_id, event_id FROM incident_members
       WHERE incident_id = ? AND event_id > ?`,
    ),
    dropSent: sqlite.prepare<[number, number]>(
      'DELETE FROM work_members WHERE group_id = ? AND event_id <= ?',
    ),
    forgetAddedSince: sqlite.prepare<[number]>(
      'DELETE FROM work_members WHERE group_id IN (SELECT subject_id FROM work_changes WHERE base_no > ?)',
    ),
    forgetAdded: sqlite.prepare<[number]>('DELETE FROM work_members WHERE group_id = ?'),
    forgetBases: sqlite.prepare<[number]>('UPDATE work_changes SET base_no = NULL WHERE base_no > ?'),
    settleParked: sqlite.prepare<[number, number]>(
      `UPDATE uplink_parked SET state = 'replayed', last_at = ?
       WHERE channel = 'work' AND origin_id = ? AND state = 'parked'`,
    ),
    after: sqlite.prepare<[number, number], WorkRow>(
      `SELECT ${columns} FROM work_changes WHERE change_no > ? AND change_no <= ? ORDER BY change_no`,
    ),
    mergedInto: sqlite.prepare<[{ target: number; after: number }], WorkRow>(
      `SELECT ${columns} FROM work_changes WHERE kind = 'group' AND change_no > @after AND subject_id IN (
         SELECT id FROM incidents WHERE merged_into = @target) ORDER BY change_no`,
    ),
    countAfter: sqlite
      .prepare<[number, number, number], number>(
        `SELECT count(*) FROM (SELECT 1 FROM work_changes WHERE change_no > ? AND change_no <= ? LIMIT ?)`,
      )
      .pluck(),
    oldestAfter: sqlite
      .prepare<[number, number], number>(
        'SELECT at FROM work_changes WHERE change_no > ? AND change_no <= ? ORDER BY change_no LIMIT 1',
      )
      .pluck(),
    bytesAfter: sqlite
      .prepare<[{ after: number; through: number }], number>(
        `SELECT CAST(total(bytes) / max(1, count(*)) * (SELECT count(*) FROM work_changes
           WHERE change_no > @after AND change_no <= @through) AS INTEGER)
         FROM (SELECT ${PLAIN_BYTES} + coalesce(length(t.body) + t.entry_count * ${ENTRY_BYTES},
             CASE WHEN w.base_no IS NULL THEN i.member_count ELSE (SELECT count(*) FROM work_members m
               WHERE m.group_id = i.id) END * ${MEMBER_BYTES}, 0) AS bytes
           FROM (SELECT * FROM work_changes WHERE change_no > @after AND change_no <= @through
             ORDER BY change_no LIMIT ${MEASURED}) w
           LEFT JOIN tasks t ON w.kind = 'task' AND t.id = w.subject_id
           LEFT JOIN incidents i ON w.kind = 'group' AND i.id = w.subject_id)`,
      )
      .pluck(),
  };
}
