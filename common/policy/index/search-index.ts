// One index file, open: what is asked of it and what is written to it. And how a new one is built.
import { existsSync, statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import type { IndexChange, IndexSource } from './change.ts';
import { createTables, INDEX_VERSION, type IndexMeans, openDatabase } from './layout.ts';
import { type Question, rank, type Ranking } from './rank.ts';
import { Rows } from './rows.ts';
import { removeIndex, seal, unseal } from './seal.ts';
import { IndexWriter } from './writer.ts';

/** The file cannot go on; a new one can. */
export class IndexUnusable extends Error {
  constructor(why: string, cause?: unknown) {
    super(why, cause === undefined ? undefined : { cause });
    this.name = 'IndexUnusable';
  }
}

export interface IndexFacts {
  changeNo: number;
  documents: number;
  chunks: number;
  vectors: number;
  bytes: number;
  /** Numbers of chunks that are gone but still take room. */
  wasted: number;
}

/** A file that is further behind than this is rebuilt, which is quicker than catching up. Change numbers. */
const FAR_BEHIND = 1_000_000;
/** A file is rebuilt when more of its chunks are deleted than in use, and at least this many are. */
const WASTE_FROM = 20_000;

interface OpenFile {
  path: string;
  source: IndexSource;
  means: IndexMeans;
  db: Sqlite.Database;
  /** Of the database that the file was derived from. */
  epoch: string;
  changeNo: number;
  whole: boolean;
}

/**
 * One open index file, used by one thread. Once anything has gone wrong, it is closed and every call throws.
 */
export class SearchIndex {
  /**
   * The file was closed properly before it was opened. Otherwise it can be read but may be damaged, and
   * should be rebuilt.
   */
  readonly whole: boolean;
  readonly #path: string;
  readonly #source: IndexSource;
  readonly #means: IndexMeans;
  readonly #db: Sqlite.Database;
  readonly #epoch: string;
  readonly #rows: Rows;
  readonly #writer: IndexWriter;
  #changeNo: number;

  private constructor({ path, source, means, db, epoch, changeNo, whole }: OpenFile) {
    this.whole = whole;
    this.#path = path;
    this.#source = source;
    this.#means = means;
    this.#db = db;
    this.#epoch = epoch;
    this.#changeNo = changeNo;
    this.#rows = Rows.of(db);
    this.#writer = new IndexWriter(db, this.#rows, means);
  }

  /** Takes a file into use. @throws IndexUnusable when there is none, or none that can be used */
  static async open(path: string, source: IndexSource, means: IndexMeans): Promise<SearchIndex> {
    if (!existsSync(path)) throw new IndexUnusable('there is no index file yet');
    const state = await unseal(path);
    if (state === 'broken') throw new IndexUnusable('the index file is not as it was left');
    return SearchIndex.#take(path, source, { means, whole: state === 'whole' });
  }

  /** Takes a file into use that was built just now. @throws IndexUnusable */
  static openBuilt(path: string, source: IndexSource, means: IndexMeans): Promise<SearchIndex> {
    return SearchIndex.#take(path, source, { means, whole: true });
  }

  static async #take(
    path: string,
    source: IndexSource,
    { means, whole }: { means: IndexMeans; whole: boolean },
  ): Promise<SearchIndex> {
    const { head, epoch } = await source.position();
    const db = attempt(() => openDatabase(path, 'serve', means));
    return attempt(
      () => {
        const read = db.prepare('select value from facts where name = ?').pluck();
        const fact = (name: string): string => String(read.get(name) ?? '');
        if (fact('version') !== String(INDEX_VERSION))
          throw new IndexUnusable('the index file is of another version');
        if (fact('epoch') !== epoch)
          throw new IndexUnusable('the index file is of another state of the database');
        const index = new SearchIndex({
          path,
          source,
          means,
          db,
          epoch,
          changeNo: Number(fact('change_no')),
          whole,
        });
        index.#expectNear(head, epoch);
        const verdict = whole ? 'ok' : db.pragma('integrity_check(1)', { simple: true });
        if (verdict !== 'ok') throw new IndexUnusable(`the index file is damaged: ${String(verdict)}`);
        return index;
      },
      () => db.close(),
    );
  }

  /** Brings the file up to the newest change committed when this was called. @throws IndexUnusable */
  async catchUp(): Promise<void> {
    const { head, epoch } = await this.#source.position();
    this.#use(() => this.#expectNear(head, epoch));
    while (this.#changeNo < head) {
      const changes = await this.#source.changesAfter(this.#changeNo, this.#means.batch);
      const last = changes.at(-1);
      if (!last) break; // The remaining rows have changed again and now stand beyond `head`.
      this.#use(() => this.#writer.apply(changes));
      this.#changeNo = last.changeNo;
    }
  }

  /** Ranks over what the file holds. @throws IndexUnusable */
  search(question: Question): Ranking {
    return this.#use(() => rank(this.#db, this.#rows, question));
  }

  /** @throws IndexUnusable */
  facts(): IndexFacts {
    const { alive, withVector, highest } = this.#rows;
    const documents = this.#use(() =>
      this.#db.prepare('select count(*) from docs where effective = 1').pluck().get(),
    );
    return {
      changeNo: this.#changeNo,
      documents: documents as number,
      chunks: alive,
      vectors: withVector,
      bytes: statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0,
      wasted: highest - alive,
    };
  }

  /** Why the file should be rebuilt although it can serve; null when it need not. */
  get worn(): string | null {
    const { alive, highest } = this.#rows;
    // An open file goes on without its name, but nobody finds it again.
    if (!existsSync(this.#path)) return 'the file was removed';
    return highest - alive > Math.max(WASTE_FROM, alive) ? 'more of the file is waste than in use' : null;
  }

  /** Closes the file and seals it. */
  async close(): Promise<void> {
    const intact = this.#db.open;
    this.#db.close();
    // A log that is left means that not all of it got into the file.
    if (intact && !existsSync(`${this.#path}-wal`)) await seal(this.#path);
  }

  /** Closes the file without sealing it, because another one replaces it. */
  abandon(): void {
    this.#db.close();
  }

  #expectNear(head: number, epoch: string): void {
    if (this.#epoch !== epoch || this.#changeNo > head)
      throw new IndexUnusable('the index file is of another state of the database');
    if (head - this.#changeNo > FAR_BEHIND) throw new IndexUnusable('the index file is too far behind');
  }

  #use<T>(work: () => T): T {
    return attempt(work, () => this.#db.close());
  }
}

/** Whatever goes wrong with the file: a new one must be made. @throws IndexUnusable */
function attempt<T>(work: () => T, onFailure?: () => void): T {
  try {
    return work();
  } catch (error) {
    onFailure?.();
    if (error instanceof IndexUnusable) throw error;
    throw new IndexUnusable(error instanceof Error ? error.message : String(error), error);
  }
}

/** Makes a new file with everything that is in the database. @returns the change number that it stands at */
export async function buildIndex(path: string, source: IndexSource, means: IndexMeans): Promise<number> {
  removeIndex(path);
  const { head, epoch } = await source.position();
  const db = openDatabase(path, 'build', means);
  try {
    createTables(db);
    const writer = new IndexWriter(db, new Rows(), means);
    db.exec('begin');
    let at = 0;
    // Files go before chunks, so that vectors get their filter columns at once: the newest change of a file
    // may come after those of its chunks.
    for await (const files of batchesUpTo(head, (after) => source.documentsAfter(after, means.batch)))
      writer.gather(files);
    for await (const changes of batchesUpTo(head, (after) => source.changesAfter(after, means.batch))) {
      writer.gather(changes);
      at = (changes.at(-1) as IndexChange).changeNo;
    }
    writer.note('version', String(INDEX_VERSION));
    writer.note('epoch', epoch);
    writer.noteState(at);
    // A term is then read in one place.
    db.exec("insert into terms (terms) values ('optimize')");
    db.exec('commit');
    return at;
  } finally {
    db.close();
  }
}

type ReadChanges = (after: number) => Promise<IndexChange[]>;

/** Everything up to a change number, from the first; each batch is read while the one before is worked on. */
async function* batchesUpTo(head: number, source: ReadChanges): AsyncGenerator<IndexChange[]> {
  const read = (after: number) => Promise.allSettled([after < head ? source(after) : []]);
  for (let next = read(0); ;) {
    const [batch] = await next;
    if (batch.status === 'rejected') throw batch.reason;
    const last = batch.value.at(-1);
    if (!last) return;
    next = read(last.changeNo);
    yield batch.value;
  }
}
