// The tables of the index file. It is derived from the store and thrown away when in doubt, so there are no
// migrations: whatever changes here, or in how terms are cut, is a new INDEX_VERSION.
import Sqlite from 'better-sqlite3';

export const INDEX_VERSION = 9;

/** Vectors lie in blobs of many pages; large ones are read twice as fast. Bytes. */
const PAGE_SIZE = 65_536;
/** Vectors of one tenant and model that lie together; each such group takes at least this many places. */
const VECTOR_CHUNK = 256;

const TABLES = `
create table facts (name text primary key, value text not null) without rowid;
create table names (no integer primary key, kind text not null, name text not null, unique (kind, name));
-- Files of every state; a chunk may come before its file, which then has a row that nobody is shown.
create table docs (
  no integer primary key, id integer not null unique, tenant integer not null, source integer not null,
  effective integer not null, level integer not null, valid_from integer not null,
  valid_until integer not null, change_no integer not null
);
create index docs_tenant on docs (tenant, effective);
create table chunks (
  no integer primary key, id integer not null unique, doc integer not null, tenant integer not null,
  seq integer not null,
  -- 0: without a vector.
  space integer not null,
  -- Terms, each as often as it stands there.
  length integer not null,
  change_no integer not null
);
create index chunks_doc on chunks (doc);
-- Which chunks have a term, and which have it several times (lists.ts): rowid is the number of the chunk.
-- Numbers alone are asked for, so neither the text nor places nor lengths are kept. What is deleted stays in
-- it, and in the lists.
create virtual table terms using fts5(
  words, content = '', detail = none, columnsize = 0, tokenize = "ascii tokenchars '-_./:'"
);
create table lists (
  tenant integer not null, term text not null, first integer not null, entries blob not null,
  primary key (tenant, term, first)
) without rowid;
-- Vectors that can be compared: of one model and dimension.
create table spaces (
  no integer primary key, model integer not null, dim integer not null, unique (model, dim)
);
`;

/** How much a program gives an index file. */
export interface IndexMeans {
  /** Loads what vectors need; null: there are none. */
  vectors: ((db: Sqlite.Database) => void) | null;
  /** Pages that are kept in memory. */
  cacheKib: number;
  /** Changes that are read, and written, at a time. */
  batch: number;
  /** What of lists is held before it is written. */
  heldBytes: number;
}

/** @throws SqliteError when it is no database or cannot be read */
export function openDatabase(path: string, how: 'serve' | 'build', means: IndexMeans): Sqlite.Database {
  const db = new Sqlite(path);
  try {
    means.vectors?.(db);
    if (how === 'build') {
      db.pragma(`page_size = ${PAGE_SIZE}`);
      // For the map of pages that comes with it: one vector in the middle of a blob is read without the pages
      // before it.
      db.pragma('auto_vacuum = incremental');
    }
    // What a crash of the machine may spoil is noticed by the missing seal, and made anew.
    db.pragma(`journal_mode = ${how === 'build' ? 'off' : 'wal'}`);
    db.pragma('synchronous = off');
    db.pragma(`cache_size = -${means.cacheKib}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export function createTables(db: Sqlite.Database): void {
  db.exec(TABLES);
}

/**
 * One table of vectors a dimension, all of length 1: their distances then order as their cosines do, and are
 * quicker to tell. Its filter columns have the names of `docs`, for the one filter of both.
 */
export function createVectors(db: Sqlite.Database, dim: number): void {
  db.exec(`create virtual table if not exists vectors_${dim} using vec0(
    tenant integer partition key, space integer partition key, effective integer, level integer,
    valid_from integer, valid_until integer, source integer, embedding float[${dim}] distance_metric=l2,
    chunk_size=${VECTOR_CHUNK})`);
}

const prepared = new WeakMap<Sqlite.Database, Map<string, Sqlite.Statement>>();

/** A statement, prepared once a database; whoever sets `raw` or `pluck` on it does so at each use. */
export function statement(db: Sqlite.Database, text: string): Sqlite.Statement {
  let known = prepared.get(db);
  if (!known) prepared.set(db, (known = new Map()));
  let found = known.get(text);
  if (!found) known.set(text, (found = db.prepare(text)));
  return found;
}
