// What there is to copy of the database: every table of its schema with its columns, and every sequence.
import type pg from 'pg';
import { boundOf, partsOf } from '../store/partition/parts.ts';
import type { Manifest, TableCopy } from './manifest.ts';

export type TableShape = Pick<TableCopy, 'name' | 'columns'>;

const TABLES = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.relname order by c.relname`;
const REFERENCES = `
  select c.relname as name, r.relname as target from pg_constraint f
  join pg_class c on c.oid = f.conrelid join pg_class r on r.oid = f.confrelid
  where f.contype = 'f' and f.connamespace = current_schema()::regnamespace and c.oid <> r.oid`;
const SEQUENCES = `
  select c.relname as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' order by c.relname`;

/** A table stands behind those that it refers to. */
export async function readTables(client: pg.ClientBase): Promise<TableShape[]> {
  const { rows: tables } = await client.query<TableShape>(TABLES);
  const { rows: references } = await client.query<{ name: string; target: string }>(REFERENCES);
  return inOrder(tables, references);
}

/** Pure. @throws Error for tables that refer to each other in a circle */
function inOrder(
  tables: readonly TableShape[],
  references: readonly { name: string; target: string }[],
): TableShape[] {
  const placed = new Set<string>();
  const ordered: TableShape[] = [];
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ name }) =>
        !placed.has(name) && references.every((one) => one.name !== name || placed.has(one.target)),
    );
    if (next.length === 0) throw new Error('the tables refer to each other in a circle');
    for (const table of next) placed.add(table.name);
    ordered.push(...next);
  }
  return ordered;
}

type Partitions = NonNullable<Manifest['partitions']>;

export async function readPartitions(client: pg.ClientBase): Promise<Partitions> {
  const { rows: divided } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace
     and relkind = 'p' order by relname`,
  );
  const partitions: Partitions = [];
  for (const { name: table } of divided)
    for (const part of await partsOf(client, table)) partitions.push({ table, ...part });
  return partitions;
}

/** Divides the tables, which are empty, as they were. */
export async function makePartitions(client: pg.ClientBase, partitions: Partitions): Promise<void> {
  for (const table of new Set(partitions.map((one) => one.table)))
    for (const { name } of await partsOf(client, table))
      await client.query(`drop table ${client.escapeIdentifier(name)}`);
  for (const { table, name, ...bounds } of partitions) {
    const part = client.escapeIdentifier(name);
    await client.query(
      `create table ${part} partition of ${client.escapeIdentifier(table)}
         ${boundOf(bounds)};
       alter table ${part} alter column tenant_code set statistics 0`,
    );
  }
}

export async function readSequences(client: pg.ClientBase): Promise<Manifest['sequences']> {
  const { rows: names } = await client.query<{ name: string }>(SEQUENCES);
  const sequences: Manifest['sequences'] = [];
  for (const { name } of names) {
    const {
      rows: [at],
    } = await client.query<{ last: string; called: boolean }>(
      `select last_value as last, is_called as called from ${client.escapeIdentifier(name)}`,
    );
    if (at) sequences.push({ name, last: Number(at.last), called: at.called });
  }
  return sequences;
}

/** `table (column, …)`, as COPY names it. */
export const copied = (client: pg.ClientBase, { name, columns }: TableShape): string =>
  `${client.escapeIdentifier(name)} (${columns.map((one) => client.escapeIdentifier(one)).join(', ')})`;
