import type Database from 'better-sqlite3';
import type { Stamp } from '../../../common/clock.ts';
import type { EventKind, Severity } from '../../../common/core/event/schema.ts';
import type { EvidenceRecord } from '../../../common/core/evidence/port.ts';
import { lossesOf } from '../../../common/core/retention/decide.ts';
import type { SubscriptionRecord } from '../../../common/core/subscription/port.ts';
import { emptyDisk, withShed, type DiskState } from '../../retention/budget.ts';
import type { DropApart, ShedPort } from '../../retention/port.ts';
import type { SiteAudit } from '../port/audit.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import type { ForgottenKeys } from '../key-index/key-index.ts';
import type { SiteRetention } from './retention.ts';
import type { SiteUplink } from '../port/uplink.ts';

export interface ShedParts {
  group: GroupCommit;
  forgotten: ForgottenKeys;
  uplink: SiteUplink;
  audit: SiteAudit;
  retention: SiteRetention;
  subscriptions: () => SubscriptionRecord[];
  onForget: (eventIds: readonly number[]) => void;
  /** Events that are kept. */
  countEvents: () => number;
}

/**
 * Events that a slice of observations looks at: in a store without observations it must not read everything
 * at once.
 */
const LOOK_ROWS = 2_000;

/** The ladder of a short disk on SQLite. */
export class SiteShed implements ShedPort {
  #parts: ShedParts;
  #sql: ReturnType<typeof prepare>;

  constructor(parts: ShedParts) {
    this.#parts = parts;
    this.#sql = prepare(parts.group.sqlite);
  }

  state(): DiskState {
    const text = this.#sql.state.get();
    return text === undefined
      ? emptyDisk
      : { ...emptyDisk, ...{ told: null, ...(JSON.parse(text) as Partial<DiskState>) } };
  }

  change(change: (state: DiskState) => DiskState): Promise<void> {
    return this.#parts.group.write(() => this.#set(change(this.state())));
  }

  #set(state: DiskState): void {
    this.#sql.setState.run(JSON.stringify(state));
  }

  kept(): { evidence: number; events: number } {
    return { evidence: this.#sql.evidenceCount.get() ?? 0, events: this.#parts.countEvents() };
  }

  evidence(limit: number): EvidenceRecord[] {
    return this.#sql.evidence.all(this.#sentUpto(), limit);
  }

  async forgetEvidence(
    records: readonly EvidenceRecord[],
    now: number,
  ): Promise<{ dropped: number; files: EvidenceRecord[] }> {
    if (records.length === 0) return { dropped: 0, files: [] };
    return this.#parts.group.write(() => {
      const gone = records.filter(
        ({ eventId, name }) => this.#sql.dropEvidence.run(eventId, name).changes > 0,
      );
      for (const { eventId, name } of gone) this.#sql.gone.run(eventId, name, now);
      const evidenceBytes = gone.reduce((sum, { size }) => sum + size, 0);
      this.#parts.retention.note({ events: null, counts: { evidence: gone.length }, lost: {} }, now);
      this.#set(withShed(this.state(), { evidence: gone.length, evidenceBytes }));
      return {
        dropped: gone.length,
        files: gone.filter(({ eventId, sha256 }) => this.#sql.named.get(eventId, sha256) === undefined),
      };
    });
  }

  dropApart(command: DropApart): Promise<{ ids: number[]; next: number | null }> {
    return this.#parts.group.write(() => this.#dropApart(command));
  }

  #dropApart({ observationsOnly, after, limit, now }: DropApart): { ids: number[]; next: number | null } {
    const { forgotten, retention, subscriptions, onForget } = this.#parts;
    const stretch = this.#sql.stretch.get(after, this.#sentUpto(), LOOK_ROWS) ?? { rows: 0, last: null };
    if (stretch.last === null) return { ids: [], next: null };
    const rows = this.#unheld({
      after,
      upto: stretch.last,
      limit,
      kind: observationsOnly ? 'observation' : null,
    });
    const counts = { events: rows.length, verdicts: 0, corrections: 0 };
    for (const { id, tenant, idempotencyKey } of rows) {
      forgotten.add(id, tenant, idempotencyKey);
      this.#sql.dropEvent.run(id);
      counts.verdicts += this.#sql.dropVerdict.run(id).changes;
      counts.corrections += this.#sql.dropCorrections.run(id).changes;
    }
    const ids = rows.map(({ id }) => id);
    const newest = rows.at(-1);
    const next =
      rows.length < limit ? (stretch.rows < LOOK_ROWS ? null : stretch.last) : (newest?.id ?? null);
    if (newest === undefined) return { ids, next };
    retention.goOnAfter(newest);
    const gone = rows.map((row) => ({
      id: row.id,
      receivedAt: row.receivedAt,
      tenantCode: row.tenant,
      type: row.type,
      severity: row.severity,
      isTest: row.test === 1,
      bytes: 0,
    }));
    onForget(ids);
    retention.note({ events: null, counts, lost: lossesOf(gone, subscriptions()) }, now);
    const observations = rows.filter(({ kind }) => kind === 'observation').length;
    this.#set(withShed(this.state(), { observations, events: rows.length - observations }));
    return { ids, next };
  }

  /** @param kind null for every kind */
  #unheld({
    kind,
    ...bounds
  }: {
    after: number;
    upto: number;
    limit: number;
    kind: EventKind | null;
  }): UnheldRow[] {
    const unsentSince =
      this.#sql.changedAfter.get(this.#parts.uplink.channel('verdicts').cursor) ?? Number.MAX_SAFE_INTEGER;
    return kind === null
      ? this.#sql.unheld.all({ ...bounds, unsentSince })
      : this.#sql.unheldOfKind.all({ ...bounds, unsentSince, kind });
  }

  dropEvents(limit: number, now: number): Promise<number> {
    return this.#parts.group.write(() => {
      const awaited = this.#sql.firstAwaited.get() ?? null;
      const upto = awaited === null ? Number.MAX_SAFE_INTEGER : awaited - 1;
      const { counts } = this.#parts.retention.drop({
        before: Number.MAX_SAFE_INTEGER,
        upto,
        limit,
        holdUnsent: true,
        now,
      });
      const events = counts.events ?? 0;
      if (events > 0) this.#set(withShed(this.state(), { events }));
      return events;
    });
  }

  confirm(by: { actor: string; note: string | null }, stamp: Stamp): Promise<boolean> {
    return this.#parts.group.write(() => {
      const state = this.state();
      const { episode } = state;
      if (state.guardSince === null || episode === null) return false;
      const after: DiskState = {
        ...state,
        guardSince: null,
        episode: { ...episode, allowed: episode.allowed + 1 },
      };
      this.#set(after);
      this.#parts.audit.insert({
        id: stamp.newId(),
        at: stamp.now,
        actor: by.actor,
        action: 'disk.sweep_confirmed',
        subject: 'disk',
        tenantCode: null,
        before: episode,
        after: { ...after.episode, note: by.note },
      });
      return true;
    });
  }

  /** Events up to here are held by headquarters. Parked ones are told apart by the statements. */
  #sentUpto(): number {
    return this.#parts.uplink.channel('events').cursor;
  }
}

interface UnheldRow {
  id: number;
  kind: EventKind;
  tenant: string;
  type: string;
  severity: Severity | null;
  idempotencyKey: string;
  receivedAt: number;
  test: number;
}

function prepare(sqlite: Database.Database) {
  const notParked = (id: string): string =>
    `NOT EXISTS (SELECT 1 FROM uplink_parked p WHERE p.channel = 'events' AND p.origin_id = ${id} AND ` +
    `p.state = 'parked')`;
  const unheld = (
    more: string,
  ): string => `SELECT id, kind, tenant_code AS tenant, type, severity, idempotency_key AS idempotencyKey,
    received_at AS receivedAt, is_test AS test FROM events e
       WHERE id > @after AND id <= @upto ${more} AND ${notParked('e.id')}
         AND NOT EXISTS (SELECT 1 FROM evidence_files f WHERE f.event_id = e.id)
         AND NOT EXISTS (SELECT 1 FROM verdicts v WHERE v.event_id = e.id AND v.at >= @unsentSince)
         AND NOT EXISTS (SELECT 1 FROM corrections c WHERE c.event_id = e.id AND c.at >= @unsentSince)
         AND e.id NOT IN (SELECT c.event_id FROM uplink_parked p JOIN verdict_changes c
           ON c.change_no = p.origin_id WHERE p.channel = 'verdicts' AND p.state = 'parked')
         AND NOT EXISTS (SELECT 1 FROM evidence_jobs j WHERE j.event_id = e.id AND j.state = 'pending')
       ORDER BY id LIMIT @limit`;
  return {
    state: sqlite.prepare<[], string>("SELECT state FROM disk WHERE name = 'all'").pluck(),
    setState: sqlite.prepare<[string]>(
      "INSERT INTO disk (name, state) VALUES ('all', ?) ON CONFLICT (name) DO UPDATE SET state = " +
        'excluded.state',
    ),
    evidenceCount: sqlite.prepare<[], number>('SELECT count(*) FROM evidence_files').pluck(),
    firstAwaited: sqlite
      .prepare<[], number | null>("SELECT min(event_id) FROM evidence_jobs WHERE state = 'pending'")
      .pluck(),
    stretch: sqlite.prepare<[number, number, number], { rows: number; last: number | null }>(
      'SELECT count(*) AS rows, max(id) AS last FROM (SELECT id FROM events WHERE id > ? AND id <= ? ' +
        'ORDER BY id LIMIT ?)',
    ),
    evidence: sqlite.prepare<[number, number], EvidenceRecord>(
      `SELECT tenant_code AS tenantCode, event_id AS eventId, name, size, sha256, stored_at AS storedAt
        FROM evidence_files f
       WHERE event_id <= ? AND ${notParked('f.event_id')}
         AND NOT EXISTS (SELECT 1 FROM evidence_jobs j WHERE j.event_id = f.event_id AND j.name = f.name
           AND j.state = 'pending')
       ORDER BY event_id, name LIMIT ?`,
    ),
    named: sqlite
      .prepare<[number, string], number>('SELECT 1 FROM evidence_files WHERE event_id = ? AND sha256 = ?')
      .pluck(),
    dropEvidence: sqlite.prepare<[number, string]>(
      `DELETE FROM evidence_files WHERE event_id = ? AND name = ?
         AND NOT EXISTS (SELECT 1 FROM evidence_jobs j WHERE j.event_id = evidence_files.event_id
           AND j.name = evidence_files.name AND j.state = 'pending')`,
    ),
    gone: sqlite.prepare<[number, string, number]>(
      'INSERT INTO evidence_gone (event_id, name, at, told) VALUES (?, ?, ?, 0) ON CONFLICT DO UPDATE ' +
        'SET at = excluded.at, told = 0',
    ),
    changedAfter: sqlite
      .prepare<[number], number>(
        'SELECT at FROM verdict_changes WHERE change_no > ? ORDER BY change_no LIMIT 1',
      )
      .pluck(),
    unheld: sqlite.prepare<[{ after: number; upto: number; unsentSince: number; limit: number }], UnheldRow>(
      unheld(''),
    ),
    unheldOfKind: sqlite.prepare<
      [{ after: number; upto: number; kind: EventKind; unsentSince: number; limit: number }],
      UnheldRow
    >(unheld('AND kind = @kind')),
    dropEvent: sqlite.prepare<[number]>('DELETE FROM events WHERE id = ?'),
    dropVerdict: sqlite.prepare<[number]>('DELETE FROM verdicts WHERE event_id = ?'),
    dropCorrections: sqlite.prepare<[number]>('DELETE FROM corrections WHERE event_id = ?'),
  };
}
