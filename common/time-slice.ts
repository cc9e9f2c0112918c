/** What the heavy work of all requests may take of one turn of the event loop together, milliseconds. */
const SLICE_MS = 4;

/** One queue for each thread, which has one event loop. */
const waiting: (() => void)[] = [];
let awake = false;

/**
 * To be awaited before each piece of heavy work: a fair queue in which pieces begin first come, first served,
 * and between slices the event loop turns. Invariant: a slice takes SLICE_MS and one piece at most, however
 * many requests have pieces.
 */
export function timeSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (awake) return;
    awake = true;
    setImmediate(turn);
  });
}

function turn(): void {
  const began = performance.now();
  const next = (): void => {
    if (waiting.length > 0 && performance.now() - began >= SLICE_MS) {
      setImmediate(turn);
      return;
    }
    const begin = waiting.shift();
    awake = begin !== undefined;
    if (begin === undefined) return;
    begin();
    // The piece runs before this does.
    queueMicrotask(next);
  };
  next();
}
