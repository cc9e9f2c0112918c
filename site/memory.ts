import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';
import vm from 'node:vm';

const MIB = 1024 * 1024;
/** Both halves of the young generation, at most. */
const YOUNG_BYTES = 16 * MIB;
/**
 * At rest the site is when it collects no more often than this in `LOOK_MS` milliseconds; at work it does so
 * many times a second.
 */
const REST_COLLECTIONS = 8;
const LOOK_MS = 10_000;
/** What resident memory must have grown by since the last time, to be worth giving back. */
const GROWN_BYTES = 6 * MIB;

/**
 * Fits the process to a box with 512 MB of memory. Throughput is the same,
 * memory under load half as much.
 *  - The young generation grows to 2 × 8 MB and no further; left alone it grows
 *    to 128 MB. Much less would be too small: requests that wait for the disk
 *    would outlive it. This is `--max-semi-space-size=8` for a process that was
 *    started without it; it is looked at after each collection.
 *  - The old generation is collected when it has grown by a half, not when it
 *    has doubled or more.
 *  - One optimising compiler of V8's two; each holds some 8 MB while it works.
 *  - Once the site is at rest, what the work before took goes back to the
 *    system: some 10 MB. V8 would keep it, since it collects only for who allocates.
 */
export function keepMemorySmall(): void {
  v8.setFlagsFromString('--heap-growing-percent=50');
  v8.setFlagsFromString('--no-maglev');
  let mayGrow = true;
  let collections = 0;
  const settle = (): void => {
    collections += 1;
    const small = youngBytes() < YOUNG_BYTES;
    if (small === mayGrow) return;
    mayGrow = small;
    v8.setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  };
  new PerformanceObserver(settle).observe({ entryTypes: ['gc'] });
  settle();
  let [seen, least] = [collections, 0];
  setInterval(() => {
    if (collections - seen <= REST_COLLECTIONS && process.memoryUsage.rss() > least + GROWN_BYTES) {
      giveBack();
      least = process.memoryUsage.rss();
    }
    seen = collections;
  }, LOOK_MS).unref();
}

function youngBytes(): number {
  return v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0;
}

let collect: NodeJS.GCFunction | null = null;

/** Takes some 40 ms of the main thread. V8 hands its collector only to contexts made after the flag. */
function giveBack(): void {
  if (collect === null) {
    v8.setFlagsFromString('--expose-gc');
    collect = vm.runInNewContext('gc') as NodeJS.GCFunction;
  }
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
