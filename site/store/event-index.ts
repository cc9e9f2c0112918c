/**
 * The blocks of events up to meta `blocks_upto`, with the verdicts up to change number `block_changes_upto`.
 * Nothing is written for them at intake: once enough events, or verdicts, are durable beyond these marks, they are
 * taken in bulk, in slices on the main thread. What lies beyond the marks is small, and is read from the rows.
 * Nothing but numbers of groups, and of the newest events what a block holds of them, is in memory between requests.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { factsOf } from '../../common/core/event/facts.ts';
import type { DocFacts, Judged } from '../../common/core/event/record.ts';
import type { VerdictValue } from '../../common/core/verdict/schema.ts';
import type { Logger } from '../../common/log.ts';
import { BlockDraft, type DraftRow } from './block-draft.ts';
import { BlockGroups } from './block-groups.ts';
import { BlockTable, type Block, type Judgement } from './block-table.ts';
import type { GroupCommit, Participant } from './database.ts';
import type { Dictionary } from './dictionary.ts';
import { MAX_POSITIONS } from './event-block.ts';
import { FreshBlocks } from './fresh-blocks.ts';
import type { Meta } from './meta.ts';
import { BACKGROUND_SLICE_MS, SLICE_MS, Slices } from './slices.ts';

export interface EventIndexLimits {
  /** Events of a block, at most 16,000. */
  positions: number;
  /** Verdict changes that are worth a write. */
  changes: number;
  /** Newest ids that a list looks at row by row, since most lists are filled by them. */
  probe: number;
}

export const defaultIndexLimits: EventIndexLimits = { positions: 4_000, changes: 256, probe: 500 };

/** Rows read at a time: with the largest payloads a moment's work still. */
const READ_ROWS = 32;
/** Changes written by one operation, and blocks that it rewrites for them. */
const WRITE_CHANGES = 256;
const WRITE_BLOCKS = 16;
/** Changes that a reader takes at a time. */
const READ_CHANGES = 500;
const RETRY_MS = 5_000;
const MAX_KNOWN = 4_000;

export interface EventIndexParts {
  group: GroupCommit;
  meta: Meta;
  words: Dictionary;
  /** Newest durable event id. */
  events: { readonly head: number };
  /** Newest durable change number. */
  verdicts: { readonly head: number };
  limits: EventIndexLimits;
  log: Logger;
}

/** What a reader goes by from its begin to its end. */
export interface IndexView {
  /** Events up to this id are in blocks, later ones only in their rows. */
  upto: number;
  /** Newest durable event id. */
  head: number;
  probe: number;
  /** Reads the verdicts that the blocks may not know, by event id ascending. */
  late(slices: Slices): Promise<Judgement[]>;
}

export class EventIndex implements Participant {
  readonly groups: BlockGroups;
  readonly blocks: BlockTable;
  #parts: EventIndexParts;
  #sql: ReturnType<typeof prepare>;
  #upto: number;
  #changesUpto: number;
  #working: Promise<void> | null = null;
  #retryAt = -Infinity;
  #closed = false;
  /** Calls of `forget` so far: a block that was read before one may hold what is gone. */
  #forgets = 0;
  #fresh: FreshBlocks;
  /** Numbers of groups that are committed, by `textOf`. */
  #known = new Map<string, number>();

  constructor(parts: EventIndexParts) {
    if (parts.limits.positions > MAX_POSITIONS) throw new Error(`a block holds at most ${MAX_POSITIONS} events`);
    const { sqlite } = parts.group;
    this.#parts = parts;
    this.groups = new BlockGroups(sqlite, parts.words);
    this.blocks = new BlockTable(sqlite, this.groups);
    this.#sql = prepare(sqlite);
    this.#upto = parts.meta.number('blocks_upto');
    this.#changesUpto = parts.meta.number('block_changes_upto');
    this.#fresh = new FreshBlocks(parts.limits.positions, parts.events.head);
    this.#fresh.follow(this.#sql.firstAfter.get(this.#upto, parts.events.head) ?? parts.events.head + 1);
    parts.group.join(this);
  }

  /** Events that are in no block yet. */
  get pending(): number {
    return this.#parts.events.head - this.#upto;
  }

  view(): IndexView {
    const { events, limits } = this.#parts;
    const [upto, from] = [this.#upto, this.#changesUpto];
    return { upto, head: events.head, probe: limits.probe, late: (slices) => this.#late(from, upto, slices) };
  }

  async #late(from: number, eventsUpto: number, slices: Slices): Promise<Judgement[]> {
    const found = new Map<number, Judgement>();
    for (let after = from; ; ) {
      const rows = this.#sql.changes.all(after, READ_CHANGES);
      for (const row of rows) if (row.eventId <= eventsUpto && row.verdict !== null) found.set(row.eventId, judgementIn(row));
      after = rows.at(-1)?.changeNo ?? after;
      if (rows.length < READ_CHANGES) return [...found.values()].sort(byEvent);
      await slices.step();
    }
  }

  /** Events that are kept: those of the blocks, and the rows beyond them. */
  count(): number {
    return this.blocks.count(this.#upto) + (this.#sql.countAfter.get(this.#upto) ?? 0);
  }

  /** The last block that begins below `id`. */
  before(id: number): Block | null {
    return this.blocks.before(id);
  }

  /** Retention has removed these events; to be called in its transaction. */
  forget(ids: readonly number[]): void {
    this.#forgets += 1;
    if (ids.some((id) => id > this.#upto)) this.#fresh.clear();
    this.blocks.forget(ids);
  }

  /** An event of the open transaction. */
  added(row: DraftRow, facts: DocFacts): void {
    this.#fresh.add(row, facts);
  }

  /** A place in the open transaction to go back to. */
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

  syncing(): void {
    // The heads of events and verdicts tell what is durable.
  }

  durable(): void {
    if (performance.now() >= this.#retryAt) this.#work(false);
  }

  /** Takes whole blocks and every verdict change. Resolves when it is durable. */
  async fill(): Promise<void> {
    await this.#working;
    this.#work(true);
    await this.#working;
  }

  /** Nothing is begun any more; waits for what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#working;
  }

  #work(everything: boolean): void {
    if (this.#working || this.#closed || !(this.#due() || everything)) return;
    this.#working = this.#take(everything)
      .catch((error: unknown) => {
        this.#retryAt = performance.now() + RETRY_MS;
        this.#parts.log.warn({ err: error, retryInMs: RETRY_MS }, 'the event index could not be written');
      })
      .finally(() => (this.#working = null));
  }

  #due(): 'events' | 'changes' | null {
    const { limits, verdicts } = this.#parts;
    if (this.pending >= limits.positions) return 'events';
    return verdicts.head - this.#changesUpto >= limits.changes ? 'changes' : null;
  }

  async #take(everything: boolean): Promise<void> {
    await nextTurn();
    for (let due = this.#due(); due && !this.#closed; due = this.#due()) {
      if (due === 'events') await this.#takeBlock();
      else await this.#takeChanges();
    }
    while (everything && !this.#closed && this.#parts.verdicts.head > this.#changesUpto) await this.#takeChanges();
  }

  async #takeBlock(): Promise<void> {
    const { group, meta, limits, events } = this.#parts;
    const head = events.head;
    const first = this.#sql.firstAfter.get(this.#upto, head);
    // Ids that were left out when the store got a new epoch, or events that are gone again.
    const skipped = (first ?? head + 1) - 1;
    if (first === undefined || head - skipped < limits.positions) {
      await group.write(() => meta.set('blocks_upto', skipped));
      this.#endsAt(skipped);
      return;
    }
    const last = first + limits.positions - 1;
    const forgets = this.#forgets;
    const draft = await this.#draft(first, last);
    const written = await group.write(() => {
      if (draft === null || this.#forgets !== forgets) return false;
      this.blocks.insert(draft.seal(this.groups));
      meta.set('blocks_upto', last);
      return true;
    });
    if (written) this.#endsAt(last);
  }

  #endsAt(upto: number): void {
    this.#upto = upto;
    this.#fresh.follow(upto + 1);
  }

  /** @returns null when the store is being closed */
  async #draft(first: number, last: number): Promise<BlockDraft | null> {
    const behind = this.pending > 2 * this.#parts.limits.positions;
    const slices = new Slices(() => performance.now(), { sliceMs: behind ? SLICE_MS : BACKGROUND_SLICE_MS });
    const draft = this.#fresh.take(first, last) ?? (await this.#fromRows(first, last, slices));
    for (let after = first - 1; after < last && !this.#closed; ) {
      const verdicts = this.#sql.verdicts.all(after, last, READ_ROWS);
      for (const verdict of verdicts) draft.judge(judgementIn(verdict));
      after = verdicts.length < READ_ROWS ? last : (verdicts.at(-1)?.eventId ?? last);
      await slices.step();
    }
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    await draft.resolve(this.groups, this.#known, slices);
    return this.#closed ? null : draft;
  }

  async #fromRows(first: number, last: number, slices: Slices): Promise<BlockDraft> {
    const draft = new BlockDraft(first, last - first + 1);
    for (let after = first - 1; after < last && !this.#closed; ) {
      const rows = this.#sql.rows.all(after, last, READ_ROWS);
      for (const [doc, ...row] of rows) draft.add(row, factsOf({ doc }));
      after = rows.length < READ_ROWS ? last : draft.next - 1;
      await slices.step();
    }
    return draft;
  }

  /** Takes changes in their order, as many as concern few enough blocks. */
  async #takeChanges(): Promise<void> {
    const { group, meta, verdicts, limits } = this.#parts;
    const rows = this.#sql.changes.all(this.#changesUpto, WRITE_CHANGES).filter(({ changeNo }) => changeNo <= verdicts.head);
    const blocks = new Set<number>();
    const end = rows.findIndex(({ eventId }) => blocks.add(Math.floor(eventId / limits.positions)).size > WRITE_BLOCKS);
    const taken = end < 0 ? rows : rows.slice(0, end);
    // Numbers without a change of their own are those that retention has removed.
    const upto = taken.at(-1)?.changeNo ?? verdicts.head;
    const judgements = new Map(taken.filter(({ eventId, verdict }) => verdict !== null && eventId <= this.#upto).map((row) => [row.eventId, judgementIn(row)]));
    await group.write(() => {
      this.blocks.rejudge([...judgements.values()].sort(byEvent));
      meta.set('block_changes_upto', upto);
    });
    this.#changesUpto = upto;
  }
}

interface ChangeRow {
  changeNo: number;
  eventId: number;
  /** null when the event was judged no more, or the change is none of a verdict. */
  verdict: VerdictValue | null;
  judged: string | null;
}

const byEvent = (a: Judgement, b: Judgement): number => a.eventId - b.eventId;

function judgementIn({ eventId, verdict, judged }: Omit<ChangeRow, 'changeNo'>): Judgement {
  if (verdict === null) throw new Error(`the change of event ${eventId} is no verdict`);
  return { eventId, verdict, judged: judgedOf(judged) };
}

type VerdictRow = { eventId: number; verdict: VerdictValue; judged: string | null };

export const judgedOf = (text: string | null): Judged | null => (text === null ? null : (JSON.parse(text) as Judged));

function prepare(sqlite: Database.Database) {
  return {
    countAfter: sqlite.prepare<[number], number>('SELECT count(*) FROM events WHERE id > ?').pluck(),
    firstAfter: sqlite.prepare<[number, number], number>('SELECT id FROM events WHERE id > ? AND id <= ? ORDER BY id LIMIT 1').pluck(),
    rows: sqlite.prepare<[number, number, number], [doc: string, ...row: DraftRow]>(
      `SELECT doc, id, tenant_code, type, kind, source, is_test, occurred_at FROM events WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`,
    ).raw(),
    verdicts: sqlite.prepare<[number, number, number], VerdictRow>(
      'SELECT event_id AS eventId, verdict, judged FROM verdicts WHERE event_id > ? AND event_id <= ? ORDER BY event_id LIMIT ?',
    ),
    changes: sqlite.prepare<[number, number], ChangeRow>(
      `SELECT c.change_no AS changeNo, c.event_id AS eventId, v.verdict, v.judged
       FROM verdict_changes c LEFT JOIN verdicts v ON v.event_id = c.event_id AND c.kind = 'verdict' WHERE c.change_no > ? ORDER BY c.change_no LIMIT ?`,
    ),
  };
}
