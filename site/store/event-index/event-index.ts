/**
 * Carries out the index of events (common/core/event/index) in SQLite: it knows the events up to meta
 * `index_events_upto`, with the verdicts up to change number `index_changes_upto`. Nothing is written for it
 * at intake: once enough events, or verdicts, are durable beyond these marks, a loop takes them in bulk. What
 * lies beyond the marks is small, and is read from the rows. Invariants:
 *  - facts, counts and mark are moved by one transaction, which reads the verdicts itself;
 *  - one round runs at a time, so that no change is passed over whose event is about to be taken;
 *  - readers take the marks with whatever they do not read event by event as of one moment, between two
 *    transactions.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { factsOf } from '../../../common/core/event/facts.ts';
import { type Entry, type IndexedColumns, newEntry } from '../../../common/core/event/index/entry.ts';
import type { DocFacts } from '../../../common/core/event/record.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import type { HighWaterMark } from '../engine/high-water-mark.ts';
import type { Meta } from '../engine/meta.ts';
import { BACKGROUND_SLICE_MS, SLICE_MS, Slices } from '../engine/slices.ts';
import type { DurabilityParticipant } from '../engine/sync.ts';
import type { TransactionParticipant } from '../engine/transaction.ts';
import { FreshEntries } from './fresh.ts';
import { IndexTables } from './tables.ts';

export interface EventIndexLimits {
  /** Events, and verdict changes, that begin a round; one write takes so many. */
  events: number;
  changes: number;
  /** Newest ids that a list looks at row by row, since most lists are filled by them. */
  probe: number;
}

export const defaultIndexLimits: EventIndexLimits = { events: 512, changes: 128, probe: 500 };

/** Rows read at a time: even with the largest payloads they hold up the event loop for a moment only. */
const READ_ROWS = 32;
/** The loop is woken by what becomes durable. */
const INTERVAL_MS = 60_000;
/** Events beyond the mark at which the loop takes longer slices, in writes. */
const BEHIND = 16;

export interface EventIndexParts {
  group: GroupCommit;
  meta: Meta;
  /** Of the event ids. */
  events: HighWaterMark;
  /** Of the change numbers of verdicts. */
  changes: HighWaterMark;
  limits: EventIndexLimits;
  log: Logger;
}

/** The state of the index that a reader keeps to from its begin to its end. */
export interface Marks {
  /** Events up to this id are in the index, later ones only in their rows. */
  through: number;
  /** Newest durable event id. */
  head: number;
  /** Verdicts with larger change numbers may not be in the index. */
  changes: number;
}

export class EventIndex implements TransactionParticipant, DurabilityParticipant {
  readonly tables: IndexTables;
  readonly loop: Loop;
  readonly #parts: EventIndexParts;
  #fresh: FreshEntries;
  #through: number;
  #changes: number;
  #round: Promise<unknown> = Promise.resolve();
  #closed = false;
  /** Calls of `forget` so far: entries read before one may include deleted events. */
  #forgets = 0;
  /** Operations that may have changed counts so far, the open transaction's too. */
  #writes = 0;

  constructor(parts: EventIndexParts) {
    const { group, meta, events, changes, log } = parts;
    this.#parts = parts;
    this.tables = new IndexTables(group.sqlite);
    this.#fresh = new FreshEntries(events.durable);
    this.#through = meta.number('index_events_upto');
    // Events are taken with the verdicts that they have.
    this.#changes = this.#through === 0 ? changes.durable : meta.number('index_changes_upto');
    this.loop = new Loop({ name: 'event index', interval: INTERVAL_MS, log, round: () => this.round(false) });
  }

  /** While it stays the same, counts read in several turns of the event loop belong to one moment. */
  get writes(): number {
    return this.#writes;
  }

  get probe(): number {
    return this.#parts.limits.probe;
  }

  /** Events that are not in the index yet. */
  get pending(): number {
    return this.#parts.events.durable - this.#through;
  }

  marks(): Marks {
    const { meta, events } = this.#parts;
    const through = meta.number('index_events_upto');
    const changes = through === 0 ? this.#changes : meta.number('index_changes_upto');
    return { through, head: events.durable, changes };
  }

  /** Events that are kept: those of the index, and the rows beyond them. */
  count(): number {
    const { through } = this.marks();
    return this.#parts.meta.number('indexed_events') + this.tables.countAfter(through);
  }

  /** Retention has removed these events; to be called in its transaction. */
  forget(ids: readonly number[]): void {
    const { meta } = this.#parts;
    this.#forgets += 1;
    this.#writes += 1;
    this.#fresh.forget();
    const gone = this.tables.forget(ids);
    if (gone > 0) meta.set('indexed_events', meta.number('indexed_events') - gone);
  }

  /** An event of the open transaction. */
  added(columns: IndexedColumns, facts: DocFacts): void {
    this.#fresh.add(newEntry(columns, facts));
  }

  /** A savepoint: the state within the open transaction that can be restored. */
  mark(): number {
    return this.#fresh.mark();
  }

  undoTo(mark: number): void {
    this.#fresh.undoTo(mark);
  }

  committed(): void {
    this.#fresh.committed();
  }

  rolledBack(): void {
    this.#fresh.undoTo(0);
  }

  /** Wakes the loop once the sync has moved both high-water marks, which joined before. */
  syncBegins(): () => void {
    return () => {
      // After a failed round the loop waits out its backoff.
      if (this.loop.consecutiveFailures === 0 && this.#due()) this.loop.kick();
    };
  }

  /** Indexes what fills a write. @param everything verdict changes also if they are fewer */
  round(everything: boolean): Promise<RoundResult> {
    const round = this.#round.then(() => this.#take(everything));
    this.#round = round.catch(() => undefined); // the caller gets the error
    return round;
  }

  /** Indexes all full writes of events, and every verdict change. Resolves when they are durable. */
  async fill(): Promise<void> {
    while ((await this.round(true)).again);
  }

  /** Begins no further round, and waits for the one under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.loop.stop();
    await this.#round;
  }

  #due(): boolean {
    const { limits, changes } = this.#parts;
    return this.pending >= limits.events || changes.durable - this.#changes >= limits.changes;
  }

  async #take(everything: boolean): Promise<RoundResult> {
    await nextTurn();
    const { limits, changes } = this.#parts;
    if (!this.#closed && this.pending >= limits.events) await this.#takeEvents();
    const waiting = changes.durable - this.#changes;
    const worth = everything ? 1 : limits.changes;
    if (!this.#closed && waiting >= worth) await this.#takeChanges();
    return { again: !this.#closed && (this.#due() || (everything && changes.durable > this.#changes)) };
  }

  async #takeEvents(): Promise<void> {
    const { group, meta, limits, events } = this.#parts;
    const [highWaterMark, forgets] = [events.durable, this.#forgets];
    const entries =
      this.#fresh.take(this.#through, highWaterMark, limits.events) ?? (await this.#fromRows(highWaterMark));
    // Ids may have gaps, as after a new epoch: then fewer entries reach up to the high-water mark.
    const through = entries.length === limits.events ? (entries.at(-1)?.id ?? highWaterMark) : highWaterMark;
    const keep = await group.write(() => {
      if (this.#closed || this.#forgets !== forgets) return null;
      this.#writes += 1;
      const judged = this.tables.judged(entries[0]?.id ?? highWaterMark, through);
      const keepNumbers = this.tables.write(
        entries.map((entry) => judged.get(entry.id) ?? entry),
        [],
      );
      meta.set('index_events_upto', through);
      meta.set('index_changes_upto', this.#changes);
      meta.set('indexed_events', meta.number('indexed_events') + entries.length);
      return keepNumbers;
    });
    if (keep === null) return this.#fresh.distrust();
    keep();
    this.#through = through;
  }

  async #fromRows(highWaterMark: number): Promise<Entry[]> {
    const { limits } = this.#parts;
    const sliceMs = this.pending > BEHIND * limits.events ? SLICE_MS : BACKGROUND_SLICE_MS;
    const slices = new Slices(() => performance.now(), { sliceMs });
    const entries: Entry[] = [];
    for (let after = this.#through; entries.length < limits.events && !this.#closed;) {
      const limit = Math.min(READ_ROWS, limits.events - entries.length);
      const rows = this.tables.rows(after, highWaterMark, limit);
      for (const row of rows) entries.push(newEntry(row, factsOf(row)));
      if (rows.length < limit) break;
      after = entries.at(-1)?.id ?? highWaterMark;
      await slices.step();
    }
    return entries;
  }

  /** Takes changes in their order. */
  async #takeChanges(): Promise<void> {
    const { group, meta, changes, limits } = this.#parts;
    const { through, keep } = await group.write(() => {
      this.#writes += 1;
      const rows = this.tables.changes(this.#changes, changes.durable, limits.changes);
      // Numbers without a change of their own are those that retention has removed.
      const last =
        rows.length === limits.changes ? (rows.at(-1)?.changeNo ?? changes.durable) : changes.durable;
      const keepNumbers = this.tables.write([], this.tables.rejudgedBy(rows));
      meta.set('index_changes_upto', last);
      return { through: last, keep: keepNumbers };
    });
    keep();
    this.#changes = through;
  }
}
