import { hash } from 'node:crypto';
import type { Clock } from '../../../common/clock.ts';
import type { IssuedKey } from '../../../common/core/key/service.ts';
import type { LoginAttemptPort } from '../../../common/core/session/port.ts';
import { AppError, conflict, notFound } from '../../../common/http/error.ts';
import { networkOf } from '../../../common/http/outbound/network.ts';
import { newShortCode, readShortCode } from '../../../common/secret/short-code.ts';
import { MOST_KEYS, type SiteRegistry } from '../sites.ts';
import type { JoiningCodePort } from './port.ts';

const LIFETIME_MS = 10 * 60_000;
/**
 * Wrong codes from one address. A right one is never held up by them, and so each is looked for: with a
 * thousand guesses a second for as long as a code is good, one in two million finds it.
 */
const GUESSES = { free: 5, longestMs: 15 * 60_000 };

export interface JoiningCodesParts {
  codes: JoiningCodePort;
  registry: SiteRegistry;
  attempts: LoginAttemptPort;
  clock: Clock;
}

/** Short codes in place of a long secret that somebody would have to carry to the site. */
export class JoiningCodes {
  readonly #parts: JoiningCodesParts;

  constructor(parts: JoiningCodesParts) {
    this.#parts = parts;
  }

  /**
   * @returns the code in clear, this once, and when it ends, epoch ms
   * @throws AppError 404, 409 too_many_keys
   */
  async issue(instance: string, actor: string): Promise<{ code: string; expiresAt: number }> {
    const site = (await this.#parts.registry.list()).find((one) => one.instance === instance);
    if (!site) throw notFound(`The site ${instance}`);
    if (site.keys.length >= MOST_KEYS)
      throw conflict(
        'too_many_keys',
        `The site ${instance} has ${MOST_KEYS} keys already; withdraw one first.`,
      );
    const code = newShortCode();
    const now = this.#parts.clock.now();
    const expiresAt = now + LIFETIME_MS;
    await this.#parts.codes.put({ instance, codeHash: digestOf(code), expiresAt, createdBy: actor }, now);
    return { code, expiresAt };
  }

  /**
   * Gives the site that the code is for a key of its own.
   * @param instance that the caller takes itself for; left out: the one of the code
   * @throws AppError 401 invalid_code, 409 too_many_keys, 429 too_many_attempts
   */
  async redeem(
    typed: string,
    instance: string | undefined,
    ip: string,
  ): Promise<{ instance: string } & IssuedKey> {
    const now = this.#parts.clock.now();
    const scope = `join:${networkOf(ip)}`;
    const code = readShortCode(typed);
    const taken = code && (await this.#parts.codes.take(digestOf(code), instance ?? null, now));
    if (!taken) {
      const until = await this.#parts.attempts.begin([{ scope, ...GUESSES }], now);
      if (until !== null) throw heldUp(Math.max(1, Math.ceil((until - now) / 1000)));
      throw new AppError(401, 'invalid_code', INVALID);
    }
    const by = `${taken.createdBy}, by a joining code used from ${ip || 'local socket'}`;
    const key = await this.#parts.registry.issue(taken.instance, undefined, by);
    return { instance: taken.instance, ...key };
  }
}

const INVALID =
  'There is no such code for this site, or it was used, or it is older than ten minutes. Ask for another.';

const heldUp = (seconds: number): AppError =>
  new AppError(429, 'too_many_attempts', `Too many codes were wrong. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  });

const digestOf = (code: string): string => hash('sha256', code, 'hex');
