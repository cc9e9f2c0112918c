// Calls that are held open until there is something to say.
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { AppError, unauthorized } from '../error.ts';
import type { AnswerRoom } from './answers.ts';

export interface HeldCallOptions {
  request: IncomingMessage;
  /** Address of the caller. */
  ip: string;
  answers: AnswerRoom;
  /** Whether the caller is still known. @throws AppError 401, 403 when it would not be let in any more */
  known: () => Promise<boolean>;
}

/**
 * What a call needs that goes on after its route has answered with a stream: its caller may go, may lose what
 * it was let in by, and what is made for it counts with all answers.
 */
export class HeldCall {
  /** Aborted once nobody hears the answer any more. */
  readonly gone: AbortSignal;
  readonly #options: HeldCallOptions;
  readonly #abort = new AbortController();

  constructor(options: HeldCallOptions) {
    this.#options = options;
    this.gone = this.#abort.signal;
    options.request.socket.once('close', this.#left);
  }

  readonly #left = (): void => this.#abort.abort();

  /** Called once, when the call is answered. */
  end(): void {
    this.#options.request.socket.off('close', this.#left);
  }

  /** @throws AppError when there is nobody to answer, or the caller would not be let in any more */
  async check(): Promise<void> {
    if (this.gone.aborted) throw new AppError(400, 'body_incomplete', 'The caller has gone.');
    if (!(await this.#options.known())) throw unauthorized('The key of this call was withdrawn.');
  }

  /** Makes a part of the answer in its turn. @throws AppError 503 where too much is being answered */
  async inTurn<T>(make: () => Promise<T>): Promise<T> {
    const leave = await this.#options.answers.enter(this.#options.ip);
    try {
      return await make();
    } finally {
      leave();
    }
  }

  /** Counts bytes that were made until their reader has them. @returns to be called, once, when it has */
  unsent(bytes: number): () => void {
    return this.#options.answers.hold(this.#options.ip, bytes);
  }
}

/** A place among those that wait, and the call that has it until `end`. */
export interface HeldWait {
  call: HeldCall;
  end: () => void;
}

/**
 * Takes a call in that waits. @param held of the route that holds it
 * @throws AppError 429, 503 where too many calls wait
 */
export function holding(
  calls: { enter: (caller: string) => () => void },
  caller: string,
  held: (() => HeldCall) | undefined,
): HeldWait {
  if (!held) throw new Error('this route holds no calls');
  const leave = calls.enter(caller);
  const call = held();
  const end = (): void => {
    call.end();
    leave();
  };
  return { call, end };
}

/** Kept from proxies that gather answers. */
export const UNBUFFERED = { 'X-Accel-Buffering': 'no' };

/** A page of what comes in a numbered order. */
interface PageSoFar {
  items: readonly unknown[];
  nextCursor: number;
  hasMore: boolean;
}

export interface Looking<P extends PageSoFar> {
  first: P;
  /** The page behind a position. */
  look: (after: number) => Promise<P>;
  /** How long it may take. */
  ms: number;
}

/** Waits for something behind a position. */
type WaitFor = (after: number, ms: number, gone: AbortSignal) => Promise<void>;

/**
 * The first page with something in it, the last one when the time is over or none may wait any more.
 * @throws AppError when the caller has gone, or would not be let in any more
 */
export async function pageWithin<P extends PageSoFar>(
  { first, look, ms }: Looking<P>,
  calls: { closed: boolean; waitFor: WaitFor },
  call: HeldCall,
): Promise<P> {
  const deadline = performance.now() + ms;
  for (let page = first; ;) {
    const left = deadline - performance.now();
    if (page.items.length > 0 || page.hasMore || left <= 0 || calls.closed) return page;
    await calls.waitFor(page.nextCursor, left, call.gone);
    await call.check();
    page = await look(page.nextCursor);
  }
}

/** Between two spaces, ms, unless it is said. */
const SPACE_MS = 10_000;

/**
 * The text of an answer that comes later: spaces until then, which JSON reads past, so that no proxy takes
 * the connection for dead. What fails meanwhile cuts the answer off.
 * @param everyMs between two spaces
 */
export function spacedAnswer(answer: Promise<string>, everyMs = SPACE_MS): Readable {
  const body = new PassThrough();
  const beat = setInterval(() => body.write(' '), everyMs);
  body.write(' ');
  void answer
    .then(
      (text) => body.end(text),
      (error: Error) => body.destroy(error),
    )
    .finally(() => clearInterval(beat));
  body.on('close', () => clearInterval(beat));
  // Whoever sends it hears of a fault, until the caller has gone.
  body.on('error', () => clearInterval(beat));
  return body;
}
