/** What the heavy work of all requests may take of one turn of the event loop together, milliseconds. */
const TURN_MS = 4;

/** The event loop of a thread is one, so this is of the thread. */
const waiting: (() => void)[] = [];
let awake = false;

/**
 * To be awaited before each piece of heavy work: it waits, first come, first served, until the loop has
 * turned and the piece may begin. Invariant: a turn takes TURN_MS and one piece at most, however many
 * requests have pieces.
 */
export function fairTurn(): Promise<void> {
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
    if (waiting.length > 0 && performance.now() - began >= TURN_MS) {
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
