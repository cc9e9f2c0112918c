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

/**
 * The text of an answer that comes later: spaces until then, which JSON reads past, so that no proxy takes
 * the connection for dead. What fails meanwhile cuts the answer off.
 * @param everyMs between two spaces
 */
export function spacedAnswer(answer: Promise<string>, everyMs: number): Readable {
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
