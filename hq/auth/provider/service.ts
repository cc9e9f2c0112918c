import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import type { Clock } from '../../../common/clock.ts';
import { countAttempt, SHARED_ATTEMPTS } from '../../../common/core/session/attempt.ts';
import { sessionActor } from '../../../common/core/session/login.ts';
import type { LoginAttemptPort } from '../../../common/core/session/port.ts';
import type { LoggedIn, LoginOrigin, SessionService } from '../../../common/core/session/service.ts';
import { AppError } from '../../../common/http/error.ts';
import { TransportError } from '../../../common/http/outbound/client.ts';
import { networkOf } from '../../../common/http/outbound/network.ts';
import type { Logger } from '../../../common/log.ts';
import { seal, unseal } from '../../../common/secret/sealing.ts';
import type { Checks, ProviderClient, SignedIn } from './client.ts';
import { decideRights } from './decide.ts';
import type { ProviderPort } from './port.ts';
import type { ProviderConfig } from './record.ts';
import {
  accountDisabled,
  answerUntrue,
  nameTaken,
  noRights,
  providerAway,
  providerDenied,
  signInStale,
} from './refusals.ts';

/** A person has this long to sign in at the provider, ms. */
export const SIGN_IN_MS = 600_000;

export interface ProviderServiceOptions {
  config: ProviderConfig;
  client: ProviderClient;
  logins: ProviderPort;
  attempts: LoginAttemptPort;
  sessions: SessionService;
  masterKey: Buffer;
  clock: Clock;
  log: Logger;
}

/** Sign-in by the provider of identities. */
export class ProviderService {
  readonly counts = { began: 0, refused: 0 };
  readonly #options: ProviderServiceOptions;

  constructor(options: ProviderServiceOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.config.name;
  }

  /**
   * @returns where the browser goes, and what it keeps until it is back, which binds the answer to it
   * @throws AppError 429 too_many_attempts, 502 provider_away
   */
  async begin(ip: string): Promise<{ goTo: string; browser: string }> {
    const { client, logins, attempts, masterKey, clock } = this.#options;
    const now = clock.now();
    const held = await countAttempt(attempts, [{ scope: scopeOf(ip), ...SHARED_ATTEMPTS }], now);
    if (held) throw held;
    const { address, checks } = await client.begin().catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'the provider of identities cannot be asked');
      throw providerAway(error);
    });
    const browser = randomBytes(32).toString('base64url');
    const id = hash('sha256', checks.state, 'hex');
    const sealed = seal(JSON.stringify(checks), masterKey, `sign-in ${id}`);
    const browserHash = hash('sha256', browser, 'hex');
    await logins.begin({ id, browserHash, sealed, expiresAt: now + SIGN_IN_MS }, now);
    this.counts.began += 1;
    return { goTo: address, browser };
  }

  /**
   * The browser is back. @param query of the address that it was sent to
   * @throws AppError 403 with what is wrong, 409 provider_name_taken, 502 provider_away
   */
  async finish(query: string, browser: string | undefined, origin: LoginOrigin): Promise<LoggedIn> {
    try {
      const signedIn = await this.#signedIn(query, browser);
      const loggedIn = await this.#enter(signedIn, origin);
      await this.#options.attempts.succeeded([], [scopeOf(origin.ip)]);
      return loggedIn;
    } catch (error) {
      this.counts.refused += 1;
      const { code, cause } = error as { code?: string; cause?: unknown };
      this.#options.log.warn({ ip: origin.ip, code, err: cause }, 'a sign-in by the provider was refused');
      throw error;
    }
  }

  /** Where the browser goes after its session has ended here; null: nowhere. */
  async logoutAddress(sessionId: string): Promise<string | null> {
    const { logins, client, masterKey, log } = this.#options;
    const sealed = await logins.idTokenOf(sessionId);
    if (sealed === null) return null;
    try {
      return await client.endAddress(unseal(sealed, masterKey, ID_TOKEN));
    } catch (error) {
      // The session here ends all the same.
      log.warn({ err: error }, 'the provider of identities was not asked to log out');
      return null;
    }
  }

  async #signedIn(query: string, browser: string | undefined): Promise<SignedIn> {
    const { client, logins, masterKey, clock } = this.#options;
    const state = new URLSearchParams(query).get('state') ?? '';
    const id = hash('sha256', state, 'hex');
    const row = await logins.take(id, clock.now());
    if (!row || !sameHash(row.browserHash, browser)) throw signInStale();
    const checks = JSON.parse(unseal(row.sealed, masterKey, `sign-in ${id}`)) as Checks;
    return this.#asked(() => client.finish(query, checks));
  }

  async #enter({ subject, claims, idToken }: SignedIn, origin: LoginOrigin): Promise<LoggedIn> {
    const { config, logins, sessions, masterKey, clock } = this.#options;
    const person = { issuer: config.issuer, subject };
    const rights = decideRights(claims, config.mapping);
    if ('fault' in rights) {
      const actor = `identity provider from ${origin.ip || 'local socket'}`;
      await logins.withdraw(person, { now: clock.now(), actor });
      throw noRights(rights.fault);
    }
    const sealed = idToken === null ? null : seal(idToken, masterKey, ID_TOKEN);
    return sessions.enter(origin, async (draft) => {
      const opened = await logins.enter({ ...person, rights, idToken: sealed }, draft, (name) =>
        sessionActor(name, origin.ip),
      );
      if (opened === 'disabled') throw accountDisabled();
      if (opened === 'name_taken') throw nameTaken();
      return opened;
    });
  }

  /** What goes wrong with the provider, in words for the person who waits. */
  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (error instanceof AuthorizationResponseError) throw providerDenied(error);
      if (error instanceof ResponseBodyError) throw answerUntrue(error);
      if (isAway(error)) throw providerAway(error);
      if (error instanceof ClientError) throw answerUntrue(error);
      throw error;
    }
  }
}

const ID_TOKEN = 'id token';
const scopeOf = (ip: string): string => `provider:${networkOf(ip)}`;

function isAway(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at instanceof TransportError || AWAY.has((at as { code?: string }).code ?? '')) return true;
  return false;
}

/** The provider answers, but with a page of its proxy, or an error of its own. */
const AWAY = new Set(['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_TIMEOUT']);

function sameHash(stored: string, browser: string | undefined): boolean {
  const given = Buffer.from(hash('sha256', browser ?? '', 'hex'));
  const right = Buffer.from(stored);
  return given.length === right.length && timingSafeEqual(given, right);
}
