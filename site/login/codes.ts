import type { Clock } from '../../common/clock.ts';
import { newShortCode, readShortCode } from '../../common/secret/short-code.ts';

const LIFETIME_MS = 10 * 60_000;

/**
 * The short code by which somebody logs in to the page who may use the commands: one at a time, good once and
 * for ten minutes. It is kept in memory alone: a restart ends it.
 */
export class LoginCodes {
  #clock: Clock;
  /** `until` is monotonic: a step of the wall clock lengthens nothing. */
  #code: { text: string; by: string; until: number } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param by whose session it opens @returns the code, and when it ends, epoch ms */
  issue(by: string): { code: string; expiresAt: number } {
    const code = newShortCode();
    this.#code = { text: code, by, until: this.#clock.monotonic() + LIFETIME_MS };
    return { code, expiresAt: this.#clock.now() + LIFETIME_MS };
  }

  /** Uses the code up. @returns whose session it opens; null when it is not the code */
  take(typed: string): string | null {
    const code = this.#code;
    if (code === null || this.#clock.monotonic() >= code.until || readShortCode(typed) !== code.text)
      return null;
    this.#code = null;
    return code.by;
  }
}
