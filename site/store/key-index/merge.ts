import type { GroupCommit } from '../engine/group-commit.ts';
import { BACKGROUND_SLICE_MS, Slices } from '../engine/slices.ts';
import { type Run, RunBuilder, type RunTable, STEP_PAIRS } from './runs.ts';

/** Chunks written or removed by one operation. */
const SLICE_CHUNKS = 32;

/** Reads the pairs of one run in order. */
class RunReader {
  #table: RunTable;
  #run: Run;
  #chunk = -1;
  #pairs: Float64Array = new Float64Array(0);
  #at = 0;
  /** Infinity at the end. */
  hash = 0;
  id = 0;

  constructor(table: RunTable, run: Run) {
    this.#table = table;
    this.#run = run;
    this.next();
  }

  next(): void {
    if (this.#at >= this.#pairs.length) {
      this.#chunk += 1;
      this.#at = 0;
      if (this.#chunk >= this.#run.fences.length) {
        this.hash = Infinity;
        return;
      }
      this.#pairs = this.#table.pairs(this.#run, this.#chunk);
    }
    this.hash = this.#pairs[this.#at] ?? Infinity;
    this.id = this.#pairs[this.#at + 1] ?? 0;
    this.#at += 2;
  }
}

export interface Merge {
  group: GroupCommit;
  table: RunTable;
  sources: readonly Run[];
  /** Number of the run to be written. */
  run: number;
}

/**
 * Merges runs into one of the next level, a few chunks with each group commit. The
 * sources are read outside transactions, which is safe because runs never change.
 * @returns the new run, durable and in the place of its sources
 */
export async function mergeRuns({ group, table, sources, run }: Merge): Promise<Run> {
  const readers = sources.map((source) => new RunReader(table, source));
  const expected = sources.reduce((sum, source) => sum + source.keys, 0);
  const builder = new RunBuilder(run, Math.max(...sources.map(({ level }) => level)) + 1, expected);
  const slices = new Slices(() => performance.now(), { sliceMs: BACKGROUND_SLICE_MS });
  while (await advance(readers, builder, slices)) {
    const chunks = builder.take();
    await group.write(() => table.writeChunks(chunks));
  }
  const merged = builder.finish();
  const rest = builder.take();
  await group.write(() => {
    table.writeChunks(rest);
    table.writeRun(merged);
    for (const source of sources) table.dropRun(source);
  });
  return merged;
}

/** Frees the pages of runs that were merged. */
export async function removeChunks(group: GroupCommit, table: RunTable, runs: readonly Run[]): Promise<void> {
  for (const { run, fences } of runs) {
    for (let from = 0; from < fences.length; from += SLICE_CHUNKS)
      await group.write(() => table.dropChunks(run, from, SLICE_CHUNKS));
  }
}

/** @returns false when all pairs are read */
async function advance(readers: RunReader[], builder: RunBuilder, slices: Slices): Promise<boolean> {
  let pairs = 0;
  while (builder.readyChunks < SLICE_CHUNKS) {
    let least: RunReader | null = null;
    for (const reader of readers) {
      if (reader.hash < (least?.hash ?? Infinity)) least = reader;
    }
    if (!least) return false;
    builder.add(least.hash, least.id);
    least.next();
    if ((pairs += 1) % STEP_PAIRS === 0) await slices.step();
  }
  return true;
}
