/**
 * Events as programs of before schema 140 kept them: with numbers in the place of texts that come again and
 * again, which stand in `words`, or with `=` and the text where that had no room. They are taken over in
 * slices, each in one transaction that removes what it has moved: the pages that it frees are those that the
 * next one fills, and a process that is killed goes on where it was. Nothing else may read events before it
 * is done.
 */
import type Database from 'better-sqlite3';
import type { Logger } from '../../../common/log.ts';

/** The table of such events, while there are any. */
export const EVENTS_IN_WORDS = 'events_in_words';
/** What only a store with such events has. */
export const OF_OLDER_STORES: readonly string[] = ['words', 'sqlite_autoindex_words_1', EVENTS_IN_WORDS];

/** Rows of one transaction. */
const SLICE = 2_000;
/** Slices after which what was moved goes from the WAL into the file. */
const CHECKPOINT_EVERY = 10;
/** Slices after which the log is told how far it is. */
const TELL_EVERY = 50;

const SAME = [
  'id',
  'idempotency_key',
  'occurred_at',
  'received_at',
  'is_test',
  'instance',
  'origin_id',
  'origin_received_at',
  'doc',
];
const IN_WORDS = ['tenant_code', 'type', 'kind', 'source', 'severity', 'node_key'];

/** A word that could not be saved from a damaged store gets a name by which a person finds its events. */
const textOf = (column: string): string =>
  `CASE typeof(${column})
    WHEN 'integer'
      THEN coalesce((SELECT text FROM words w WHERE w.id = e.${column}), 'lost-word-' || ${column})
    WHEN 'text' THEN substr(${column}, 2) END`;

/** Takes over what is left of such events; does nothing where there are none. */
export function takeOverEvents(sqlite: Database.Database, log: Logger): void {
  const there = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events_in_words'").get();
  if (!there) return;
  const upto = sqlite
    .prepare<[number], number | null>(
      'SELECT max(id) FROM (SELECT id FROM events_in_words ORDER BY id LIMIT ?)',
    )
    .pluck();
  const move = sqlite.prepare<[number]>(
    `INSERT OR IGNORE INTO events (${[...SAME, ...IN_WORDS].join(', ')})
     SELECT ${[...SAME, ...IN_WORDS.map(textOf)].join(', ')}
     FROM events_in_words e WHERE id <= ? ORDER BY id`,
  );
  const remove = sqlite.prepare<[number]>('DELETE FROM events_in_words WHERE id <= ?');
  const slice = sqlite.transaction(() => {
    const last = upto.get(SLICE) ?? null;
    if (last === null) sqlite.exec('DROP TABLE events_in_words; DROP TABLE words');
    else {
      move.run(last);
      remove.run(last);
    }
    return last;
  });
  for (let slices = 1, last = slice.immediate(); last !== null; slices += 1, last = slice.immediate()) {
    if (slices % CHECKPOINT_EVERY === 0) sqlite.pragma('wal_checkpoint(PASSIVE)');
    if (slices % TELL_EVERY === 0) log.info({ upto: last }, 'events of an older program are taken over');
  }
}

/**
 * Makes room for such events in a store of today, for what is saved from a damaged older one; to be followed
 * by `takeOverEvents`.
 */
export function expectEventsInWords(sqlite: Database.Database): void {
  sqlite.exec(`
    CREATE TABLE IF NOT EXISTS words (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE IF NOT EXISTS events_in_words (
      id INTEGER PRIMARY KEY, tenant_code INTEGER NOT NULL, idempotency_key TEXT NOT NULL, type INTEGER NOT
        NULL,
      kind INTEGER NOT NULL, source INTEGER NOT NULL, severity INTEGER, occurred_at INTEGER,
      received_at INTEGER NOT NULL, is_test INTEGER NOT NULL, node_key INTEGER, instance TEXT, origin_id
        INTEGER,
      origin_received_at INTEGER, doc TEXT NOT NULL)`);
}

/** Whether what was read of a row of events is one of these. @param kind its kind, as it stands there */
export const isInWords = (kind: unknown): boolean => typeof kind !== 'string' || kind.startsWith('=');
