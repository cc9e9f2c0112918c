import type Database from 'better-sqlite3';
import {
  type EventKind,
  severities,
  type Severity,
  severityRank,
} from '../../../common/core/event/schema.ts';
import type { EvidenceRecord } from '../../../common/core/evidence/port.ts';
import { isJudgement, isUnsent } from './retention-statements.ts';

/** An event that nothing keeps here: headquarters holds it whole. */
export interface UnheldRow {
  id: number;
  kind: EventKind;
  tenantCode: string;
  type: string;
  severity: Severity | null;
  idempotencyKey: string;
  receivedAt: number;
  test: number;
}

interface UnheldBounds {
  /** Ids of events. */
  after: number;
  through: number;
  /** Position of the channel of verdicts. */
  sent: number;
  limit: number;
}

/** Epoch of the headquarters that this site sends to, as it last told it. */
export const HUB = "(SELECT hub_epoch FROM uplink_channels WHERE name = 'events')";
/** Whether that headquarters has not said that it holds the file. */
const isOnlyHere = (file: string): string => `(${file}.held_by IS NULL OR ${file}.held_by IS NOT ${HUB})`;
/** How bad an event is, without a severity as bad as medium; what somebody made for trying is of no worth. */
export const worth = (event: string): string =>
  `CASE WHEN ${event}.is_test THEN -1 ELSE CASE ${event}.severity ` +
  severities.map((severity, rank) => `WHEN '${severity}' THEN ${rank + 1} `).join('') +
  `ELSE ${severityRank(null) + 1} END END`;

/** Statements of `SiteEviction`. */
export function prepareEviction(sqlite: Database.Database) {
  const notParked = (id: string): string =>
    `NOT EXISTS (SELECT 1 FROM uplink_parked p WHERE p.channel = 'events' AND p.origin_id = ${id} AND ` +
    `p.state = 'parked')`;
  const unawaited = `NOT EXISTS (SELECT 1 FROM evidence_jobs j WHERE j.event_id = f.event_id
    AND j.name = f.name AND j.state = 'pending')`;
  const unheld = (
    more: string,
  ): string => `SELECT id, kind, tenant_code AS tenantCode, type, severity, idempotency_key AS idempotencyKey,
    received_at AS receivedAt, is_test AS test FROM events e
       WHERE id > @after AND id <= @through ${more} AND ${notParked('e.id')}
         AND NOT EXISTS (SELECT 1 FROM evidence_files f WHERE f.event_id = e.id)
         AND NOT EXISTS (SELECT 1 FROM evidence_gone g WHERE g.event_id = e.id AND g.told = 0)
         AND e.id NOT IN (SELECT c.event_id FROM changes c WHERE c.no > @sent AND ${isJudgement('c')})
         AND e.id NOT IN (SELECT c.event_id FROM uplink_parked p JOIN changes c ON c.no = p.origin_id
           WHERE p.channel = 'verdicts' AND p.state = 'parked' AND ${isJudgement('c')})
         AND NOT EXISTS (SELECT 1 FROM evidence_jobs j WHERE j.event_id = e.id AND j.state = 'pending')
         AND NOT EXISTS (SELECT 1 FROM tasks t JOIN changes w ON w.kind = 'task' AND w.subject_id = t.id
           WHERE t.event_id = e.id AND ${isUnsent('w')})
         AND NOT EXISTS (SELECT 1 FROM incident_members m JOIN changes w ON w.kind = 'group'
           AND w.subject_id = m.incident_id WHERE m.event_id = e.id AND ${isUnsent('w')})
         AND NOT EXISTS (SELECT 1 FROM changes w WHERE w.kind = 'feedback' AND w.subject_id = e.id
           AND ${isUnsent('w')})
       ORDER BY id LIMIT @limit`;
  return {
    state: sqlite.prepare<[], string>("SELECT state FROM disk WHERE name = 'all'").pluck(),
    setState: sqlite.prepare<[string]>(
      "INSERT INTO disk (name, state) VALUES ('all', ?) ON CONFLICT (name) DO UPDATE SET state = " +
        'excluded.state',
    ),
    evidenceCount: sqlite.prepare<[], number>('SELECT count(*) FROM evidence_files').pluck(),
    /** Event whose files somebody waits for, or headquarters does not hold, or was not told to be lost. */
    firstNeeded: sqlite
      .prepare<[], number | null>(
        `SELECT min(event_id) FROM (
          SELECT min(event_id) AS event_id FROM evidence_jobs WHERE state = 'pending'
          UNION ALL SELECT min(f.event_id) FROM evidence_files f WHERE ${isOnlyHere('f')}
          UNION ALL SELECT min(event_id) FROM evidence_gone WHERE told = 0)`,
      )
      .pluck(),
    stretch: sqlite.prepare<[number, number, number], { rows: number; last: number | null }>(
      'SELECT count(*) AS rows, max(id) AS last FROM (SELECT id FROM events WHERE id > ? AND id <= ? ' +
        'ORDER BY id LIMIT ?)',
    ),
    evidence: sqlite.prepare<[number, number], EvidenceRecord>(
      `SELECT tenant_code AS tenantCode, event_id AS eventId, name, size, sha256, stored_at AS storedAt
        FROM evidence_files f
       WHERE event_id <= ? AND f.held_by = ${HUB} AND ${notParked('f.event_id')} AND ${unawaited}
       ORDER BY event_id, name LIMIT ?`,
    ),
    onlyHere: sqlite.prepare<[number, number], EvidenceRecord>(
      `SELECT f.tenant_code AS tenantCode, f.event_id AS eventId, f.name, f.size, f.sha256,
        f.stored_at AS storedAt FROM evidence_files f JOIN events e ON e.id = f.event_id
       WHERE f.event_id <= ? AND ${isOnlyHere('f')} AND ${notParked('f.event_id')} AND ${unawaited}
       ORDER BY ${worth('e')}, f.event_id, f.name LIMIT ?`,
    ),
    offer: sqlite.prepare<[]>(
      `INSERT INTO uplink_offers (event_id, name) SELECT f.event_id, f.name FROM evidence_files f
       WHERE ${isOnlyHere('f')} AND f.offered_to IS NOT ${HUB} ON CONFLICT DO NOTHING`,
    ),
    named: sqlite
      .prepare<[number, string], number>('SELECT 1 FROM evidence_files WHERE event_id = ? AND sha256 = ?')
      .pluck(),
    dropEvidence: sqlite.prepare<[number, string]>(
      `DELETE FROM evidence_files WHERE event_id = ? AND name = ?
         AND NOT EXISTS (SELECT 1 FROM evidence_jobs j WHERE j.event_id = evidence_files.event_id
           AND j.name = evidence_files.name AND j.state = 'pending')`,
    ),
    gone: sqlite.prepare<[number, string, number, number]>(
      'INSERT INTO evidence_gone (event_id, name, at, told) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE ' +
        'SET at = excluded.at, told = excluded.told',
    ),
    unheld: sqlite.prepare<[UnheldBounds], UnheldRow>(unheld('')),
    unheldOfKind: sqlite.prepare<[UnheldBounds & { kind: EventKind }], UnheldRow>(unheld('AND kind = @kind')),
    dropEvent: sqlite.prepare<[number]>('DELETE FROM events WHERE id = ?'),
    dropVerdict: sqlite.prepare<[number]>('DELETE FROM verdicts WHERE event_id = ?'),
    dropCorrections: sqlite.prepare<[number]>('DELETE FROM corrections WHERE event_id = ?'),
  };
}
