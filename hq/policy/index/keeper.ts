// Keeps the search index of this hub process. The index is a file derived from Postgres and never the only
// copy of anything: whatever may be wrong with it, a new one is built. Every process has a file of its own,
// in a directory that it has locked (slot.ts). One thread has the file open, and before each answer reads
// what was committed meanwhile; a second one builds. What heals it:
//
//   no file, another version or database, far behind, a wrong digest, unreadable
//                                      a new one is built first; searches wait, and after 10 s get a 503
//   no digest: the process was killed  it is checked through, serves, and a new one is built beside it
//   removed, or more waste than in use it serves, and a new one is built beside it
//   an error in use, or a dead thread  it is given up, and taken or built anew; the search that met it waits
//   Postgres does not answer           503; nothing is given up
//   a build fails, as on a full disk   the present file serves on; an alarm stands until a build succeeds
//   killed in the middle of a build    the next build begins with removing what is half there
//
// Nothing runs before there is something to index.
import type { Clock } from '../../../common/clock.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop } from '../../../common/loop.ts';
import { nothingFor, type Question, type Ranking } from '../../../common/policy/index/rank.ts';
import type { IndexFacts } from '../../../common/policy/index/search-index.ts';
import { BuildAlarm } from './build-alarm.ts';
import { IndexFiles, type IndexFilesParts } from './files.ts';
import { asAppError, stopping, within } from './refusal.ts';
import { type IndexThread, ThreadFailure } from './thread.ts';

export interface IndexKeeperOptions extends IndexFilesParts {
  log: Logger;
  clock: Clock;
  alarms: AlarmPort;
  instance: string;
  /** Newest change number of the policy library. */
  head: () => Promise<number>;
  /** Longest that a search waits for an index to be made, ms. Default 10 s. */
  waitMs?: number;
}

export interface IndexStatus {
  state: 'absent' | 'building' | 'ready' | 'failed';
  /** A new file is being made; the old one, if there is one, serves meanwhile. */
  building: boolean;
  facts: IndexFacts | null;
  lastBuild: { at: number; ms: number; reason: string } | null;
  lastError: string | null;
}

const KEEP_WARM_MS = 2_000;
const WAIT_MS = 10_000;
const FILE = 'index.db';
const BUILT = 'building.db';

export class IndexKeeper {
  /** Keeps the index warm, so that a search has little to catch up with. */
  readonly loop: Loop;
  #files: IndexFiles;
  readonly #options: IndexKeeperOptions;
  #alarm: BuildAlarm;
  #waitMs: number;
  #serving: IndexThread | null = null;
  #builder: IndexThread | null = null;
  /** The serving thread, as soon as its file is in use; null until a search or round opens it (again). */
  #opened: Promise<IndexThread> | null = null;
  #building: Promise<void> | null = null;
  #stopped = false;
  #lastBuild: IndexStatus['lastBuild'] = null;
  #lastError: string | null = null;

  constructor(options: IndexKeeperOptions) {
    this.#files = new IndexFiles(options);
    this.#options = options;
    this.#alarm = new BuildAlarm(options);
    this.#waitMs = options.waitMs ?? WAIT_MS;
    const { clock, log } = options;
    const monotonic = (): number => clock.monotonic();
    this.loop = new Loop({
      name: 'policy index',
      interval: KEEP_WARM_MS,
      log,
      monotonic,
      round: () => this.round(),
    });
  }

  /**
   * Ranks over everything that was committed before the call.
   * @throws AppError 503 index_building, store_unavailable, store_closed
   */
  async search(question: Question): Promise<Ranking> {
    if (await this.#empty()) return nothingFor(question);
    const until = AbortSignal.timeout(this.#waitMs);
    for (;;) {
      const opened = this.#usable();
      const thread = await within(opened, until);
      try {
        return await within(thread.ask({ kind: 'search', question }), until);
      } catch (error) {
        this.#giveUp(opened, error);
      }
    }
  }

  async round(): Promise<void> {
    if (this.#stopped || (await this.#empty())) return;
    const opened = this.#usable();
    const thread = await opened;
    try {
      const { worn } = await thread.ask({ kind: 'catch_up' });
      if (worn !== null) this.rebuildAside(worn);
    } catch (error) {
      this.#giveUp(opened, error);
    }
  }

  /**
   * Builds a new file beside the present one, which serves until then. @throws AppError 503 when that failed
   */
  rebuild(reason: string): Promise<void> {
    if (this.#stopped) return Promise.reject(stopping());
    return (this.#building ??= this.#build(reason).finally(() => (this.#building = null)));
  }

  /** As `rebuild`, without waiting for it. */
  rebuildAside(reason: string): void {
    this.rebuild(reason).catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'the search index was not made anew'),
    );
  }

  async status(): Promise<IndexStatus> {
    const building = this.#building !== null;
    const facts = this.#serving && this.#opened ? await this.#factsOf(this.#serving) : null;
    const without = this.#lastError === null ? 'absent' : 'failed';
    const state = facts ? 'ready' : building || this.#opened ? 'building' : without;
    return { state, building, facts, lastBuild: this.#lastBuild, lastError: this.#lastError };
  }

  /** Closes and seals the file. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#builder?.end();
    await this.loop.stop();
    // Their failures have been reported to those who wait for them; here they only have to have ended.
    await Promise.allSettled([this.#building, this.#opened]);
    const thread = this.#serving;
    if (thread) {
      await thread
        .ask({ kind: 'close' })
        .catch((err: unknown) =>
          this.#options.log.warn({ err }, 'the search index was not closed in order and will be made anew'),
        );
      await thread.end();
    }
    this.#files.release();
  }

  async #empty(): Promise<boolean> {
    return !this.#serving && (await this.#options.head()) === 0;
  }

  #usable(): Promise<IndexThread> {
    if (this.#stopped) return Promise.reject(stopping());
    if (this.#opened) return this.#opened;
    const opened = this.#open();
    this.#opened = opened;
    opened.catch(() => this.#forget(opened));
    return opened;
  }

  async #open(): Promise<IndexThread> {
    const thread = this.#servingThread();
    try {
      const { whole } = await thread.ask({ kind: 'open' });
      if (!whole) this.rebuildAside('the file was not closed in order');
    } catch (error) {
      if (!(error instanceof ThreadFailure) || error.kind === 'store') throw asAppError(error);
      await this.rebuild(error.message);
    }
    return this.#servingThread();
  }

  /** Gives the file up where a new one can help, so that the next use builds it. @throws any other error */
  #giveUp(opened: Promise<IndexThread>, error: unknown): void {
    if (!(error instanceof ThreadFailure) || error.kind !== 'unusable') throw asAppError(error);
    this.#options.log.warn({ why: error.message }, 'the search index cannot be used and is made anew');
    this.#forget(opened);
  }

  /** Another caller may have replaced it already; then the newer one stays. */
  #forget(opened: Promise<IndexThread>): void {
    if (this.#opened === opened) this.#opened = null;
  }

  #servingThread(): IndexThread {
    if (this.#serving?.dead) this.#serving = null;
    return (this.#serving ??= this.#files.start(FILE));
  }

  /** null for a file that cannot be used; the next search or round makes a new one. */
  async #factsOf(thread: IndexThread): Promise<IndexFacts | null> {
    try {
      return await thread.ask({ kind: 'facts' });
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the search index does not say how it stands');
      return null;
    }
  }

  async #build(reason: string): Promise<void> {
    const began = this.#options.clock.monotonic();
    const builder = (this.#builder = this.#files.start(BUILT));
    try {
      const { changeNo } = await builder.ask({ kind: 'build' });
      const serving = this.#servingThread();
      await serving.ask({ kind: 'replace', built: this.#files.pathOf(BUILT) });
      this.#opened = Promise.resolve(serving);
      const ms = Math.round(this.#options.clock.monotonic() - began);
      this.#lastBuild = { at: this.#options.clock.now(), ms, reason };
      this.#lastError = null;
      this.#options.log.info({ reason, changeNo, ms }, 'the search index was made');
      await this.#alarm.clear();
    } catch (error) {
      if (!this.#stopped) await this.#tellFailed(reason, error);
      throw asAppError(error);
    } finally {
      this.#builder = null;
      await builder.end();
    }
  }

  async #tellFailed(reason: string, error: unknown): Promise<void> {
    this.#lastError = error instanceof Error ? error.message : String(error);
    await this.#alarm.raise(reason, this.#lastError);
  }
}
