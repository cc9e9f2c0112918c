// How long a request may take to arrive. A caller who has proved nothing has a fixed time for all of it, so
// that slow senders hold no connection; one who is known and brings a large file has as long as it keeps
// coming.
import type { IncomingMessage } from 'node:http';

/** Longest for the largest file, ms. */
export const LONGEST_MS = 60 * 60_000;
/** What has to come of a large file at least, bytes a second: a modem's pace. */
const LEAST_PACE = 4_096;

interface Wait {
  /** Time for the whole, or of which the pace is taken, ms. */
  ms: number;
  refuse: () => void;
  timer: NodeJS.Timeout;
}

const waits = new WeakMap<IncomingMessage, Wait>();

/** @param refuse called once where the request is not there whole after `ms` */
export function awaitArrival(request: IncomingMessage, ms: number, refuse: () => void): void {
  const timer = setTimeout(() => {
    if (!request.complete) refuse();
  }, ms);
  waits.set(request, { ms, refuse, timer });
  request.once('close', () => clearTimeout(waits.get(request)?.timer));
}

/** From here on what is left of a request may take as long as it keeps coming. */
export function awaitWhileItComes(request: IncomingMessage): void {
  const wait = waits.get(request);
  if (!wait) return;
  clearTimeout(wait.timer);
  let before = request.socket.bytesRead;
  wait.timer = setInterval(() => {
    const now = request.socket.bytesRead;
    const came = now - before;
    before = now;
    if (!request.complete && came >= (LEAST_PACE * wait.ms) / 1_000) return;
    clearInterval(wait.timer);
    if (!request.complete) wait.refuse();
  }, wait.ms);
}
