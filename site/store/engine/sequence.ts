import type Database from 'better-sqlite3';

/** Tells the next id of a table with AUTOINCREMENT, within the open transaction. */
export function prepareNextId(sqlite: Database.Database, table: 'tasks' | 'incidents'): () => number {
  const last = sqlite.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck();
  return () => (last.get(table) ?? 0) + 1;
}
