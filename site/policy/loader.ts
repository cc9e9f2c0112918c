import { type Clock, type Stamp, stampOf } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import { Loop, type RoundResult } from '../../common/loop.ts';
import type { Message } from '../../common/message.ts';
import {
  CLAUSE_BYTES,
  type LibraryItem,
  type LibraryRequest,
  MAX_ASKED,
} from '../../common/uplink/library.ts';
import { PROTOCOL } from '../../common/uplink/wire.ts';
import type { LinkFault } from '../site-messages.ts';
import { Attempts } from '../uplink/attempts.ts';
import { Pace } from '../uplink/evidence/pace.ts';
import type { Failed } from '../uplink/hub-calls.ts';
import type { LibraryCalls, Told } from './calls.ts';
import { type Library, type LibraryPort, LibraryRefused } from './port.ts';

/** Between rounds that nothing triggers, ms. */
const INTERVAL_MS = 3_000;
/** Headquarters is asked this often although it told of nothing: this store may be a copy of an older one. */
const ASK_EVERY_MS = 15 * 60_000;
/** What was refused is asked for again after this, ms. */
const REFUSED_MS = 10 * 60_000;

export interface LibraryLoaderOptions {
  libraries: LibraryPort;
  calls: Pick<LibraryCalls, 'files' | 'clauses'>;
  /** Tenants of this site, as headquarters said; null: it has not yet. */
  tenants: () => readonly string[] | null;
  linked: () => boolean;
  envelope: () => { version: string; instance: string; epoch: string };
  /** Kilobits a second at most, as for evidence; null: no cap. */
  kbps: number | null;
  clock: Clock;
  log: Logger;
  random?: () => number;
}

/** What this process is about with the library of one tenant. */
interface Errand {
  /** Monotonic ms from which on headquarters is to be asked for files. */
  askAt: number;
  /** All that changed was told; it is yet to be compared. */
  toldAll: boolean;
  /** Headquarters is to hear how it stands, although nothing is new. */
  tell: boolean;
  /** All files were gone through since it was found to differ. */
  wentThrough: boolean;
  /** It was refused, and was not asked for again yet. */
  resting: boolean;
}

/**
 * Fetches the policies in force, one call at a time beside the channels, in pieces that a slow link brings
 * across: first which files there are, then their clauses. What was fetched is kept, whatever happens.
 */
export class LibraryLoader {
  readonly loop: Loop;
  readonly attempts = new Attempts();
  /** Since the start. */
  readonly counts = { calls: 0, bytes: 0 };
  readonly #options: LibraryLoaderOptions;
  readonly #random: () => number;
  readonly #pace: Pace;
  readonly #errands = new Map<string, Errand>();

  constructor(options: LibraryLoaderOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#pace = new Pace(options);
    this.loop = new Loop({
      name: 'library',
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
      ...(options.random ? { random: options.random } : {}),
    });
  }

  /** Headquarters named a version that this site is to have. */
  async take({ tenant_code: tenantCode }: LibraryItem): Promise<void> {
    await this.#options.libraries.begin(tenantCode, this.#options.clock.now());
    Object.assign(this.#errandOf(tenantCode), { askAt: -Infinity, tell: true });
    if (this.attempts.nextAt <= this.#now()) this.loop.kick();
  }

  /** Takes one step for one tenant. */
  async round(signal: AbortSignal): Promise<RoundResult> {
    const { libraries, tenants, linked, clock } = this.#options;
    const wait = Math.max(this.attempts.nextAt - this.#now(), this.#pace.wait(this.#now()));
    if (!linked() || wait > 0) return { again: false, pauseMs: Math.min(Math.max(wait, 1), INTERVAL_MS) };
    for (const tenantCode of tenants() ?? []) await libraries.begin(tenantCode, clock.now());
    for (const library of libraries.all()) {
      const done = await this.#step(library, signal);
      if (done !== 'nothing') return { again: done === 'done' && !signal.aborted };
    }
    return { again: false };
  }

  async #step(library: Library, signal: AbortSignal): Promise<'nothing' | 'done' | 'failed'> {
    const errand = this.#errandOf(library.tenantCode);
    try {
      if (errand.askAt <= this.#now()) return await this.#askFiles(library, errand, signal);
      const wanted = this.#options.libraries.wanted(library.tenantCode, MAX_ASKED);
      if (errand.resting) return 'nothing';
      if (wanted.length > 0) return await this.#askClauses(library, wanted, signal);
      return await this.#compare(library, errand);
    } catch (error) {
      if (!(error instanceof LibraryRefused)) throw error;
      return this.#refuse(library, errand, error.reason);
    }
  }

  async #askFiles(library: Library, errand: Errand, signal: AbortSignal): Promise<'done' | 'failed'> {
    const { libraries, calls } = this.#options;
    const { through: after, hubEpoch: hub_epoch, whole, tenantCode } = library;
    const ask = { kind: 'files' as const, after, hub_epoch, whole };
    const told = await this.#asked(calls.files(this.#request(tenantCode, ask), signal));
    if (told === null) return 'failed';
    await libraries.takeFiles(tenantCode, told);
    errand.resting = false;
    errand.toldAll = !told.more;
    if (errand.toldAll) errand.askAt = this.#now() + ASK_EVERY_MS;
    return 'done';
  }

  async #askClauses(
    { tenantCode }: Library,
    files: ReturnType<LibraryPort['wanted']>,
    signal: AbortSignal,
  ): Promise<'done' | 'failed'> {
    const { libraries, calls } = this.#options;
    const bytes = Math.min(CLAUSE_BYTES.most, Math.max(CLAUSE_BYTES.least, this.#pace.pieceBytes));
    const ask = { kind: 'clauses' as const, bytes, files };
    const told = await this.#asked(calls.clauses(this.#request(tenantCode, ask), signal));
    if (told === null) return 'failed';
    await libraries.takeClauses(tenantCode, told);
    return 'done';
  }

  /** All that was told of is here: it is what headquarters has, or all files are gone through once. */
  async #compare(library: Library, errand: Errand): Promise<'nothing' | 'done'> {
    const { libraries } = this.#options;
    const { tenantCode, told, version, state, digest } = library;
    if (!errand.toldAll) return 'nothing';
    errand.toldAll = false;
    if (digest === libraries.digest(tenantCode)) {
      if (errand.tell || state !== 'here' || told !== version) {
        await libraries.settle(tenantCode, null, this.#stamp());
        this.#options.log.info({ tenantCode, version: told }, 'the policies in force are here');
      }
      Object.assign(errand, { tell: false, wentThrough: false });
      return 'done';
    }
    if (errand.wentThrough) throw new LibraryRefused({ code: 'library_differs', params: {} });
    errand.wentThrough = true;
    errand.askAt = -Infinity;
    await libraries.again(tenantCode);
    return 'done';
  }

  async #refuse({ tenantCode }: Library, errand: Errand, reason: Message): Promise<'done'> {
    const { libraries, log } = this.#options;
    log.error({ tenantCode, reason }, 'the policies in force are not taken as headquarters gives them');
    await libraries.settle(tenantCode, reason, this.#stamp());
    await libraries.again(tenantCode);
    Object.assign(errand, { tell: false, wentThrough: false, resting: true });
    errand.askAt = this.#now() + REFUSED_MS;
    return 'done';
  }

  /** @returns null where nothing came of it */
  async #asked<T>(call: Promise<Told<T>>): Promise<T | null> {
    const began = this.#now();
    const told = await call;
    this.counts.calls += 1;
    if (told.kind === 'answered') {
      this.attempts.succeeded();
      this.counts.bytes += told.bytes;
      this.#pace.sent(told.bytes, began, this.#now());
      return told.answer;
    }
    if (told.kind === 'strange') throw new LibraryRefused({ code: 'library_strange', params: {} });
    this.#failed(told);
    return null;
  }

  #failed({ fault, unreachable, retryAfterMs }: Failed): void {
    if (unreachable) this.#pace.slower();
    const waitMs = this.attempts.failed(fault satisfies LinkFault, this.#now(), this.#random(), retryAfterMs);
    this.#options.log.debug({ fault, waitMs }, 'the library was not fetched');
  }

  #request(tenantCode: string, ask: LibraryRequest['ask']): LibraryRequest {
    return { protocol: PROTOCOL, ...this.#options.envelope(), tenant_code: tenantCode, ask };
  }

  #errandOf(tenantCode: string): Errand {
    let errand = this.#errands.get(tenantCode);
    if (!errand) {
      errand = { askAt: -Infinity, toldAll: false, tell: true, wentThrough: false, resting: false };
      this.#errands.set(tenantCode, errand);
    }
    return errand;
  }

  #stamp(): Stamp {
    return stampOf(this.#options.clock);
  }

  #now(): number {
    return this.#options.clock.monotonic();
  }
}
