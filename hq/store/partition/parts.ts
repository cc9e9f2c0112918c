// Tables that grow for years are divided by Postgres's own declarative partitions, by ids that ascend. The
// last part has no end, so that no row is ever without a place; what is older goes a part at a time.
import type pg from 'pg';
import type { Tx } from '../engine/database.ts';

/** One partition of a table. */
export interface Part {
  name: string;
  /** Its first number; null: there is none before it. */
  from: number | null;
  /** The first number behind it; null: it is the last. */
  to: number | null;
  /** What lies in no other part. */
  rest?: true | undefined;
}

export interface Divided {
  /** Those that are divided at the same numbers, each with the column of the number. */
  tables: readonly { name: string; column: string }[];
  /** Which counter gives the numbers. */
  counter: 'event';
}

export const EVENTS: Divided = {
  tables: [
    { name: 'events', column: 'id' },
    { name: 'event_facts', column: 'event_id' },
  ],
  counter: 'event',
};

/** How long a change of partitions waits for a lock, while intake waits behind it. */
export const LOCK_WITHIN = '300ms';
/** Longer than any statement of the database's own work takes, ms. */
const AT_LENGTH_MS = 6 * 3_600_000;

const PARTS = `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = to_regclass($1)`;
const BOUND = /FROM \((?:MINVALUE|'(-?\d+)')\) TO \((?:MAXVALUE|'(-?\d+)')\)/;

/** In the order of their numbers. */
export async function partsOf(client: pg.ClientBase | pg.Pool, table: string): Promise<Part[]> {
  const { rows } = await client.query<{ name: string; bound: string }>(PARTS, [table]);
  const number = (text: string | undefined): number | null => (text === undefined ? null : Number(text));
  return rows
    .map(({ name, bound }) => {
      const [, from, to] = BOUND.exec(bound) ?? [];
      return {
        name,
        from: number(from),
        to: number(to),
        ...(bound === 'DEFAULT' ? { rest: true as const } : {}),
      };
    })
    .sort((a, b) => (a.from ?? -Infinity) - (b.from ?? -Infinity));
}

/** What divides a table beside another is called after it. */
export const partName = (table: string, from: number): string => `${table}_from_${from}`;
export const twinOf = (part: string, table: string, twin: string): string =>
  `${twin}${part.slice(table.length)}`;

/** As it stands behind `partition`. */
export const boundOf = ({ from, to, rest }: Omit<Part, 'name'>): string =>
  rest ? 'default' : `for values from (${from ?? 'minvalue'}) to (${to ?? 'maxvalue'})`;

/** A statement that may take minutes. In a transaction whose statements have no limit. */
export function atLength<R extends pg.QueryResultRow>(
  tx: Tx,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult<R>> {
  const query: pg.QueryConfig & { query_timeout: number } = { text, values, query_timeout: AT_LENGTH_MS };
  return tx.client.query<R>(query);
}
