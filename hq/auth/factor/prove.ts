import { hash } from 'node:crypto';
import type { Clock } from '../../../common/clock.ts';
import { countAttempt, OWN_ATTEMPTS } from '../../../common/core/session/attempt.ts';
import type { Wanting } from '../../../common/core/session/login.ts';
import type { LoginAttemptPort } from '../../../common/core/session/port.ts';
import { AppError } from '../../../common/http/error.ts';
import type { PasskeyCeremony } from '../passkey/ceremony.ts';
import { passkeysOff } from '../passkey/refusals.ts';
import type { PasskeyAnswer } from '../passkey/schema.ts';
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
  /** null: passkeys cannot be at the address of this hub. */
  ceremony: PasskeyCeremony | null;
  clock: Clock;
}

/** What a login shows beside the password. */
export interface Shown {
  code?: string | undefined;
  passkey?: PasskeyAnswer | undefined;
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
   * To be asked when the password was right.
   * @throws AppError 429 too_many_attempts
   */
  async prove(user: UserRecord, { code, passkey }: Shown): Promise<Proved | Wanting> {
    if (user.secondFactorSince === null)
      return { proof: null, waits: isDemanded(this.#options.demand, user.role) };
    if (passkey !== undefined) return this.#provePasskey(user.name, passkey);
    if (code === undefined) return { wanting: await this.#asked(user.name), guessed: false };
    await this.count(user.name);
    const proof = await this.#proofOf(user.name, code);
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

  /** With what the browser is asked, where the user has a passkey for this address. */
  async #asked(userName: string): Promise<AppError> {
    const { ceremony, factors } = this.#options;
    const [{ totp }, passkeys] = await Promise.all([factors.get(userName), ceremony?.of(userName) ?? []]);
    const options = passkeys.length > 0 && (await ceremony?.askSigned(userName, boundTo(userName)));
    return secondFactorRequired({ app: (totp?.since ?? null) !== null, passkey: options || null });
  }

  async #provePasskey(userName: string, passkey: PasskeyAnswer): Promise<Proved | Wanting> {
    await this.count(userName);
    try {
      const { ceremony } = this.#options;
      if (!ceremony) throw passkeysOff();
      const { passkey: key, counter } = await ceremony.readSigned(passkey, userName, boundTo(userName));
      return { proof: { kind: 'passkey', id: key.id, counter }, waits: false };
    } catch (error) {
      if (error instanceof AppError) return { wanting: passkeyWrong(error), guessed: true };
      throw error;
    }
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

/** @param extra whether there is an app, and what the browser is asked for a passkey */
const secondFactorRequired = (extra: { app: boolean; passkey: object | null }): AppError =>
  new AppError(
    401,
    'second_factor_required',
    'This user has a second factor: send the code of the authenticator app, or a recovery code, as code' +
      (extra.passkey === null ? '.' : ', or what a passkey signs as passkey.'),
    { extra },
  );

export const secondFactorWrong = (): AppError =>
  new AppError(401, 'second_factor_wrong', 'That code is wrong, or was used already. Wait for the next one.');

/** @param cause what of it was refused, for the log */
const passkeyWrong = (cause: AppError): AppError =>
  new AppError(401, 'second_factor_wrong', cause.message, {
    messageZh: '通行密钥未能通过验证：已移除、已超时、已使用过，或不属于该用户。请重试。',
    cause,
  });

const boundTo = (userName: string): string => `user:${userName}`;
const scopeOf = (userName: string): string => `second:${hash('sha256', userName, 'hex')}`;
