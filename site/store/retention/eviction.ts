import type { Stamp } from '../../../common/clock.ts';
import type { EventKind } from '../../../common/core/event/schema.ts';
import type { EvidenceRecord } from '../../../common/core/evidence/port.ts';
import { lossesOf } from '../../../common/core/retention/decide.ts';
import { type DiskState, emptyDisk, withEvicted } from '../../retention/budget.ts';
import type { DropApart, EvictionPort } from '../../retention/port.ts';
import type { SiteAudit } from '../adapter/audit.ts';
import type { SiteSubscriptions } from '../adapter/subscription.ts';
import type { SiteUplink } from '../adapter/uplink/uplink.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import type { EventIndex } from '../event-index/event-index.ts';
import type { EventDeletion } from './deletion.ts';
import { prepareEviction, type UnheldRow } from './eviction-statements.ts';
import type { SiteRetention } from './retention.ts';

/** Events that one slice looks at: where few of them may go, it must not read the whole store at once. */
const LOOK_ROWS = 2_000;

/** Eviction of what headquarters holds, for a disk that runs short, on SQLite. */
export class SiteEviction implements EvictionPort {
  #group: GroupCommit;
  #deletion: EventDeletion;
  #index: EventIndex;
  #uplink: SiteUplink;
  #audit: SiteAudit;
  #retention: SiteRetention;
  #subscriptions: SiteSubscriptions;
  #sql: ReturnType<typeof prepareEviction>;

  constructor(
    group: GroupCommit,
    deletion: EventDeletion,
    index: EventIndex,
    retention: SiteRetention,
    uplink: SiteUplink,
    subscriptions: SiteSubscriptions,
    audit: SiteAudit,
  ) {
    this.#group = group;
    this.#deletion = deletion;
    this.#index = index;
    this.#uplink = uplink;
    this.#audit = audit;
    this.#retention = retention;
    this.#subscriptions = subscriptions;
    this.#sql = prepareEviction(group.sqlite);
  }

  state(): DiskState {
    const text = this.#sql.state.get();
    return text === undefined ? emptyDisk : { ...emptyDisk, ...(JSON.parse(text) as Partial<DiskState>) };
  }

  change(change: (state: DiskState) => DiskState): Promise<void> {
    return this.#group.write(() => this.#set(change(this.state())));
  }

  #set(state: DiskState): void {
    this.#sql.setState.run(JSON.stringify(state));
  }

  kept(): { evidence: number; events: number } {
    return { evidence: this.#sql.evidenceCount.get() ?? 0, events: this.#index.count() };
  }

  evidence(limit: number): EvidenceRecord[] {
    return this.#sql.evidence.all(this.#sentThrough(), limit);
  }

  onlyHere(limit: number): EvidenceRecord[] {
    return this.#sql.onlyHere.all(this.#sentThrough(), limit);
  }

  offerAll(): Promise<number> {
    return this.#group.write(() => this.#sql.offer.run().changes);
  }

  async forgetEvidence(
    records: readonly EvidenceRecord[],
    now: number,
    kind: 'evidence' | 'lost',
  ): Promise<{ dropped: number; files: EvidenceRecord[] }> {
    if (records.length === 0) return { dropped: 0, files: [] };
    return this.#group.write(() => {
      const gone = records.filter(
        ({ eventId, name }) => this.#sql.dropEvidence.run(eventId, name).changes > 0,
      );
      // Of what it holds headquarters needs not be told.
      const told = kind === 'lost' ? 0 : 1;
      for (const { eventId, name } of gone) this.#sql.gone.run(eventId, name, now, told);
      const bytes = gone.reduce((sum, { size }) => sum + size, 0);
      this.#retention.note({ events: null, counts: { evidence: gone.length }, lost: {} }, now);
      this.#set(withEvicted(this.state(), { [kind]: gone.length, [`${kind}Bytes`]: bytes }));
      return {
        dropped: gone.length,
        files: gone.filter(({ eventId, sha256 }) => this.#sql.named.get(eventId, sha256) === undefined),
      };
    });
  }

  dropApart(command: DropApart): Promise<{ ids: number[]; next: number | null }> {
    return this.#group.write(() => this.#dropApart(command));
  }

  #dropApart({ observationsOnly, after, limit, now }: DropApart): { ids: number[]; next: number | null } {
    const stretch = this.#sql.stretch.get(after, this.#sentThrough(), LOOK_ROWS) ?? { rows: 0, last: null };
    if (stretch.last === null) return { ids: [], next: null };
    const rows = this.#unheld({
      after,
      through: stretch.last,
      limit,
      kind: observationsOnly ? 'observation' : null,
    });
    const counts = { events: rows.length, verdicts: 0, corrections: 0 };
    for (const { id } of rows) {
      this.#sql.dropEvent.run(id);
      counts.verdicts += this.#sql.dropVerdict.run(id).changes;
      counts.corrections += this.#sql.dropCorrections.run(id).changes;
    }
    const ids = rows.map(({ id }) => id);
    const newest = rows.at(-1);
    const next =
      rows.length < limit ? (stretch.rows < LOOK_ROWS ? null : stretch.last) : (newest?.id ?? null);
    if (newest === undefined) return { ids, next };
    this.#deletion.note(rows);
    const gone = rows.map((row) => ({ ...row, isTest: row.test === 1, bytes: 0 }));
    this.#retention.note({ events: null, counts, lost: lossesOf(gone, this.#subscriptions.all()) }, now);
    const observations = rows.filter(({ kind }) => kind === 'observation').length;
    this.#set(withEvicted(this.state(), { observations, events: rows.length - observations }));
    return { ids, next };
  }

  /** @param kind null for every kind */
  #unheld({
    kind,
    ...bounds
  }: {
    after: number;
    through: number;
    limit: number;
    kind: EventKind | null;
  }): UnheldRow[] {
    const sent = this.#uplink.channel('verdicts').cursor;
    return kind === null
      ? this.#sql.unheld.all({ ...bounds, sent })
      : this.#sql.unheldOfKind.all({ ...bounds, sent, kind });
  }

  dropEvents(limit: number, now: number): Promise<number> {
    return this.#group.write(() => {
      const needed = this.#sql.firstNeeded.get() ?? null;
      const through = needed === null ? Number.MAX_SAFE_INTEGER : needed - 1;
      const { counts } = this.#retention.drop({
        before: Number.MAX_SAFE_INTEGER,
        through,
        limit,
        holdUnsent: true,
        now,
      });
      const events = counts.events ?? 0;
      if (events > 0) this.#set(withEvicted(this.state(), { events }));
      return events;
    });
  }

  confirm(by: { actor: string; note: string | null }, stamp: Stamp): Promise<boolean> {
    return this.#group.write(() => {
      const state = this.state();
      const { episode } = state;
      if (state.guardSince === null || episode === null) return false;
      const after: DiskState = {
        ...state,
        guardSince: null,
        episode: { ...episode, allowed: episode.allowed + 1 },
      };
      this.#set(after);
      this.#audit.insert({
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

  /** Headquarters has received the events up to here; the statements leave out those that it refused. */
  #sentThrough(): number {
    return this.#uplink.channel('events').cursor;
  }
}
