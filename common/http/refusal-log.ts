import type { IncomingMessage } from 'node:http';
import type { Logger } from '../log.ts';
import type { AppError } from './error.ts';

/**
 * Refusals of one kind are written this far apart, ms: a disk that is full must not be filled by the lines
 * that say so.
 */
const APART_MS = 60_000;

interface Refused {
  request: IncomingMessage;
  requestId: string;
  path: string;
}

/**
 * Writes what this side had to refuse: the first of a kind at once, then one line a minute with how many
 * there were.
 */
export class RefusalLog {
  #kinds = new Map<string, { at: number; untold: number }>();
  #log: Logger;
  #monotonic: () => number;

  constructor(log: Logger, monotonic: () => number = () => performance.now()) {
    this.#log = log;
    this.#monotonic = monotonic;
  }

  tell(error: AppError, { request, requestId, path }: Refused): void {
    const now = this.#monotonic();
    const kind = this.#kinds.get(error.code);
    if (kind && now - kind.at < APART_MS) {
      kind.untold += 1;
      return;
    }
    this.#kinds.set(error.code, { at: now, untold: 0 });
    this.#log.warn(
      {
        status: error.status,
        error: error.code,
        reason: error.message,
        requestId,
        method: request.method,
        path,
        ...(error.cause === undefined ? {} : { err: error.cause }),
        ...(kind?.untold ? { moreSinceLast: kind.untold } : {}),
      },
      'request refused',
    );
  }
}
