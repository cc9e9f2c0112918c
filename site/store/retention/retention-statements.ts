import type Database from 'better-sqlite3';
import type { Severity } from '../../../common/core/event/schema.ts';
import type { EventMark } from '../../../common/core/retention/record.ts';

export interface OldEventRow {
  id: number;
  tenantCode: string;
  idempotencyKey: string;
  type: string;
  severity: Severity | null;
  test: number;
  receivedAt: number;
  bytes: number;
}

/** Event ids of one statement; both ends are included. */
export interface IdRange {
  from: number;
  to: number;
}

/**
 * Time of the first verdict change after a number, epoch ms. Changes of the open transaction count as well:
 * what is judged in it is not deleted.
 */
export const prepareChangedAfter = (sqlite: Database.Database): Database.Statement<[number], number> =>
  sqlite
    .prepare<[number], number>(
      'SELECT at FROM verdict_changes WHERE change_no > ? ORDER BY change_no LIMIT 1',
    )
    .pluck();

/** Of a row of `work_changes`; `@workSent` is the position of the channel. */
export const unsentWork = (row: string): string =>
  `(${row}.change_no > @workSent OR EXISTS (SELECT 1 FROM uplink_parked p WHERE p.channel = 'work' AND ` +
  `p.origin_id = ${row}.change_no AND p.state = 'parked'))`;

/** Statements of `SiteRetention`. */
export function prepareRetention(sqlite: Database.Database) {
  const mark = 'SELECT id, received_at AS receivedAt FROM events';
  return {
    state: sqlite.prepare<[], string>("SELECT state FROM retention WHERE name = 'all'").pluck(),
    setState: sqlite.prepare<[string]>(
      "INSERT INTO retention (name, state) VALUES ('all', ?) ON CONFLICT (name) DO UPDATE SET state = " +
        'excluded.state',
    ),
    oldest: sqlite.prepare<[], EventMark>(`${mark} ORDER BY id LIMIT 1`),
    newest: sqlite.prepare<[], EventMark>(`${mark} ORDER BY id DESC LIMIT 1`),
    next: sqlite.prepare<[number], EventMark>(`${mark} WHERE id >= ? ORDER BY id LIMIT 1`),
    oldRows: sqlite.prepare<[number, number], OldEventRow>(
      `SELECT id, tenant_code AS tenantCode, idempotency_key AS idempotencyKey, type, severity,
         is_test AS test, received_at AS receivedAt, octet_length(doc) AS bytes
       FROM events WHERE id <= ? ORDER BY id LIMIT ?`,
    ),
    dropEvents: sqlite.prepare<[number, number]>('DELETE FROM events WHERE id BETWEEN ? AND ?'),
    dropVerdicts: sqlite.prepare<[number, number]>('DELETE FROM verdicts WHERE event_id BETWEEN ? AND ?'),
    dropCorrections: sqlite.prepare<[number, number]>(
      'DELETE FROM corrections WHERE event_id BETWEEN ? AND ?',
    ),
    dropParked: sqlite.prepare<[string, number]>(
      "DELETE FROM uplink_parked WHERE channel = ? AND origin_id <= ? AND state <> 'parked'",
    ),
    firstParked: sqlite
      .prepare<[string], number>(
        "SELECT origin_id FROM uplink_parked WHERE channel = ? AND state = 'parked' ORDER BY origin_id " +
          'LIMIT 1',
      )
      .pluck(),
    /** Event of a verdict or correction that headquarters refused. */
    firstRefusedChange: sqlite
      .prepare<[{ from: number; to: number }], number | null>(
        `SELECT min(c.event_id) FROM uplink_parked p JOIN verdict_changes c ON c.change_no = p.origin_id
       WHERE p.channel = 'verdicts' AND p.state = 'parked' AND c.event_id BETWEEN @from AND @to`,
      )
      .pluck(),
    changedAfter: prepareChangedAfter(sqlite),
    firstJudged: sqlite
      .prepare<[{ from: number; to: number; since: number }], number | null>(
        `SELECT min(event_id) FROM (
         SELECT event_id FROM verdicts WHERE event_id BETWEEN @from AND @to AND at >= @since
         UNION ALL SELECT event_id FROM corrections WHERE event_id BETWEEN @from AND @to AND at >= @since)`,
      )
      .pluck(),
    /** First event whose task, group or message to the camera has a number beyond one, or was refused. */
    firstUnsentWork: sqlite
      .prepare<[{ from: number; to: number; workSent: number }], number | null>(
        `SELECT min(id) FROM (
         SELECT min(t.event_id) AS id FROM tasks t JOIN work_changes w ON w.kind = 'task'
           AND w.subject_id = t.id
         WHERE t.event_id BETWEEN @from AND @to AND ${unsentWork('w')}
         UNION ALL SELECT min(m.event_id) FROM incident_members m JOIN work_changes w ON w.kind = 'group'
           AND w.subject_id = m.incident_id
         WHERE m.event_id BETWEEN @from AND @to AND ${unsentWork('w')}
         UNION ALL SELECT min(w.subject_id) FROM work_changes w
         WHERE w.kind = 'feedback' AND w.subject_id BETWEEN @from AND @to AND ${unsentWork('w')})`,
      )
      .pluck(),
    oldChanges: sqlite.prepare<[number], { changeNo: number; at: number; eventId: number }>(
      'SELECT change_no AS changeNo, at, event_id AS eventId FROM verdict_changes ORDER BY change_no LIMIT ?',
    ),
    dropChanges: sqlite.prepare<[number]>('DELETE FROM verdict_changes WHERE change_no <= ?'),
    dropMessages: prepareDropMessages(sqlite),
    dropAudit: sqlite.prepare<[number, number]>(
      'DELETE FROM audit WHERE (at, id) IN (SELECT at, id FROM audit WHERE at < ? ORDER BY at, id LIMIT ?)',
    ),
    dropAlarms: sqlite.prepare<[number, number]>(
      'DELETE FROM alarms WHERE (instance, key) IN (SELECT instance, key FROM alarms WHERE cleared_at ' +
        '< ? LIMIT ?)',
    ),
    dropEvidenceJobs: sqlite.prepare<[number, number]>(
      'DELETE FROM evidence_jobs WHERE id IN (SELECT id FROM evidence_jobs WHERE created_at < ? AND ' +
        "state <> 'pending' ORDER BY created_at LIMIT ?)",
    ),
    auditBefore: sqlite
      .prepare<[number, number], number>('SELECT count(*) FROM (SELECT 1 FROM audit WHERE at < ? LIMIT ?)')
      .pluck(),
    auditSince: sqlite
      .prepare<[number, number], number>('SELECT count(*) FROM (SELECT 1 FROM audit WHERE at >= ? LIMIT ?)')
      .pluck(),
  };
}

/** Messages to cameras go with their event, and with the last of them what is to be told of them. */
function prepareDropMessages(sqlite: Database.Database) {
  const untold =
    "w.kind = 'feedback' AND w.subject_id <= @upTo AND NOT EXISTS (SELECT 1 FROM feedback f WHERE " +
    'f.event_id = w.subject_id)';
  const drop = sqlite.prepare<[number, number]>(
    'DELETE FROM feedback WHERE rowid IN (SELECT rowid FROM feedback WHERE event_id <= ? AND state ' +
      `<> 'pending' ORDER BY event_id LIMIT ?)`,
  );
  const settle = sqlite.prepare<[{ upTo: number; now: number }]>(
    `UPDATE uplink_parked SET state = 'replayed', last_at = @now WHERE channel = 'work' AND state = 'parked'
       AND origin_id IN (SELECT w.change_no FROM work_changes w WHERE ${untold})`,
  );
  const forget = sqlite.prepare<[{ upTo: number }]>(`DELETE FROM work_changes AS w WHERE ${untold}`);
  return (upTo: number, limit: number, now: number): number => {
    const { changes } = drop.run(upTo, limit);
    if (changes === 0) return 0;
    settle.run({ upTo, now });
    forget.run({ upTo });
    return changes;
  };
}
