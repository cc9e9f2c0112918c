import { hash } from 'node:crypto';
import type { Clock } from '../../../common/clock.ts';
import { countAttempt, OWN_ATTEMPTS } from '../../../common/core/session/attempt.ts';
import type { Wanting } from '../../../common/core/session/login.ts';
import type { LoginAttemptPort } from '../../../common/core/session/port.ts';
import { AppError } from '../../../common/http/error.ts';
import type { UserRecord } from '../port.ts';
import { isDemanded, readTypedCode } from './decide.ts';
import type { FactorKeeping } from './keeping.ts';
import type { FactorPort, Proof } from './port.ts';
import type { Demand } from './record.ts';
import { totpStep } from './totp.ts';

export interface SecondFactorOptions {
  factors: FactorPort;
  attempts: LoginAttemptPort;
  keeping: FactorKeeping;
  demand: Demand;
  clock: Clock;
}

/** What a login comes to whose password was right: `waits` until a second factor is set. */
export type Proved = { proof: Proof | null; waits: boolean };

/** Asks for the second factor. */
export class SecondFactor {
  readonly #options: SecondFactorOptions;

  constructor(options: SecondFactorOptions) {
    this.#options = options;
  }

  /**
   * To be asked when the password was right. @param typed the code; undefined: none was sent
   * @throws AppError 429 too_many_attempts
   */
  async prove(user: UserRecord, typed: string | undefined): Promise<Proved | Wanting> {
    if (user.secondFactorSince === null)
      return { proof: null, waits: isDemanded(this.#options.demand, user.role) };
    if (typed === undefined) return { wanting: secondFactorRequired(), guessed: false };
    await this.count(user.name);
    const proof = await this.#proofOf(user.name, typed);
    return proof ? { proof, waits: false } : { wanting: secondFactorWrong(), guessed: true };
  }

  /**
   * Counts a try at the codes of a user, from wherever it comes: only who has the password gets here.
   * @throws AppError 429 too_many_attempts
   */
  async count(userName: string): Promise<void> {
    const { attempts, clock } = this.#options;
    const refused = await countAttempt(
      attempts,
      [{ scope: scopeOf(userName), ...OWN_ATTEMPTS }],
      clock.now(),
    );
    if (refused) throw refused;
  }

  /** The codes were right. */
  forget(userName: string): Promise<void> {
    return this.#options.attempts.succeeded([scopeOf(userName)], []);
  }

  async #proofOf(userName: string, typed: string): Promise<Proof | null> {
    const { factors, keeping, clock } = this.#options;
    const read = readTypedCode(typed);
    if (read === null) return null;
    if (read.kind === 'recovery') {
      const codeHash = keeping.hashOf(read.code, userName);
      return (await factors.hasCode(userName, codeHash)) ? { kind: 'recovery', codeHash } : null;
    }
    const { totp } = await factors.get(userName);
    if (!totp || totp.since === null) return null;
    const step = totpStep(keeping.unseal(totp.sealed, userName), read.code, clock.now());
    return step === null || step <= totp.lastStep ? null : { kind: 'totp', step };
  }
}

/** Codes of 401 for who has the password alone. */
export const SECOND_FACTOR_WANTS = ['second_factor_required', 'second_factor_wrong'] as const;

const secondFactorRequired = (): AppError =>
  new AppError(
    401,
    'second_factor_required',
    'This user has a second factor: send the code of the authenticator app, or a recovery code, as code.',
  );

export const secondFactorWrong = (): AppError =>
  new AppError(401, 'second_factor_wrong', 'That code is wrong, or was used already. Wait for the next one.');

const scopeOf = (userName: string): string => `second:${hash('sha256', userName, 'hex')}`;
