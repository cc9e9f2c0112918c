import type { Clock } from '../../clock.ts';
import { AppError, unauthorized } from '../../http/error.ts';
import { networkOf } from '../../http/outbound/network.ts';
import type { Logger } from '../../log.ts';
import { Loop } from '../../loop.ts';
import type { AuditPort } from '../audit/port.ts';
import type { LoginAttemptPort } from '../session/port.ts';

export interface AdminKeyRefusalOptions {
  attempts: LoginAttemptPort;
  audit: AuditPort;
  clock: Clock;
  log: Logger;
}

const MINUTE_MS = 60_000;
/**
 * Wrong keys from one address. Many callers may share one, and a script that has the old key is no attacker,
 * so that the delay stays short.
 */
const LIMIT = { free: 20, longestMs: MINUTE_MS };
/**
 * Addresses that are told apart in one minute; the others are counted together, so that neither memory nor
 * audit fill up.
 */
const MAX_ADDRESSES = 100;
const OTHERS = 'others';

interface Refused {
  /** Last entry of this address in the audit, epoch ms of the monotonic clock. */
  toldAt: number;
  /** Since that entry. */
  untold: number;
  ip: string;
  /** Epoch ms before which its wrong keys are turned away without being counted; they cost no write. */
  heldUntil: number;
}

/**
 * Wrong admin keys: limited by address, logged and audited, at most one entry for an address and minute, with
 * how many there were. A right key is never held up: it is checked first, and a caller behind the same
 * address may have it.
 */
export class AdminKeyRefusals {
  readonly counts = { wrong: 0, heldUp: 0 };
  readonly #options: AdminKeyRefusalOptions;
  #byAddress = new Map<string, Refused>();
  #teller: Loop;

  constructor(options: AdminKeyRefusalOptions) {
    this.#options = options;
    this.#teller = new Loop({
      name: 'refused admin keys',
      interval: MINUTE_MS,
      log: options.log,
      round: () => this.round(),
      monotonic: () => options.clock.monotonic(),
    });
  }

  start(): void {
    this.#teller.start();
  }

  /** Logs and audits the refusals that no entry has counted yet. */
  async stop(): Promise<void> {
    await this.#teller.stop();
    for (const [address, refused] of this.#byAddress)
      if (refused.untold > 0) await this.#tell(address, refused);
  }

  /** The error to answer with. @param ip of the caller; empty for the local socket */
  async refuse(ip: string): Promise<AppError> {
    const [address, refused] = this.#of(ip);
    refused.untold += 1;
    refused.ip = ip;
    const until = await this.#heldUntil(address, refused);
    if (until > 0) this.counts.heldUp += 1;
    else this.counts.wrong += 1;
    if (this.#options.clock.monotonic() - refused.toldAt >= MINUTE_MS) await this.#tell(address, refused);
    if (until === 0) return unauthorized('The admin key is wrong.', '管理密钥不正确。');
    const seconds = Math.max(1, Math.ceil((until - this.#options.clock.now()) / 1000));
    return new AppError(
      429,
      'too_many_attempts',
      `Too many wrong admin keys came from this address. Try again in ${seconds} s.`,
      { retryAfterSeconds: seconds },
    );
  }

  /** Logs and audits what came since the last entries, and forgets addresses from which nothing came. */
  async round(): Promise<void> {
    for (const [address, refused] of this.#byAddress) {
      if (this.#options.clock.monotonic() - refused.toldAt < MINUTE_MS) continue;
      if (refused.untold > 0) await this.#tell(address, refused);
      else if (refused.heldUntil <= this.#options.clock.now()) this.#byAddress.delete(address);
    }
  }

  #of(ip: string): [string, Refused] {
    const own = networkOf(ip);
    const address = this.#byAddress.has(own) || this.#byAddress.size < MAX_ADDRESSES ? own : OTHERS;
    const refused = this.#byAddress.get(address) ?? { toldAt: -Infinity, untold: 0, ip, heldUntil: 0 };
    this.#byAddress.set(address, refused);
    return [address, refused];
  }

  /** 0: the attempt was counted, and is not held up. */
  async #heldUntil(address: string, refused: Refused): Promise<number> {
    const now = this.#options.clock.now();
    if (refused.heldUntil > now) return refused.heldUntil;
    try {
      refused.heldUntil =
        (await this.#options.attempts.begin([{ scope: `admin_key:${address}`, ...LIMIT }], now)) ?? 0;
    } catch (error) {
      // The caller is refused whether or not the attempt can be counted.
      this.#options.log.warn({ err: error }, 'a wrong admin key could not be counted');
    }
    return refused.heldUntil > now ? refused.heldUntil : 0;
  }

  async #tell(address: string, refused: Refused): Promise<void> {
    const { untold: count, ip } = refused;
    refused.untold = 0;
    refused.toldAt = this.#options.clock.monotonic();
    this.#options.log.warn({ address, count }, 'an admin key was refused');
    try {
      await this.#options.audit.add({
        id: this.#options.clock.newId(),
        at: this.#options.clock.now(),
        actor: `public from ${ip || 'local socket'}`,
        action: 'admin_key.refused',
        subject: `address:${address}`,
        tenantCode: null,
        before: null,
        after: { count },
      });
    } catch (error) {
      refused.untold += count;
      this.#options.log.warn(
        { err: error, address, count },
        'the refusal of an admin key could not be audited',
      );
    }
  }
}
