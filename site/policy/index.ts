// Keeps the search index of this site: a file derived from the store, of which nothing is in memory but a few
// numbers a clause. What may be wrong with it is healed by making it anew; nothing is made before there is
// something to search.
import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../common/clock.ts';
import { AppError } from '../../common/http/error.ts';
import type { Logger } from '../../common/log.ts';
import { Loop } from '../../common/loop.ts';
import type { IndexSource } from '../../common/policy/index/change.ts';
import type { IndexMeans } from '../../common/policy/index/layout.ts';
import type { Question, Ranking } from '../../common/policy/index/rank.ts';
import { removeIndex } from '../../common/policy/index/seal.ts';
import { buildIndex, IndexUnusable, SearchIndex } from '../../common/policy/index/search-index.ts';

/** So that a search has little to catch up with. */
const KEEP_WARM_MS = 5_000;
/** Changes are taken in by so many: the event loop turns between them. */
const MEANS: IndexMeans = { vectors: null, cacheKib: 512, batch: 50, heldBytes: 1024 * 1024 };

export interface LibraryIndexOptions {
  source: IndexSource;
  /** Folder of its files. */
  directory: string;
  clock: Clock;
  log: Logger;
}

export class LibraryIndex {
  readonly loop: Loop;
  readonly #options: LibraryIndexOptions;
  #index: SearchIndex | null = null;
  /** What is being done with the file; the next begins after it. */
  #busy: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(options: LibraryIndexOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'library index',
      interval: KEEP_WARM_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: () => this.round(),
    });
  }

  async round(): Promise<void> {
    const { head } = await this.#options.source.position();
    if (head > 0) await this.#inTurn(() => this.#current());
  }

  /** Ranks over everything that was here before the call. @throws AppError 503 when the process ends */
  search(question: Question): Promise<Ranking> {
    return this.#inTurn(async () => {
      const index = await this.#current();
      try {
        return index.search(question);
      } catch (error) {
        if (!(error instanceof IndexUnusable)) throw error;
        this.#giveUp(error);
        return (await this.#current()).search(question);
      }
    });
  }

  /** Closes and seals the file. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.#inTurn(async () => {
      this.#stopped = true;
      await this.#index?.close();
      this.#index = null;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#busy.then(() => {
      if (this.#stopped) throw new AppError(503, 'store_closed', 'This process is stopping.');
      return work();
    });
    this.#busy = done.catch(() => undefined); // Who asked for it is told; the next goes on.
    return done;
  }

  /** The index with all that is in the store. */
  async #current(): Promise<SearchIndex> {
    try {
      this.#index ??= await this.#opened();
      await this.#index.catchUp();
      if (this.#index.worn === null) return this.#index;
      throw new IndexUnusable(this.#index.worn);
    } catch (error) {
      if (!(error instanceof IndexUnusable)) throw error;
      this.#giveUp(error);
      return (this.#index = await this.#made());
    }
  }

  #giveUp(error: IndexUnusable): void {
    this.#options.log.info({ why: error.message }, 'the search index of the library is made anew');
    this.#index?.abandon();
    this.#index = null;
  }

  async #opened(): Promise<SearchIndex> {
    const index = await SearchIndex.open(this.#path('index.db'), this.#options.source, MEANS);
    if (index.whole) return index;
    index.abandon();
    throw new IndexUnusable('the file was not closed in order');
  }

  async #made(): Promise<SearchIndex> {
    mkdirSync(this.#options.directory, { recursive: true, mode: 0o700 });
    const [file, building] = [this.#path('index.db'), this.#path('building.db')];
    await buildIndex(building, this.#options.source, MEANS);
    removeIndex(file);
    renameSync(building, file);
    const index = await SearchIndex.openBuilt(file, this.#options.source, MEANS);
    await index.catchUp();
    return index;
  }

  #path(name: string): string {
    return path.join(this.#options.directory, name);
  }
}
