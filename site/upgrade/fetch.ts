import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import type { ReleasePackage } from '../../common/uplink/upgrade/manifest.ts';
import { MAX_PACKAGE_PIECE, packagePath } from '../../common/uplink/upgrade/record.ts';
import { Attempts } from '../uplink/attempts.ts';
import type { Pace } from '../uplink/evidence/pace.ts';
import type { HubCalls } from '../uplink/hub-calls.ts';
import type { UpgradeFiles } from './files.ts';

export interface PackageFetchOptions {
  files: Pick<UpgradeFiles, 'fetched' | 'add'>;
  calls: Pick<HubCalls, 'send' | 'failed'>;
  /** That of evidence: they share its cap on the rate. */
  pace: Pace;
  /** Whether the link is up and no events wait for it. */
  free: () => boolean;
  clock: Clock;
  log: Logger;
  random?: () => number;
}

/** Fetches a package in pieces, each of which is kept; what breaks off goes on where it stood. */
export class PackageFetch {
  readonly attempts = new Attempts();
  readonly #options: PackageFetchOptions;
  readonly #random: () => number;

  constructor(options: PackageFetchOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  /** Ms until the next piece may be asked for; 0: now. @param lookMs while events go first */
  wait(lookMs: number): number {
    const { pace, free } = this.#options;
    const wait = Math.max(this.attempts.nextAt - this.#now(), pace.wait(this.#now()));
    return wait > 0 ? wait : free() ? 0 : lookMs;
  }

  /** @returns bytes that are there now; null: nothing came, and it is tried again after a while */
  async piece({ sha256, size }: ReleasePackage, signal: AbortSignal): Promise<number | null> {
    const { files, calls, pace } = this.#options;
    const offset = await files.fetched(sha256);
    if (offset >= size) return offset;
    const bytes = Math.min(pace.pieceBytes, MAX_PACKAGE_PIECE, size - offset);
    const began = this.#now();
    const call = { body: Buffer.alloc(0), type: 'application/octet-stream', maxAnswer: bytes, signal };
    const http = await calls.send('GET', packagePath(sha256, offset, bytes), call);
    if (!('kind' in http) && (http.status === 200 || http.status === 206) && http.body.length > 0) {
      pace.sent(http.body.length, began, this.#now());
      await files.add(sha256, http.body);
      this.attempts.succeeded();
      return offset + http.body.length;
    }
    const failed = 'kind' in http ? http : calls.failed(http);
    if (failed.unreachable) pace.slower();
    const waitMs = this.attempts.failed(failed.fault, this.#now(), this.#random(), failed.retryAfterMs);
    this.#options.log.debug({ fault: failed.fault, waitMs }, 'no piece of the package came');
    return null;
  }

  #now(): number {
    return this.#options.clock.monotonic();
  }
}
