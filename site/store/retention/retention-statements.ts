import type Database from 'better-sqlite3';
import type { Severity } from '../../../common/core/event/schema.ts';
import type { EventMark } from '../../../common/core/retention/record.ts';
import { judgementKinds } from '../../../common/uplink/change/item.ts';

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

export interface OldChange {
  changeNo: number;
  at: number;
  eventId: number;
  /** Its number on the way up. */
  no: number | null;
  /** 1: headquarters has not had it. */
  unsent: 0 | 1;
}

/** Event ids of one statement; both ends are included. */
export interface IdRange {
  from: number;
  to: number;
}

const JUDGEMENTS = judgementKinds.map((kind) => `'${kind}'`).join(', ');
export const isJudgement = (row: string): string => `${row}.kind IN (${JUDGEMENTS})`;
const isParked = (row: string): string =>
  `EXISTS (SELECT 1 FROM uplink_parked p WHERE p.channel = 'verdicts' AND p.origin_id = ${row}.no ` +
  `AND p.state = 'parked')`;
/**
 * Whether headquarters has not had a row of the log; `@sent` is the position of its channel. Rows of the open
 * transaction count as well: what is judged in it is not deleted.
 */
export const isUnsent = (row: string): string =>
  `(${row}.no > @sent OR ${row}.no IS NULL OR ${isParked(row)})`;

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
    /** First event whose judgement headquarters refused. */
    firstRefusedChange: sqlite
      .prepare<[IdRange], number | null>(
        `SELECT min(c.event_id) FROM uplink_parked p JOIN changes c ON c.no = p.origin_id
         WHERE p.channel = 'verdicts' AND p.state = 'parked' AND ${isJudgement('c')}
           AND c.event_id BETWEEN @from AND @to`,
      )
      .pluck(),
    /** First event whose judgement was not sent; changes that may not go yet are of events that were not. */
    firstUnsentVerdict: sqlite
      .prepare<[IdRange & { sent: number }], number | null>(
        `SELECT min(c.event_id) FROM changes c
         WHERE c.no > @sent AND ${isJudgement('c')} AND c.event_id BETWEEN @from AND @to`,
      )
      .pluck(),
    /** First event whose task, group or message to the camera was not sent, or was refused. */
    firstUnsentWork: sqlite
      .prepare<[IdRange & { sent: number }], number | null>(
        `SELECT min(id) FROM (
         SELECT min(t.event_id) AS id FROM tasks t JOIN changes w ON w.kind = 'task' AND w.subject_id = t.id
         WHERE t.event_id BETWEEN @from AND @to AND ${isUnsent('w')}
         UNION ALL SELECT min(m.event_id) FROM incident_members m JOIN changes w ON w.kind = 'group'
           AND w.subject_id = m.incident_id
         WHERE m.event_id BETWEEN @from AND @to AND ${isUnsent('w')}
         UNION ALL SELECT min(w.subject_id) FROM changes w
         WHERE w.kind = 'feedback' AND w.subject_id BETWEEN @from AND @to AND ${isUnsent('w')})`,
      )
      .pluck(),
    oldChanges: sqlite.prepare<[{ sent: number; limit: number }], OldChange>(
      `SELECT v.change_no AS changeNo, v.at, v.event_id AS eventId, c.no,
         coalesce(${isUnsent('c')}, 0) AS unsent
       FROM verdict_changes v LEFT JOIN changes c ON c.kind = v.kind AND c.subject_id = v.change_no
       ORDER BY v.change_no LIMIT @limit`,
    ),
    dropChanges: prepareDropChanges(sqlite),
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

/** Judgements up to a number of their history go, and with them what is said of their way up. */
function prepareDropChanges(sqlite: Database.Database): (through: number) => number {
  const logged = `SELECT no FROM changes w WHERE ${isJudgement('w')} AND w.subject_id <= ?`;
  const dropParked = sqlite.prepare<[number]>(
    `DELETE FROM uplink_parked WHERE channel = 'verdicts' AND state <> 'parked' AND origin_id IN (${logged})`,
  );
  const dropLogged = sqlite.prepare<[number]>(
    `DELETE FROM changes AS w WHERE ${isJudgement('w')} AND w.subject_id <= ?`,
  );
  const drop = sqlite.prepare<[number]>('DELETE FROM verdict_changes WHERE change_no <= ?');
  return (through) => {
    dropParked.run(through);
    dropLogged.run(through);
    return drop.run(through).changes;
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
    `UPDATE uplink_parked SET state = 'replayed', last_at = @now
     WHERE channel = 'verdicts' AND state = 'parked'
       AND origin_id IN (SELECT w.no FROM changes w WHERE ${untold})`,
  );
  const forget = sqlite.prepare<[{ upTo: number }]>(`DELETE FROM changes AS w WHERE ${untold}`);
  return (upTo: number, limit: number, now: number): number => {
    const { changes } = drop.run(upTo, limit);
    if (changes === 0) return 0;
    settle.run({ upTo, now });
    forget.run({ upTo });
    return changes;
  };
}
