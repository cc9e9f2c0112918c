/**
 * Which idempotency key belongs to which event. At intake nothing is written for
 * it, since every random key would cost a page of its own: the keys of the newest
 * events are in memory, and older ones, up to meta `keys_upto`, stand in sorted
 * runs that are written in bulk (`runs.ts`). When the store is opened, the
 * keys in memory are read from the events again. Keys of deleted events stay.
 *
 * Keys are known by a 53-bit hash; the caller compares the events it leads to.
 */
import type { Logger } from '../../../common/log.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import type { Meta } from '../engine/meta.ts';
import { BACKGROUND_SLICE_MS, Slices } from '../engine/slices.ts';
import type { TransactionParticipant } from '../engine/transaction.ts';
import { ForgottenKeys } from './forgotten.ts';
import { hashKey } from './hash.ts';
import { mergeRuns, removeChunks } from './merge.ts';
import { type Run, RunBuilder, RunTable, STEP_PAIRS } from './runs.ts';

export type { ForgottenKeys } from './forgotten.ts';

export interface KeyIndexLimits {
  /** Keys in memory at which a run is written. */
  fillAt: number;
  /** Keys that are worth a run when nothing has come for `idleMs`. */
  idleAt: number;
  idleMs: number;
  /** Runs of one level that are merged into one of the next. */
  fanout: number;
}

export const defaultKeyLimits: KeyIndexLimits = { fillAt: 10_000, idleAt: 1_000, idleMs: 3_000, fanout: 8 };

const RETRY_MS = 5_000;

export type StoredKey = [id: number, tenantCode: string, idempotencyKey: string];

type Ids = Map<number, number | number[]>;

export interface KeyIndexParts {
  group: GroupCommit;
  meta: Meta;
  /** The keys of stored events with larger ids. */
  storedAfter: (id: number) => Iterable<StoredKey>;
  limits: KeyIndexLimits;
  log: Logger;
}

export class KeyIndex implements TransactionParticipant {
  /** The keys of deleted events, which stay known. */
  readonly forgotten: ForgottenKeys;
  readonly #parts: KeyIndexParts;
  #table: RunTable;
  #runs: Run[];
  #young: Ids = new Map();
  /** Being written into a run. */
  #leaving: Ids | null = null;
  /** Hashes added in the open transaction. */
  #added: number[] = [];
  #working: Promise<void> | null = null;
  #idle: NodeJS.Timeout | null = null;
  #sizeAtIdle = 0;
  #closed = false;

  constructor(parts: KeyIndexParts) {
    this.#parts = parts;
    const { sqlite } = parts.group;
    this.forgotten = new ForgottenKeys(sqlite);
    this.#table = new RunTable(sqlite);
    this.#runs = this.#table.load();
    for (const run of this.#table.orphans(new Set(this.#runs.map(({ run }) => run))))
      this.#table.dropChunks(run, 0, null);
    this.#loadYoung();
    this.#wakeAfter(parts.limits.idleMs);
  }

  /** Keys held in memory. */
  get pending(): number {
    return this.#young.size + (this.#leaving?.size ?? 0);
  }

  /** Ids of the events that have this key, or by rare chance another with the same hash. */
  candidates(tenantCode: string, idempotencyKey: string): number[] {
    const hash = hashKey(tenantCode, idempotencyKey);
    const ids: number[] = [];
    collect(this.#young, hash, ids);
    if (this.#leaving) collect(this.#leaving, hash, ids);
    for (const run of this.#runs) this.#table.collect(run, hash, ids);
    return ids;
  }

  add(tenantCode: string, idempotencyKey: string, id: number): void {
    const hash = hashKey(tenantCode, idempotencyKey);
    put(this.#young, hash, id);
    this.#added.push(hash);
  }

  /** A savepoint: the state within the open transaction that can be restored. */
  mark(): number {
    return this.#added.length;
  }

  undoTo(mark: number): void {
    for (const hash of this.#added.splice(mark).reverse()) dropLast(this.#young, hash);
  }

  committed(): void {
    this.#added.length = 0;
    if (this.#young.size >= this.#parts.limits.fillAt) this.#work();
  }

  rolledBack(): void {
    this.undoTo(0);
  }

  /** Writes what is in memory into a run and merges what is due. Resolves when it is durable. */
  async fill(): Promise<void> {
    await this.#working;
    this.#work();
    await this.#working;
  }

  /** Nothing is begun any more; waits for what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#idle) clearTimeout(this.#idle);
    await this.#working;
  }

  #loadYoung(): void {
    const { meta, storedAfter } = this.#parts;
    const through = meta.number('keys_upto');
    for (const [id, tenant, key] of storedAfter(through)) put(this.#young, hashKey(tenant, key), id);
    for (const [id, hash] of this.forgotten.hashesAfter(through)) put(this.#young, hash, id);
  }

  // Begins between transactions only, so that every key in memory is of a committed event.
  #work(): void {
    if (this.#working || this.#closed) return;
    if (!this.#leaving && this.#young.size > 0) {
      this.#leaving = this.#young;
      this.#young = new Map();
    }
    this.#working = this.#writeAndMerge()
      .catch((error: unknown) => {
        this.#parts.log.warn({ err: error, retryInMs: RETRY_MS }, 'the key index could not be written');
        this.#wakeAfter(RETRY_MS);
      })
      .finally(() => (this.#working = null));
  }

  async #writeAndMerge(): Promise<void> {
    if (this.#leaving) await this.#writeRun(this.#leaving);
    for (let due = this.#due(); due && !this.#closed; due = this.#due()) await this.#merge(due);
  }

  async #writeRun(leaving: Ids): Promise<void> {
    const { group, meta } = this.#parts;
    const builder = new RunBuilder(this.#nextRun(), 0, leaving.size);
    const slices = new Slices(() => performance.now(), { sliceMs: BACKGROUND_SLICE_MS });
    let [through, added] = [0, 0];
    for (const hash of Float64Array.from(leaving.keys()).sort()) {
      if ((added += 1) % STEP_PAIRS === 0) await slices.step();
      for (const id of idsOf(leaving, hash)) {
        builder.add(hash, id);
        through = Math.max(through, id);
      }
    }
    const run = builder.finish();
    const chunks = builder.take();
    await group.write(() => {
      this.#table.writeChunks(chunks);
      this.#table.writeRun(run);
      meta.set('keys_upto', through);
    });
    this.#runs.push(run);
    this.#leaving = null;
  }

  async #merge(sources: readonly Run[]): Promise<void> {
    const { group } = this.#parts;
    const merged = await mergeRuns({
      group,
      table: this.#table,
      sources,
      run: this.#nextRun(),
    });
    this.#runs = [...this.#runs.filter((run) => !sources.includes(run)), merged];
    await removeChunks(group, this.#table, sources);
  }

  /** The runs of the lowest level that has enough of them. */
  #due(): Run[] | null {
    const top = Math.max(-1, ...this.#runs.map(({ level }) => level));
    for (let level = 0; level <= top; level += 1) {
      const runs = this.#runs.filter((run) => run.level === level);
      if (runs.length >= this.#parts.limits.fanout) return runs;
    }
    return null;
  }

  #nextRun(): number {
    return Math.max(0, ...this.#runs.map(({ run }) => run)) + 1;
  }

  #wakeAfter(ms: number): void {
    if (this.#idle) clearTimeout(this.#idle);
    if (this.#closed) return;
    this.#idle = setTimeout(() => {
      const quiet = this.#young.size === this.#sizeAtIdle && this.#young.size >= this.#parts.limits.idleAt;
      if (this.#leaving || quiet) this.#work();
      this.#sizeAtIdle = this.#young.size;
      this.#wakeAfter(this.#parts.limits.idleMs);
    }, ms);
    this.#idle.unref();
  }
}

function idsOf(ids: Ids, hash: number): readonly number[] {
  const found = ids.get(hash);
  return found === undefined ? [] : typeof found === 'number' ? [found] : found;
}

function collect(ids: Ids, hash: number, into: number[]): void {
  const found = ids.get(hash);
  if (found === undefined) return;
  if (typeof found === 'number') into.push(found);
  else into.push(...found);
}

function put(ids: Ids, hash: number, id: number): void {
  const found = ids.get(hash);
  ids.set(hash, found === undefined ? id : typeof found === 'number' ? [found, id] : [...found, id]);
}

function dropLast(ids: Ids, hash: number): void {
  const found = ids.get(hash);
  if (Array.isArray(found) && found.length > 1) ids.set(hash, found.slice(0, -1));
  else ids.delete(hash);
}
