import type Database from 'better-sqlite3';
import type { EvidenceJobState } from '../../../../common/core/evidence/port.ts';
import type {
  EvidenceBacklog,
  NamedFile,
  PreviewedFile,
  ReadyFile,
  SiteWant,
} from '../../../uplink/evidence/port.ts';
import { HUB, worth } from '../../retention/eviction-statements.ts';

export interface WantRow {
  id: string;
  kind: SiteWant['kind'];
  state: SiteWant['state'];
  reason: string | null;
  at: number | null;
  told: string | null;
  here: number;
  jobState: EvidenceJobState | null;
  jobError: string | null;
}

/** Of no tenant of a list. */
const others = (table: string): string => `${table}.tenant_code NOT IN (SELECT value FROM json_each(?))`;

/** Statements of `SiteEvidenceWants`. */
export function prepareWants(sqlite: Database.Database) {
  const file = 'LEFT JOIN evidence_files f ON f.event_id = w.event_id AND f.name = w.name';
  const named = `e.id AS eventId, e.tenant_code AS tenantCode, e.idempotency_key AS eventKey`;
  return {
    add: sqlite.prepare<[Omit<SiteWant, 'offered'> & { offered: 0 | 1 }]>(
      `INSERT INTO uplink_wants (id, kind, tenant_code, event_id, event_key, name, offered, asked_at, state,
         reason, at, told)
       VALUES (@id, @kind, @tenantCode, @eventId, @eventKey, @name, @offered, @askedAt, @state, @reason, @at,
         @told) ON CONFLICT DO NOTHING`,
    ),
    untell: sqlite.prepare<[string]>('UPDATE uplink_wants SET told = NULL WHERE id = ?'),
    ready: sqlite.prepare<[string, number], Omit<ReadyFile, 'offered'> & { offered: 0 | 1 }>(
      `SELECT w.id, w.tenant_code AS tenantCode, w.event_id AS eventId, w.name, f.size, f.sha256, w.offered
       FROM uplink_wants w
         JOIN evidence_files f ON f.event_id = w.event_id AND f.name = w.name
         LEFT JOIN events e ON e.id = w.event_id
       WHERE w.kind = 'keep' AND w.state = 'open' AND ${others('w')}
       ORDER BY w.offered, CASE WHEN w.offered THEN -(${worth('e')}) END, w.asked_at, w.id LIMIT ?`,
    ),
    previewed: sqlite.prepare<[number, string], PreviewedFile>(
      `SELECT ${named}, p.name, f.size, f.sha256 FROM uplink_previews p JOIN events e ON e.id = p.event_id
         JOIN evidence_files f ON f.event_id = p.event_id AND f.name = p.name
       WHERE p.event_id <= ? AND ${others('e')}
       ORDER BY ${worth('e')} DESC, p.event_id, p.name LIMIT 1`,
    ),
    previewSettled: sqlite.prepare<[number, string]>(
      'DELETE FROM uplink_previews WHERE event_id = ? AND name = ?',
    ),
    previewLost: sqlite.prepare<[]>(
      `DELETE FROM uplink_previews WHERE NOT EXISTS (SELECT 1 FROM evidence_files f
         WHERE f.event_id = uplink_previews.event_id AND f.name = uplink_previews.name)`,
    ),
    previewsWaiting: sqlite.prepare<[], number>('SELECT count(*) FROM uplink_previews').pluck(),
    lost: sqlite.prepare<[], { id: string; kind: SiteWant['kind']; at: number | null }>(
      `SELECT w.id, w.kind, g.at FROM uplink_wants w
         LEFT JOIN evidence_gone g ON g.event_id = w.event_id AND g.name = w.name
         LEFT JOIN evidence_jobs j ON j.id = w.id
       WHERE w.state = 'open' AND (w.kind = 'keep' OR j.state = 'pending')
         AND NOT EXISTS (SELECT 1 FROM evidence_files f WHERE f.event_id = w.event_id AND f.name = w.name)
         AND (g.at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM events e WHERE e.id = w.event_id))`,
    ),
    settle: sqlite.prepare<[string, string, number | null, string]>(
      "UPDATE uplink_wants SET state = ?, reason = ?, at = ? WHERE id = ? AND state = 'open'",
    ),
    failJob: sqlite.prepare<[string, number, string]>(
      "UPDATE evidence_jobs SET state = 'failed', last_error = ?, access = NULL, settled_at = ? " +
        "WHERE id = ? AND state = 'pending'",
    ),
    end: sqlite.prepare<[string]>('DELETE FROM uplink_wants WHERE id = ?'),
    wants: sqlite.prepare<[], WantRow>(
      `SELECT w.id, w.kind, w.state, w.reason, w.at, w.told, f.name IS NOT NULL AS here,
         j.state AS jobState, j.last_error AS jobError
       FROM uplink_wants w ${file} LEFT JOIN evidence_jobs j ON w.kind = 'put' AND j.id = w.id`,
    ),
    told: sqlite.prepare<[string, string]>('UPDATE uplink_wants SET told = ? WHERE id = ?'),
    offers: sqlite.prepare<[number, number], NamedFile>(
      `SELECT ${named}, o.name FROM uplink_offers o JOIN events e ON e.id = o.event_id
       WHERE o.event_id <= ? ORDER BY ${worth('e')} DESC, o.event_id, o.name LIMIT ?`,
    ),
    offeredTo: sqlite.prepare<[number, string]>(
      `UPDATE evidence_files SET offered_to = ${HUB} WHERE event_id = ? AND name = ?`,
    ),
    held: sqlite.prepare<[string]>(
      `UPDATE evidence_files SET held_by = ${HUB} WHERE (event_id, name) IN (SELECT event_id, name
         FROM uplink_wants WHERE id = ? AND kind = 'keep')`,
    ),
    heldByKey: sqlite.prepare<[string, string, string]>(
      `UPDATE evidence_files SET held_by = ${HUB} WHERE event_id IN (SELECT id FROM events
         WHERE tenant_code = ? AND idempotency_key = ?) AND name = ?`,
    ),
    offered: sqlite.prepare<[number, string]>('DELETE FROM uplink_offers WHERE event_id = ? AND name = ?'),
    gone: sqlite.prepare<[number, number], NamedFile & { at: number }>(
      `SELECT ${named}, g.name, g.at FROM evidence_gone g JOIN events e ON e.id = g.event_id
       WHERE g.told = 0 AND g.event_id <= ? ORDER BY g.event_id LIMIT ?`,
    ),
    goneTold: sqlite.prepare<[number, string]>(
      'UPDATE evidence_gone SET told = 1 WHERE event_id = ? AND name = ?',
    ),
    goneWithEvent: sqlite.prepare<[]>(
      'DELETE FROM evidence_gone WHERE event_id < (SELECT min(id) FROM events)',
    ),
    wanted: sqlite.prepare<[], EvidenceBacklog>(
      `SELECT count(CASE WHEN w.kind = 'keep' AND f.name IS NOT NULL THEN 1 END) AS files,
         coalesce(sum(CASE WHEN w.kind = 'keep' THEN f.size END), 0) AS bytes,
         min(CASE WHEN w.kind = 'keep' AND f.name IS NOT NULL THEN w.asked_at END) AS oldestAt,
         count(CASE WHEN w.kind = 'keep' AND f.name IS NULL THEN 1 END) AS awaited,
         count(CASE WHEN w.kind = 'put' THEN 1 END) AS orders
       FROM uplink_wants w ${file} WHERE w.state = 'open'`,
    ),
    offering: sqlite.prepare<[], { files: number; bytes: number }>(
      `SELECT count(*) AS files, coalesce(sum(f.size), 0) AS bytes FROM uplink_offers o
         JOIN evidence_files f ON f.event_id = o.event_id AND f.name = o.name`,
    ),
    firstOffered: sqlite.prepare<[], { at: number }>(
      `SELECT e.received_at AS at FROM uplink_offers o JOIN events e ON e.id = o.event_id
         JOIN evidence_files f ON f.event_id = o.event_id AND f.name = o.name
       ORDER BY o.event_id LIMIT 1`,
    ),
  };
}
