// One index file and what is done with it, in one thread.
import { existsSync, renameSync, statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import type { IndexChange, IndexSource } from './change.ts';
import { createTables, INDEX_VERSION, openDatabase } from './layout.ts';
import { rank, type Question, type Ranking } from './rank.ts';
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

/** A file further behind is quicker made anew. Change numbers. */
const FAR_BEHIND = 1_000_000;
const BATCH = 1_000;
/** A file is made anew when more of it is waste than in use, and it is not small. Chunks. */
const WASTE_FROM = 20_000;

interface Opened {
  db: Sqlite.Database;
  rows: Rows;
  writer: IndexWriter;
  changeNo: number;
  epoch: string;
}

export class IndexKeeper {
  readonly #path: string;
  readonly #source: IndexSource;
  #opened: Opened | null = null;
  #running: Promise<void> | null = null;
  #waiting: Promise<void> | null = null;

  constructor(path: string, source: IndexSource) {
    this.#path = path;
    this.#source = source;
  }

  /**
   * Takes the file into use. True: it was closed in order and is whole. False: it reads well but may have been spoilt,
   * and should be made anew.
   * @throws IndexUnusable when there is none, or none that can be used
   */
  async open(): Promise<boolean> {
    if (!existsSync(this.#path)) throw new IndexUnusable('there is no index file yet');
    const state = await unseal(this.#path);
    if (state === 'broken') throw new IndexUnusable('the index file is not as it was left');
    await this.#take();
    if (state === 'unsealed') this.#inspect();
    return state === 'whole';
  }

  /** Brings the file up to the newest change that was committed when this was called. @throws IndexUnusable */
  catchUp(): Promise<void> {
    // A run under way may have looked before the change in question; the next one, not begun yet, serves all who wait.
    if (this.#waiting) return this.#waiting;
    if (!this.#running) return (this.#running = this.#follow().finally(() => (this.#running = null)));
    const next = Promise.allSettled([this.#running]).then(() => {
      this.#waiting = null;
      return (this.#running = this.#follow().finally(() => (this.#running = null)));
    });
    return (this.#waiting = next);
  }

  /** @throws IndexUnusable */
  async search(question: Question): Promise<Ranking> {
    await this.catchUp();
    const { db, rows } = this.#now();
    return this.#guard(() => rank(db, rows, question));
  }

  /** Replaces the file by one that was built, in one step. */
  async replace(built: string): Promise<void> {
    await this.#ended();
    this.#drop();
    removeIndex(this.#path);
    renameSync(built, this.#path);
    await this.#take();
  }

  facts(): IndexFacts {
    const { db, rows, changeNo } = this.#now();
    const count = (sql: string): number => db.prepare(sql).pluck().get() as number;
    return {
      changeNo, documents: count('select count(*) from docs where effective = 1'), chunks: rows.alive,
      vectors: rows.withVector, bytes: statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0, wasted: rows.highest - rows.alive,
    };
  }

  /** Why the file, which serves, should be made anew all the same; null when it need not. */
  get worn(): string | null {
    const { rows } = this.#now();
    // An open file goes on without its name, but nobody finds it again.
    if (!existsSync(this.#path)) return 'the file was removed';
    return rows.highest - rows.alive > Math.max(WASTE_FROM, rows.alive) ? 'more of the file is waste than in use' : null;
  }

  /** Closes and seals the file. */
  async close(): Promise<void> {
    await this.#ended();
    if (!this.#opened) return;
    this.#drop();
    // A log that is left means that not all of it got into the file.
    if (!existsSync(`${this.#path}-wal`)) await seal(this.#path);
  }

  /** Waits for a run under way; what it fails with was told to those who asked for it. */
  async #ended(): Promise<void> {
    await Promise.allSettled([this.#running]);
  }

  #drop(): void {
    const opened = this.#opened;
    this.#opened = null;
    opened?.db.close();
  }

  async #take(): Promise<void> {
    const { head, epoch } = await this.#source.position();
    this.#opened = this.#guard(() => {
      const db = openDatabase(this.#path, 'serve');
      try {
        const fact = (name: string): string => String(db.prepare('select value from facts where name = ?').pluck().get(name) ?? '');
        const changeNo = Number(fact('change_no'));
        if (fact('version') !== String(INDEX_VERSION)) throw new IndexUnusable('the index file is of another version');
        if (fact('epoch') !== epoch || changeNo > head) throw new IndexUnusable('the index file is of another state of the database');
        if (head - changeNo > FAR_BEHIND) throw new IndexUnusable('the index file is too far behind');
        const rows = Rows.of(db);
        return { db, rows, writer: new IndexWriter(db, rows), changeNo, epoch };
      } catch (error) {
        db.close();
        throw error;
      }
    });
  }

  #inspect(): void {
    const { db } = this.#now();
    const verdict = this.#guard(() => db.pragma('integrity_check(1)', { simple: true }));
    if (verdict !== 'ok') throw this.#unusable(`the index file is damaged: ${String(verdict)}`);
  }

  async #follow(): Promise<void> {
    const { head, epoch } = await this.#source.position();
    const opened = this.#now();
    if (opened.epoch !== epoch || opened.changeNo > head) throw this.#unusable('the database was put back to another state');
    if (head - opened.changeNo > FAR_BEHIND) throw this.#unusable('the index file is too far behind');
    while (opened.changeNo < head) {
      const changes = await this.#source.changesAfter(opened.changeNo, BATCH);
      const last = changes.at(-1);
      if (!last) break; // What stood at the numbers up to the head has changed again since.
      this.#guard(() => opened.writer.apply(changes));
      opened.changeNo = last.changeNo;
    }
  }

  #now(): Opened {
    if (!this.#opened) throw new IndexUnusable('the index file is not open');
    return this.#opened;
  }

  /** Whatever goes wrong with the file: it is closed, and a new one must be made. */
  #guard<T>(use: () => T): T {
    try {
      return use();
    } catch (error) {
      if (error instanceof IndexUnusable) throw this.#unusable(error.message, error);
      throw this.#unusable(error instanceof Error ? error.message : String(error), error);
    }
  }

  #unusable(why: string, cause?: unknown): IndexUnusable {
    const opened = this.#opened;
    this.#opened = null;
    opened?.db.close();
    return new IndexUnusable(why, cause);
  }
}

/** Everything up to a change number, from the first; each batch is read while the one before is worked on. */
async function* batchesUpTo(head: number, source: (after: number, limit: number) => Promise<IndexChange[]>): AsyncGenerator<IndexChange[]> {
  const read = (after: number) => Promise.allSettled([after < head ? source(after, BATCH) : []]);
  for (let next = read(0); ; ) {
    const [batch] = await next;
    if (batch.status === 'rejected') throw batch.reason;
    const last = batch.value.at(-1);
    if (!last) return;
    next = read(last.changeNo);
    yield batch.value;
  }
}

/** Makes a new file with everything that is in the database. @returns the change number that it stands at */
export async function buildIndex(path: string, source: IndexSource): Promise<number> {
  removeIndex(path);
  const { head, epoch } = await source.position();
  const db = openDatabase(path, 'build');
  try {
    createTables(db);
    const writer = new IndexWriter(db, new Rows());
    db.exec('begin');
    let at = 0;
    // Before their chunks, whose vectors then have the filter columns at once: a file's newest change comes after them.
    for await (const files of batchesUpTo(head, source.documentsAfter)) writer.gather(files);
    for await (const changes of batchesUpTo(head, source.changesAfter)) {
      writer.gather(changes);
      at = (changes.at(-1) as IndexChange).changeNo;
    }
    writer.flush();
    writer.note('version', String(INDEX_VERSION));
    writer.note('epoch', epoch);
    writer.note('change_no', String(at));
    db.exec('commit');
    return at;
  } finally {
    db.close();
  }
}
