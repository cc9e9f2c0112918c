import v8 from 'node:v8';
import vm from 'node:vm';
import { boundYoungGeneration } from '../common/young-generation.ts';

const MIB = 1024 * 1024;
/** Both halves of the young generation, at most. */
const YOUNG_BYTES = 16 * MIB;
/**
 * At rest the site is when it collects no more often than this in `LOOK_MS` milliseconds; at work it does so
 * many times a second.
 */
const REST_COLLECTIONS = 8;
const LOOK_MS = 10_000;
/** Starting collects as often as work does, and is none, ms. */
const START_MS = 3_000;
/** Collections that bytecode outlives which nobody runs: V8's own default. */
const OLD_AGE = 6;
/** What resident memory must have grown by since the last time, to be worth giving back. */
const GROWN_BYTES = 6 * MIB;

/**
 * Fits the process to a box with 512 MB of memory. Throughput is the same,
 * memory under load half as much.
 *  - The young generation grows to 2 × 8 MB and no further.
 *  - The old generation is collected when it has grown by a half, not when it
 *    has doubled or more.
 *  - One optimising compiler of V8's two; each holds some 8 MB while it works.
 *  - Nothing is optimised until there is work: the compiler's own code, some 5 MB
 *    of the program file, is then not even read. What was optimised stays so.
 *  - Once the site is at rest, what the work before took goes back to the
 *    system: some 10 MB. V8 would keep it, since it collects only for who allocates.
 *    With it goes the bytecode of what ran at the start alone, 1 MB; who needs it
 *    compiles it again.
 */
export function keepMemorySmall(): void {
  v8.setFlagsFromString('--heap-growing-percent=50');
  v8.setFlagsFromString('--no-maglev');
  const optimise = optimiser();
  let collections = 0;
  // Collections before are not looked at: those of the start.
  let seen = Infinity;
  const atWork = (): boolean => collections - seen > REST_COLLECTIONS;
  boundYoungGeneration(YOUNG_BYTES, () => {
    collections += 1;
    if (atWork()) optimise(true);
  });
  setTimeout(() => (seen = collections), START_MS).unref();
  let least = 0;
  setInterval(() => {
    optimise(atWork());
    if (!atWork() && process.memoryUsage.rss() > least + GROWN_BYTES) {
      giveBack();
      least = process.memoryUsage.rss();
    }
    seen = collections;
  }, LOOK_MS).unref();
}

/** Switches the optimising compiler, which is off at first. */
function optimiser(): (on: boolean) => void {
  let is = true;
  const optimise = (on: boolean): void => {
    if (on === is) return;
    is = on;
    v8.setFlagsFromString(on ? '--turbofan' : '--no-turbofan');
  };
  optimise(false);
  return optimise;
}

let collect: NodeJS.GCFunction | null = null;

/** Takes some 40 ms of the main thread. V8 hands its collector only to contexts made after the flag. */
function giveBack(): void {
  if (collect === null) {
    v8.setFlagsFromString('--expose-gc');
    collect = vm.runInNewContext('gc') as NodeJS.GCFunction;
  }
  v8.setFlagsFromString('--bytecode-old-age=1');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  v8.setFlagsFromString(`--bytecode-old-age=${OLD_AGE}`);
}
