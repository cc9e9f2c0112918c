// What the rows of a table look like in its pages, so that rubbish can be told from rows, and pages that
// nothing leads to from one another.
import type Database from 'better-sqlite3';
import type { Row, Value } from './page.ts';

interface Column {
  name: string;
  /** Declared: TEXT, INTEGER or BLOB. */
  type: string;
  notNull: boolean;
}

export interface Shape {
  /** Of a table, or of an index. */
  name: string;
  /** Numbered rows, or rows in the order of a key. */
  kind: 'table' | 'index';
  /** In the order in which they are stored. */
  columns: Column[];
  /** Place of the column that stands for the number of the row; -1: none. */
  rowidAt: number;
  /** Fields at least: columns that were added later are not in older rows. */
  atLeast: number;
}

/** SQLite's own table of the last ids, whose columns it declares without a type. */
export const SEQUENCES = {
  name: 'sqlite_sequence',
  columns: [
    { name: 'name', type: 'TEXT', notNull: true },
    { name: 'seq', type: 'INTEGER', notNull: true },
  ],
};

interface Info {
  name: string;
  type: string;
  notnull: number;
  pk: number;
  dflt: string | null;
}

/** Shapes of all tables of a store, and of its indexes, by name. */
export function shapesOf(db: Database.Database): Map<string, Shape> {
  const shapes = new Map<string, Shape>();
  const tables = db
    .prepare<[], { name: string; wr: number }>(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND " +
        "name <> 'sqlite_schema'",
    )
    .all();
  for (const { name, wr } of tables) {
    const info = db
      .prepare<[string], Info>(
        'SELECT name, type, "notnull", pk, dflt_value AS dflt FROM pragma_table_info(?) ORDER BY cid',
      )
      .all(name);
    const keys = info.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const stored = wr === 1 ? [...keys, ...info.filter(({ pk }) => pk === 0)] : info;
    const columns =
      name === SEQUENCES.name
        ? SEQUENCES.columns
        : stored.map((column): Column => ({
            name: column.name,
            type: column.type,
            notNull: column.notnull === 1,
          }));
    const rowidAt =
      wr === 0 && keys.length === 1 && keys[0]?.type === 'INTEGER'
        ? stored.findIndex(({ pk }) => pk === 1)
        : -1;
    shapes.set(name, {
      name,
      kind: wr === 1 ? 'index' : 'table',
      columns,
      rowidAt,
      atLeast: 1 + stored.findLastIndex(({ notnull, dflt }) => notnull === 1 && dflt === null),
    });
    for (const shape of indexesOf(db, { table: name, info, wr })) shapes.set(shape.name, shape);
  }
  return shapes;
}

const isNotNull = (info: Info | undefined): boolean =>
  info === undefined || info.notnull === 1 || info.pk > 0;

/** Where a table is its own index, its primary key is no further one. */
function indexesOf(
  db: Database.Database,
  { table, info, wr }: { table: string; info: readonly Info[]; wr: number },
): Shape[] {
  const names = db
    .prepare<[string, number], string>("SELECT name FROM pragma_index_list(?) WHERE origin <> 'pk' OR ? = 0")
    .pluck()
    .all(table, wr);
  return names.map((name) => {
    const fields = db
      .prepare<[string], string | null>('SELECT name FROM pragma_index_xinfo(?) ORDER BY seqno')
      .pluck()
      .all(name);
    const columns = fields.map((field): Column => ({
      name: field ?? 'rowid',
      type: info.find((one) => one.name === field)?.type ?? 'INTEGER',
      notNull: isNotNull(info.find((one) => one.name === field)),
    }));
    return { name, kind: 'index', columns, rowidAt: -1, atLeast: columns.length };
  });
}

/**
 * Whether a row has all the columns that the table has today, which tells more than that it may be one of
 * its rows.
 */
export const isWhole = ({ columns }: Shape, { values }: Row): boolean => values.length === columns.length;

/** Whether this may be a row of the table. */
export function fits({ columns, rowidAt, atLeast, kind }: Shape, { rowid, values }: Row): boolean {
  if ((rowid === null) !== (kind === 'index') || values.length > columns.length || values.length < atLeast)
    return false;
  return columns.every((column, at) => {
    const value = values[at];
    if (value === undefined) return true;
    return at === rowidAt ? value === null : isOf(column, value);
  });
}

function isOf({ type, notNull }: Column, value: Value): boolean {
  if (value === null) return !notNull;
  if (type === 'TEXT') return typeof value === 'string';
  if (type === 'BLOB') return Buffer.isBuffer(value);
  return typeof value === 'number' ? Number.isInteger(value) : typeof value === 'bigint';
}

/** The row by the names of its columns; those that were added after it was written are missing. */
export function named({ columns, rowidAt }: Shape, { rowid, values }: Row): [string, Value][] {
  return values.map((value, at) => [columns[at]?.name ?? '', at === rowidAt ? rowid : value]);
}
