import type Database from 'better-sqlite3';
import type { IndexedColumns, IndexedRow } from '../../../common/core/event/index/entry.ts';
import { type Counted, MOVES_EVENT } from '../../../common/core/event/index/plan.ts';

/** SQLite has no truth values. */
type Stored<R extends { test: boolean }> = Omit<R, 'test'> & { test: number };
type StoredRow = Stored<IndexedRow>;
export type StoredFact = Omit<Counted, 'by'> & { tenant: string };
export interface Tail {
  after: number;
  through: number;
  tenant: string;
  since: number;
  until: number;
}
export interface Change {
  changeNo: number;
  eventId: number;
  kind: string;
}

const COLUMNS = `e.id, e.tenant_code AS tenant, e.type, e.kind, e.source, e.is_test AS test,
  e.severity, e.instance, e.occurred_at AS at, e.doc`;

const VERDICT = `v.verdict, v.judged, CASE WHEN v.verdict IS NOT NULL THEN (SELECT c.verdict
  FROM corrections c WHERE c.event_id = e.id ORDER BY c.seq DESC LIMIT 1) END AS correctedTo`;

/** Statements that read what the index is made from. */
export function prepareReading(sqlite: Database.Database) {
  return {
    rows: sqlite.prepare<[number, number, number], Stored<IndexedColumns> & { doc: string }>(
      `SELECT ${COLUMNS} FROM events e WHERE e.id > ? AND e.id <= ? ORDER BY e.id LIMIT ?`,
    ),
    tail: sqlite.prepare<[Tail], StoredRow>(
      `SELECT ${COLUMNS}, ${VERDICT} FROM events e LEFT JOIN verdicts v ON v.event_id = e.id
       WHERE e.id > @after AND e.id <= @through AND e.tenant_code = @tenant
         AND (e.occurred_at >= @since AND e.occurred_at < @until OR e.occurred_at IS NULL)`,
    ),
    judged: sqlite.prepare<[number, number], StoredRow>(
      `SELECT ${COLUMNS}, ${VERDICT} FROM verdicts v JOIN events e ON e.id = v.event_id
       WHERE v.event_id BETWEEN ? AND ?`,
    ),
    rejudged: sqlite.prepare<[number], StoredRow & { was: number }>(
      `SELECT ${COLUMNS}, ${VERDICT}, f.group_id AS was FROM event_facts f
       JOIN events e ON e.id = f.event_id LEFT JOIN verdicts v ON v.event_id = e.id WHERE f.event_id = ?`,
    ),
    changed: sqlite
      .prepare<[number, number], number>(
        `SELECT DISTINCT event_id FROM verdict_changes
       WHERE change_no > ? AND ${MOVES_EVENT} AND event_id <= ? ORDER BY event_id DESC`,
      )
      .pluck(),
    changes: sqlite.prepare<[number, number, number], Change>(
      `SELECT change_no AS changeNo, event_id AS eventId, kind FROM verdict_changes
       WHERE change_no > ? AND change_no <= ? ORDER BY change_no LIMIT ?`,
    ),
    countAfter: sqlite.prepare<[number], number>('SELECT count(*) FROM events WHERE id > ?').pluck(),
  };
}

/** Statements that write facts and counts. */
export function prepareWriting(sqlite: Database.Database) {
  return {
    addFact: sqlite.prepare<[number, number, number, number | null, string]>(
      `INSERT INTO event_facts (event_id, group_id, place_id, occurred_at, tenant_code)
       VALUES (?, ?, ?, ?, ?)`,
    ),
    move: sqlite.prepare<[number, number]>('UPDATE event_facts SET group_id = ? WHERE event_id = ?'),
    dropFact: sqlite.prepare<[number], StoredFact>(
      `DELETE FROM event_facts WHERE event_id = ?
       RETURNING event_id AS id, group_id AS "group", occurred_at AS at, tenant_code AS tenant`,
    ),
    addHour: sqlite.prepare<[number, number, number, string]>(
      `INSERT INTO event_hours (start_at, group_id, count, tenant_code) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    ),
    addDay: sqlite.prepare<[number, number, number, number, number, string]>(
      `INSERT INTO event_days (start_at, group_id, count, first_id, last_id, tenant_code)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count,
         first_id = min(first_id, excluded.first_id), last_id = max(last_id, excluded.last_id)`,
    ),
    dropHour: sqlite.prepare<[number, number]>(
      'DELETE FROM event_hours WHERE start_at = ? AND group_id = ? AND count = 0',
    ),
    dropDay: sqlite.prepare<[number, number]>(
      'DELETE FROM event_days WHERE start_at = ? AND group_id = ? AND count = 0',
    ),
  };
}

type Value = string | number | null;

/** Statements that number groups and places. */
export function prepareNumbering(sqlite: Database.Database) {
  return {
    group: sqlite
      .prepare<Value[], number>(
        `SELECT id FROM event_groups WHERE tenant_code = ? AND type = ? AND kind = ? AND source = ?
         AND verdict IS ? AND corrected_to IS ? AND is_test = ? AND judged = ? AND judged_type IS ?
         AND severity = ? AND instance IS ?`,
      )
      .pluck(),
    addGroup: sqlite.prepare<Value[]>(
      `INSERT INTO event_groups (tenant_code, type, kind, source, verdict, corrected_to, is_test, judged,
         judged_type, severity, instance) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    place: sqlite
      .prepare<Value[], number>(
        `SELECT id FROM event_places
         WHERE tenant_code = ? AND site_ref IS ? AND camera_ref IS ? AND instance IS ?`,
      )
      .pluck(),
    addPlace: sqlite.prepare<Value[]>(
      'INSERT INTO event_places (tenant_code, site_ref, camera_ref, instance) VALUES (?, ?, ?, ?)',
    ),
  };
}
