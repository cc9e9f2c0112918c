import { join } from 'node:path';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import { AppError } from '../../../common/http/error.ts';
import type { Clock } from '../../../common/clock.ts';
import type { Logger } from '../../../common/log.ts';
import type { RoundResult } from '../../../common/loop.ts';
import type { IndexFacts } from './keeper.ts';
import type { Question, Ranking } from './rank.ts';
import { claimSlot, type Slot } from './slot.ts';
import { IndexThread, ThreadFailure } from './thread.ts';

export interface SearchIndexOptions {
  databaseUrl: string;
  /** For index files; shared with other hub processes or not. */
  directory: string;
  logLevel: string;
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

const WAIT_MS = 10_000;
const RETRY_AFTER_S = 5;
const ALARM = 'policy_index';

/**
 * The search index of this process: derived from Postgres, kept by a thread of its own, made anew by itself whenever the
 * file is missing, damaged, of another version or of another database. Nothing runs before there is something to index.
 */
export class SearchIndex {
  #options: SearchIndexOptions;
  #slot: Slot | null = null;
  #thread: IndexThread | null = null;
  #opening: Promise<void> | null = null;
  #building: Promise<void> | null = null;
  #builder: IndexThread | null = null;
  #ready = false;
  #stopped = false;
  #lastBuild: IndexStatus['lastBuild'] = null;
  #lastError: string | null = null;

  constructor(options: SearchIndexOptions) {
    this.#options = options;
  }

  /** Ranks over everything that was committed before the call. @throws AppError 503 index_building, store_unavailable */
  async search(question: Question): Promise<Ranking> {
    if (!this.#thread && (await this.#options.head()) === 0) return nothing(question);
    const until = AbortSignal.timeout(this.#options.waitMs ?? WAIT_MS);
    for (;;) {
      const thread = await within(this.#usable(), until);
      try {
        return await within(thread.ask({ kind: 'search', question }), until);
      } catch (error) {
        this.#onFailure(error);
      }
    }
  }

  /** Makes a new file beside the present one, which serves until the new one takes its place. @throws when that failed */
  rebuild(reason: string): Promise<void> {
    this.#building ??= this.#build(reason).finally(() => (this.#building = null));
    return this.#building;
  }

  async status(): Promise<IndexStatus> {
    const building = this.#building !== null;
    const facts = this.#ready && this.#thread ? await this.#factsOf(this.#thread) : null;
    const state = facts ? 'ready' : building || this.#opening ? 'building' : this.#lastError === null ? 'absent' : 'failed';
    return { state, building, facts, lastBuild: this.#lastBuild, lastError: this.#lastError };
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

  /** Keeps the index warm, so that a search has little to catch up with. */
  async round(): Promise<RoundResult | void> {
    if (this.#stopped || (!this.#thread && (await this.#options.head()) === 0)) return;
    const thread = await this.#usable();
    try {
      const { worn } = await thread.ask({ kind: 'catch_up' });
      if (worn !== null) this.rebuildAside(worn);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** Closes and seals the file. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#builder?.end();
    // What they fail with was told to whoever waits for them; here it only matters that they have ended.
    await Promise.allSettled([this.#building, this.#opening]);
    const thread = this.#thread;
    if (thread) {
      await thread.ask({ kind: 'close' }).catch((error: unknown) => this.#options.log.warn({ err: error }, 'the search index was not closed in order and will be made anew'));
      await thread.end();
    }
    this.#slot?.release();
  }

  async #usable(): Promise<IndexThread> {
    if (this.#stopped) throw new AppError(503, 'store_closed', 'This process is stopping; send the request again.', { retryAfterSeconds: 1 });
    if (!this.#ready) {
      this.#opening ??= this.#open().finally(() => (this.#opening = null));
      await this.#opening;
    }
    if (!this.#thread) throw new Error('the index thread is missing');
    return this.#thread;
  }

  async #open(): Promise<void> {
    const thread = this.#serving();
    try {
      const { whole } = await thread.ask({ kind: 'open' });
      this.#ready = true;
      if (!whole) this.rebuildAside('the file was not closed in order');
    } catch (error) {
      if (!(error instanceof ThreadFailure) || error.kind === 'store') throw asAppError(error);
      await this.rebuild(error.message);
    }
  }

  #serving(): IndexThread {
    if (this.#thread?.dead) this.#thread = null;
    this.#slot ??= claimSlot(this.#options.directory);
    return (this.#thread ??= this.#start('index.db'));
  }

  #start(name: string): IndexThread {
    const { databaseUrl, logLevel } = this.#options;
    return new IndexThread({ databaseUrl, logLevel, path: join(this.#slot?.directory ?? '', name) });
  }

  /** As `rebuild`, without waiting for it. */
  rebuildAside(reason: string): void {
    this.rebuild(reason).catch((error: unknown) => this.#options.log.warn({ err: error }, 'the search index was not made anew'));
  }

  /** What can be helped by a new file is; the rest is thrown. */
  #onFailure(error: unknown): void {
    if (!(error instanceof ThreadFailure) || error.kind !== 'unusable') throw asAppError(error);
    this.#options.log.warn({ why: error.message }, 'the search index cannot be used and is made anew');
    this.#ready = false;
  }

  async #build(reason: string): Promise<void> {
    const { clock, log, alarms, instance } = this.#options;
    const began = clock.monotonic();
    const serving = this.#serving();
    const builder = (this.#builder = this.#start('building.db'));
    try {
      const { changeNo } = await builder.ask({ kind: 'build' });
      await serving.ask({ kind: 'replace', built: join(this.#slot?.directory ?? '', 'building.db') });
      this.#ready = true;
      const ms = Math.round(clock.monotonic() - began);
      this.#lastBuild = { at: clock.now(), ms, reason };
      this.#lastError = null;
      log.info({ reason, changeNo, ms }, 'the search index was made');
      await alarms.clear(ALARM, instance, clock.now());
    } catch (error) {
      if (this.#stopped) throw asAppError(error);
      this.#lastError = error instanceof Error ? error.message : String(error);
      await alarms.raise({ key: ALARM, instance, tenantCode: null, severity: 'warning', message: 'The search index of the policy library cannot be made; searches fail.', details: { reason, error: this.#lastError } }, clock.now());
      throw asAppError(error);
    } finally {
      this.#builder = null;
      await builder.end();
    }
  }
}

const nothing = ({ vector }: Question): Ranking => ({ candidates: [], terms: [], model: null, obstacle: vector ? 'no_embedded_chunks' : null });

/** @throws AppError 503 when it takes longer */
function within<T>(work: Promise<T>, until: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new AppError(503, 'index_building', 'The search index is being made; ask again shortly.', { retryAfterSeconds: RETRY_AFTER_S }));
    if (until.aborted) late();
    else until.addEventListener('abort', late, { once: true });
    work.then(resolve, reject).finally(() => until.removeEventListener('abort', late));
  });
}

function asAppError(error: unknown): unknown {
  if (!(error instanceof ThreadFailure)) return error;
  if (error.kind === 'store') return new AppError(503, 'store_unavailable', 'The database does not answer; ask again shortly.', { retryAfterSeconds: RETRY_AFTER_S, cause: error });
  return new AppError(503, 'index_building', 'The search index cannot be used at the moment; ask again shortly.', { retryAfterSeconds: RETRY_AFTER_S, cause: error });
}
