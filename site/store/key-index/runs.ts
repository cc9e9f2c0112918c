/**
 * Sorted runs of (hash, event id) pairs. A run is a row in `key_runs` with a
 * Bloom filter and the first hash of each chunk, both kept in memory, and
 * chunks of pairs in `key_chunks`, each filling a page. A run never changes;
 * runs of one level are merged into one of the next. Chunks of a run without
 * its row belong to a merge that was broken off, and are removed when the store
 * is opened.
 */
import type Database from 'better-sqlite3';
import { Bloom } from './hash.ts';

/** Pairs that are added to a run between two looks at the slice. */
export const STEP_PAIRS = 128;

/** Pairs of one chunk: 4,000 bytes, as much as fits on a page with its row header. */
const CHUNK_PAIRS = 250;
const RUN_STRIDE = 2 ** 20;

export interface Run {
  run: number;
  level: number;
  keys: number;
  /** First hash of each chunk. */
  fences: Float64Array;
  bloom: Bloom;
}

export interface Chunk {
  id: number;
  data: Uint8Array;
}

/** Pairs as they stand in a chunk: hash, id, hash, id … ascending by hash. */
type Pairs = Float64Array;

/** Collects ascending pairs into the chunks of one run. */
export class RunBuilder {
  readonly run: number;
  readonly level: number;
  readonly bloom: Bloom;
  keys = 0;
  #fences: number[] = [];
  #ready: Chunk[] = [];
  #pairs: Pairs = new Float64Array(CHUNK_PAIRS * 2);
  #used = 0;

  constructor(run: number, level: number, expected: number) {
    this.run = run;
    this.level = level;
    this.bloom = Bloom.for(expected);
  }

  add(hash: number, id: number): void {
    if (this.#used === 0) this.#fences.push(hash);
    this.#pairs[this.#used] = hash;
    this.#pairs[this.#used + 1] = id;
    this.#used += 2;
    this.keys += 1;
    this.bloom.add(hash);
    if (this.#used === this.#pairs.length) this.#close();
  }

  /** Chunks that are complete and were not taken yet. */
  take(): Chunk[] {
    return this.#ready.splice(0);
  }

  get readyChunks(): number {
    return this.#ready.length;
  }

  finish(): Run {
    if (this.#used > 0) this.#close();
    return {
      run: this.run,
      level: this.level,
      keys: this.keys,
      fences: Float64Array.from(this.#fences),
      bloom: this.bloom,
    };
  }

  #close(): void {
    const id = this.run * RUN_STRIDE + this.#fences.length - 1;
    this.#ready.push({ id, data: bytesOf(this.#pairs.slice(0, this.#used)) });
    this.#used = 0;
  }
}

export class RunTable {
  #insertRun: Database.Statement<[number, number, number, Buffer, Buffer]>;
  #deleteRun: Database.Statement<[number]>;
  #insertChunk: Database.Statement<[number, Buffer]>;
  #chunk: Database.Statement<[number], Buffer>;
  #deleteChunks: Database.Statement<[number, number]>;
  #all: Database.Statement<[], { run: number; level: number; keys: number; fences: Buffer; bloom: Buffer }>;
  #nextChunk: Database.Statement<[number], number | null>;

  constructor(sqlite: Database.Database) {
    this.#insertRun = sqlite.prepare(
      'INSERT INTO key_runs (run, level, keys, fences, bloom) VALUES (?, ?, ?, ?, ?)',
    );
    this.#deleteRun = sqlite.prepare('DELETE FROM key_runs WHERE run = ?');
    this.#insertChunk = sqlite.prepare('INSERT OR REPLACE INTO key_chunks (id, data) VALUES (?, ?)');
    this.#chunk = sqlite.prepare<[number], Buffer>('SELECT data FROM key_chunks WHERE id = ?').pluck();
    this.#deleteChunks = sqlite.prepare('DELETE FROM key_chunks WHERE id >= ? AND id < ?');
    this.#all = sqlite.prepare('SELECT run, level, keys, fences, bloom FROM key_runs ORDER BY run');
    this.#nextChunk = sqlite
      .prepare<[number], number | null>('SELECT min(id) FROM key_chunks WHERE id >= ?')
      .pluck();
  }

  load(): Run[] {
    return this.#all.all().map(({ fences, bloom, ...rest }) => ({
      ...rest,
      fences: pairsOf(fences),
      bloom: new Bloom(new Uint8Array(bloom)),
    }));
  }

  writeRun(run: Run): void {
    this.#insertRun.run(
      run.run,
      run.level,
      run.keys,
      bufferOf(bytesOf(run.fences)),
      bufferOf(run.bloom.bytes),
    );
  }

  dropRun(run: Run): void {
    this.#deleteRun.run(run.run);
  }

  writeChunks(chunks: readonly Chunk[]): void {
    for (const { id, data } of chunks) this.#insertChunk.run(id, bufferOf(data));
  }

  /** Removes chunks of a run whose row is gone. `count` null: all of them. */
  dropChunks(run: number, from: number, count: number | null): void {
    const first = run * RUN_STRIDE + from;
    this.#deleteChunks.run(first, count === null ? (run + 1) * RUN_STRIDE : first + count);
  }

  /** Runs that have chunks but no row. */
  orphans(known: ReadonlySet<number>): number[] {
    const found: number[] = [];
    for (let at = this.#nextChunk.get(0); typeof at === 'number';) {
      const run = Math.floor(at / RUN_STRIDE);
      if (!known.has(run)) found.push(run);
      at = this.#nextChunk.get((run + 1) * RUN_STRIDE);
    }
    return found;
  }

  /** Pairs of one chunk. */
  pairs(run: Run, chunk: number): Pairs {
    const data = this.#chunk.get(run.run * RUN_STRIDE + chunk);
    if (!data) throw new Error(`chunk ${chunk} of key run ${run.run} is missing`);
    return pairsOf(data);
  }

  /** Adds the ids that a run holds for a hash. */
  collect(run: Run, hash: number, ids: number[]): void {
    if (!run.bloom.mayHold(hash)) return;
    // Equal hashes may reach over a chunk's end, so the search begins before the first fence that is not
    // less.
    let chunk = Math.max(0, firstNotLess(run.fences, hash) - 1);
    for (; chunk < run.fences.length && (run.fences[chunk] ?? Infinity) <= hash; chunk += 1) {
      const pairs = this.pairs(run, chunk);
      for (let at = firstPairNotLess(pairs, hash); pairs[at] === hash; at += 2) ids.push(pairs[at + 1] ?? 0);
    }
  }
}

function firstNotLess(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstPairNotLess(pairs: Pairs, hash: number): number {
  let low = 0;
  let high = pairs.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pairs[middle * 2] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return low * 2;
}

// Little-endian on every platform that the program runs on (arm64, x64).
const bytesOf = (numbers: Float64Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const pairsOf = (data: Buffer): Float64Array =>
  new Float64Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
