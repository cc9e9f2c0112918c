import type Database from 'better-sqlite3';
import type { Judged } from '../../../common/core/event/record.ts';
import type {
  CorrectionRecord,
  Disposition,
  VerdictChange,
  VerdictRecord,
} from '../../../common/core/verdict/record.ts';
import { prepareInsert } from '../engine/insert.ts';
import { audit, corrections, feedback, verdictChanges, verdicts } from '../schema/tables.ts';

/** `judged` and `disposition` are JSON text. */
type VerdictRow = Omit<VerdictRecord, 'judged' | 'disposition'> &
  Record<'judged' | 'disposition', string | null>;

const JUDGEMENT = `event_id AS eventId, tenant_code AS tenantCode, verdict, "by", by_kind AS byKind, note, at,
  merged_into AS mergedInto, merged_into_key AS mergedIntoKey, merged_into_instance AS mergedIntoInstance`;

export function verdictOf({ judged, disposition, ...row }: VerdictRow): VerdictRecord {
  return {
    ...row,
    judged: judged === null ? null : (JSON.parse(judged) as Judged),
    disposition: disposition === null ? null : (JSON.parse(disposition) as Disposition),
  };
}

/** Reads the newest change: its number and time, never below those that retention or a salvage has left. */
export function lastChangeOf(sqlite: Database.Database): () => { changeNo: number; at: number } {
  const newest = sqlite.prepare<[], { changeNo: number; at: number }>(
    'SELECT change_no AS changeNo, at FROM verdict_changes ORDER BY change_no DESC LIMIT 1',
  );
  const least = sqlite.prepare<[], { changeNo: number | null; at: number | null }>(
    `SELECT (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'last_change_no') AS changeNo,
       (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'last_change_at') AS at`,
  );
  return () => {
    const [last, bound] = [newest.get(), least.get()];
    return {
      changeNo: Math.max(last?.changeNo ?? 0, bound?.changeNo ?? 0),
      at: Math.max(last?.at ?? 0, bound?.at ?? 0),
    };
  };
}

export function prepareVerdicts(sqlite: Database.Database) {
  return {
    verdict: sqlite.prepare<[number], VerdictRow>(
      `SELECT ${JUDGEMENT}, judged, disposition, decision_id AS decisionId FROM verdicts WHERE event_id = ?`,
    ),
    correctionById: sqlite.prepare<[string], CorrectionRecord>(
      `SELECT id, ${JUDGEMENT} FROM corrections WHERE id = ?`,
    ),
    corrections: sqlite.prepare<[number], CorrectionRecord>(
      `SELECT id, ${JUDGEMENT} FROM corrections WHERE event_id = ? ORDER BY seq`,
    ),
    addVerdict: prepareInsert(sqlite, verdicts),
    addCorrection: prepareInsert(sqlite, corrections),
    addChange: prepareInsert(sqlite, verdictChanges),
    addAudit: prepareInsert(sqlite, audit),
    addFeedback: prepareInsert(sqlite, feedback),
    answered: sqlite.prepare<[string], number>('SELECT 1 FROM verdict_changes WHERE decision_id = ?').pluck(),
    lastChange: lastChangeOf(sqlite),
    changes: sqlite.prepare<[number, number, number], VerdictChange>(
      `SELECT change_no AS changeNo, at, event_id AS eventId, tenant_code AS tenantCode, kind,
         decision_id AS decisionId, body
       FROM verdict_changes WHERE change_no > ? AND change_no <= ? ORDER BY change_no LIMIT ?`,
    ),
  };
}
