import { hash, randomBytes } from 'node:crypto';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Clock } from '../../../common/clock.ts';
import { countAttempt, SHARED_ATTEMPTS } from '../../../common/core/session/attempt.ts';
import { sessionActor } from '../../../common/core/session/login.ts';
import type { LoginAttemptPort } from '../../../common/core/session/port.ts';
import type { LoggedIn, LoginOrigin, SessionService } from '../../../common/core/session/service.ts';
import { AppError } from '../../../common/http/error.ts';
import { networkOf } from '../../../common/http/outbound/network.ts';
import type { EmergencyAlarm } from '../emergency.ts';
import type { UserPort, UserRecord } from '../port.ts';
import type { PasswordLogins } from '../provider/record.ts';
import { accountDisabled } from '../provider/refusals.ts';
import type { Asserted, PasskeyCeremony } from './ceremony.ts';
import { passkeyRefused, passkeyUnknown } from './refusals.ts';
import type { PasskeyAnswer } from './schema.ts';

export interface PasskeySignInOptions {
  ceremony: PasskeyCeremony;
  users: UserPort;
  sessions: SessionService;
  attempts: LoginAttemptPort;
  /** Whom passwords let in, and so passkeys in their place. */
  passwords: PasswordLogins;
  emergency: EmergencyAlarm;
  clock: Clock;
}

/** Signing in by a passkey alone, which verifies the person by itself: it is both factors at once. */
export class PasskeySignIn {
  readonly #options: PasskeySignInOptions;

  constructor(options: PasskeySignInOptions) {
    this.#options = options;
  }

  get origin(): string {
    return this.#options.ceremony.place.origin;
  }

  /**
   * @returns what the browser is asked, and what it keeps until it answers, which binds the answer to it
   * @throws AppError 429 too_many_attempts
   */
  async begin(ip: string): Promise<{ options: PublicKeyCredentialRequestOptionsJSON; browser: string }> {
    const { ceremony, attempts, clock } = this.#options;
    const held = await countAttempt(attempts, [{ scope: scopeOf(ip), ...SHARED_ATTEMPTS }], clock.now());
    if (held) throw held;
    const browser = randomBytes(32).toString('base64url');
    return { options: await ceremony.askSigned(null, boundTo(browser)), browser };
  }

  /** @throws AppError 403 passkey_stale, passkey_unknown, passkey_refused, account_disabled */
  async finish(answer: PasskeyAnswer, browser: string | undefined, origin: LoginOrigin): Promise<LoggedIn> {
    const { users, attempts } = this.#options;
    const asserted = await this.#asserted(answer, browser ?? '', origin);
    const user = await users.get(asserted.passkey.userName);
    if (!user || !this.#letsIn(user)) throw passkeyUnknown();
    if (user.disabledAt !== null) throw accountDisabled();
    const loggedIn = await this.#enter(asserted, user, origin);
    await attempts.succeeded([], [scopeOf(origin.ip)]);
    return loggedIn;
  }

  async #asserted(answer: PasskeyAnswer, browser: string, origin: LoginOrigin): Promise<Asserted> {
    const { ceremony, sessions } = this.#options;
    try {
      return await ceremony.readSigned(answer, null, boundTo(browser));
    } catch (error) {
      const owner = await ceremony.ownerOf(answer);
      throw owner !== null && error instanceof AppError ? await sessions.refuse(owner, origin, error) : error;
    }
  }

  #letsIn({ passwordHash, emergency }: UserRecord): boolean {
    return passwordHash !== null && (this.#options.passwords === 'all' || emergency);
  }

  async #enter({ passkey, counter }: Asserted, user: UserRecord, origin: LoginOrigin): Promise<LoggedIn> {
    const { users, sessions, emergency } = this.#options;
    const proof = { kind: 'passkey', id: passkey.id, counter } as const;
    const login = { name: user.name, passwordHash: null, proof, waits: false };
    const loggedIn = await sessions.enter(origin, async (draft) => {
      const session = await users.startSession(login, draft, sessionActor(user.name, origin.ip));
      // Removed, or used elsewhere, since it was read.
      if (!session) throw passkeyRefused();
      return session;
    });
    if (user.emergency) await emergency.used(user.name, origin.ip);
    return loggedIn;
  }
}

const scopeOf = (ip: string): string => `passkey:${networkOf(ip)}`;
const boundTo = (browser: string): string => `browser:${hash('sha256', browser, 'hex')}`;
