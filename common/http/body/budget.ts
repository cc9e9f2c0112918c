import { counter, type Metric } from '../../metrics.ts';
import { AppError } from '../error.ts';
import { type AnswerLimits, AnswerRoom, answerRoomMetrics } from './answers.ts';
import { Turns } from './turns.ts';

const MIB = 1024 * 1024;

/**
 * Bytes that the bodies of all requests may take together, with what is parsed from them, until the requests
 * are answered.
 */
export interface BodyLimits {
  total: number;
  /**
   * Of these, what may be held for callers who have not proved yet who they are: a signature is checked over
   * the whole body.
   */
  unproven: number;
  /** The same for calls that need no credentials. */
  anonymous: number;
  /** What one address may take of `unproven`, so that it cannot keep everybody else out. */
  ofOneAddress: number;
  /** Bodies of more than LARGE bytes that are worked on at a time; the others wait their turn. */
  largeAtOnce: number;
  /**
   * Compressed bodies that are unfolded at a time; the others wait their turn. Nobody knows before what comes
   * out, so that each takes the most that its route allows meanwhile, however small it is.
   */
  unfoldedAtOnce: number;
  answers: AnswerLimits;
}

/** The unit ends the site at 300 MB; with its store at work it takes 120. */
export const SITE_BODIES: BodyLimits = {
  total: 20 * MIB,
  unproven: 12 * MIB,
  anonymous: MIB,
  ofOneAddress: 9 * MIB,
  largeAtOnce: 1,
  unfoldedAtOnce: 1,
  answers: { atOnce: 2, waiting: 200, unsent: 16 * MIB, unsentOfOne: 8 * MIB },
};
/** The unit ends the hub at 2 GB. A full set of chunks with vectors takes 400 MiB by itself. */
export const HUB_BODIES: BodyLimits = {
  total: 640 * MIB,
  unproven: 128 * MIB,
  anonymous: 8 * MIB,
  ofOneAddress: 96 * MIB,
  largeAtOnce: 8,
  unfoldedAtOnce: 4,
  answers: { atOnce: 8, waiting: 1_000, unsent: 192 * MIB, unsentOfOne: 64 * MIB },
};

/**
 * A body above this many bytes is worked on in its turn; a compressed one, which may unfold, above a
 * sixty-fourth.
 */
const LARGE = 1024 * 1024;
export const isLarge = (bytes: number, compressed: boolean): boolean =>
  bytes > (compressed ? LARGE / 64 : LARGE);

/** By what a caller is known before the body is read. */
export type CallerProof = 'anonymous' | 'claimed' | 'proven';

type Pool = 'total' | 'unproven' | 'anonymous';

/** Counts what bodies take. Invariant: a hold that was released has given back all that it took. */
export class BodyBudget {
  /** Bytes that are held. */
  readonly held: Record<Pool, number> = { total: 0, unproven: 0, anonymous: 0 };
  /** Requests that were refused for want of room. */
  refused = 0;
  /** The same for answers. */
  readonly answers: AnswerRoom;
  #limits: BodyLimits;
  #byAddress = new Map<string, number>();
  #large: Turns;
  #unfolding: Turns;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
    this.answers = new AnswerRoom(limits.answers);
    this.#large = new Turns(limits.largeAtOnce);
    this.#unfolding = new Turns(limits.unfoldedAtOnce);
  }

  /**
   * @param announced bytes that the request says it has; nothing is taken for them yet @throws AppError 503
   * when they have no room
   */
  open(standing: CallerProof, address: string, announced: number): BodyHold {
    this.#mustFit(standing, address, announced);
    return new BodyHold(this, standing, address);
  }

  /** @throws AppError 503 */
  take(standing: CallerProof, address: string, bytes: number): void {
    this.#mustFit(standing, address, bytes);
    this.#add(standing, address, bytes);
  }

  give(standing: CallerProof, address: string, bytes: number): void {
    this.#add(standing, address, -bytes);
  }

  /** Waits for the turn of a large body. @returns to be called when its request is answered */
  turn(): Promise<() => void> {
    return this.#large.enter();
  }

  /** Waits for the turn to unfold a compressed body. @returns to be called when that is done */
  unfoldingTurn(): Promise<() => void> {
    return this.#unfolding.enter();
  }

  #mustFit(standing: CallerProof, address: string, bytes: number): void {
    const { held } = this;
    const { total, unproven, anonymous, ofOneAddress } = this.#limits;
    const fits =
      held.total + bytes <= total &&
      (standing === 'proven' ||
        (held.unproven + bytes <= unproven &&
          (standing === 'claimed' || held.anonymous + bytes <= anonymous) &&
          (this.#byAddress.get(address) ?? 0) + bytes <= ofOneAddress));
    if (fits) return;
    this.refused += 1;
    throw new AppError(
      503,
      'overloaded',
      'More is being sent here at once than there is room for; nothing was stored. Send the same ' +
        'request again later.',
      { retryAfterSeconds: 2 },
    );
  }

  #add(standing: CallerProof, address: string, bytes: number): void {
    this.held.total += bytes;
    if (standing === 'proven') return;
    this.held.unproven += bytes;
    if (standing === 'anonymous') this.held.anonymous += bytes;
    const own = (this.#byAddress.get(address) ?? 0) + bytes;
    if (own === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, own);
  }
}

/** For `/metrics`. */
export const bodyMetrics = (bodies: BodyBudget): Metric[] => [
  {
    name: 'fieldline_bodies_held_bytes',
    help: 'Bytes that the bodies of requests under way take',
    type: 'gauge',
    read: () => bodies.held.total,
  },
  counter(
    'fieldline_bodies_refused_total',
    'Requests refused with 503 because the bodies under way took all the room there is',
    () => bodies.refused,
  ),
  ...answerRoomMetrics(bodies.answers),
];

/** What one request takes. */
export class BodyHold {
  #budget: BodyBudget;
  #standing: CallerProof;
  #address: string;
  #bytes = 0;

  constructor(budget: BodyBudget, standing: CallerProof, address: string) {
    this.#budget = budget;
    this.#standing = standing;
    this.#address = address;
  }

  /** As that of the budget. */
  unfoldingTurn(): Promise<() => void> {
    return this.#budget.unfoldingTurn();
  }

  /** @throws AppError 503 when there is no room */
  take(bytes: number): void {
    this.#budget.take(this.#standing, this.#address, bytes);
    this.#bytes += bytes;
  }

  give(bytes: number): void {
    this.#budget.give(this.#standing, this.#address, bytes);
    this.#bytes -= bytes;
  }

  /** The caller has proved who he is; what is held counts as his. */
  prove(): void {
    if (this.#standing !== 'claimed') return;
    this.#budget.give(this.#standing, this.#address, this.#bytes);
    this.#standing = 'proven';
    this.#budget.take(this.#standing, this.#address, this.#bytes);
  }

  release(): void {
    this.give(this.#bytes);
  }
}
