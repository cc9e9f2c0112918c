import type Database from 'better-sqlite3';
import { getTableColumns, type InferInsertModel } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';

/** Inserts a whole row. */
export type Insert<T extends SQLiteTable> = (row: InferInsertModel<T>) => void;

/** An INSERT of whole rows of a drizzle table, compiled once. */
export function prepareInsert<T extends SQLiteTable>(sqlite: Database.Database, table: T): Insert<T> {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([, column]) => column.name).join(', ');
  const statement = sqlite.prepare<unknown[]>(
    `INSERT INTO ${getTableConfig(table).name} (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  return (row) => {
    const values = new Map<string, unknown>(Object.entries(row));
    statement.run(
      ...columns.map(([key, column]) => {
        const value = values.get(key) ?? null;
        return value === null ? null : column.mapToDriverValue(value);
      }),
    );
  };
}
