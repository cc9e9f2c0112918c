import { counter, type Metric } from '../../metrics.ts';
import { AppError } from '../error.ts';
import { Turns } from './turns.ts';

/** What lists may take that are being answered. */
export interface AnswerLimits {
  /** Made at a time; the others wait their turn, up to `waiting` of them. */
  atOnce: number;
  waiting: number;
  /** Bytes that were made and are not sent yet, in all and for one address. */
  unsent: number;
  unsentOfOne: number;
}

/**
 * What lists take that are being answered: how many are made at a time, and the bytes of those that were made
 * until their readers have them. Invariant: what was given back is not held.
 */
export class AnswerRoom {
  /** Bytes that were made and are not sent yet. */
  unsent = 0;
  /** Requests that were refused for want of room. */
  refused = 0;
  #limits: AnswerLimits;
  #turns: Turns;
  #byAddress = new Map<string, number>();

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
    this.#turns = new Turns(limits.atOnce);
  }

  /**
   * Waits for the turn to make an answer. @returns to be called when it is made
   * @throws AppError 503 where too many wait, or too much was made that nobody has taken yet
   */
  enter(address: string): Promise<() => void> {
    const { waiting, unsent, unsentOfOne } = this.#limits;
    const own = this.#byAddress.get(address) ?? 0;
    if (this.#turns.waiting < waiting && this.unsent < unsent && own < unsentOfOne)
      return this.#turns.enter();
    this.refused += 1;
    throw new AppError(
      503,
      'overloaded',
      'More is being asked for here at once than there is room for. Send the same request again later, and ' +
        'read each answer before the next.',
      { retryAfterSeconds: 2 },
    );
  }

  /** Of an answer that was made. @returns to be called, once, when its reader has it or is gone */
  hold(address: string, bytes: number): () => void {
    this.#add(address, bytes);
    return () => this.#add(address, -bytes);
  }

  #add(address: string, bytes: number): void {
    this.unsent += bytes;
    const own = (this.#byAddress.get(address) ?? 0) + bytes;
    if (own === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, own);
  }
}

/** For `/metrics`. */
export const answerRoomMetrics = (answers: AnswerRoom): Metric[] => [
  {
    name: 'fieldline_answers_unsent_bytes',
    help: 'Bytes of lists that were made and that their readers do not have yet',
    type: 'gauge',
    read: () => answers.unsent,
  },
  counter(
    'fieldline_answers_refused_total',
    'Requests for lists refused with 503 because the answers under way took all the room there is',
    () => answers.refused,
  ),
];
