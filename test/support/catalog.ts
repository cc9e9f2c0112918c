// What a database consists of, by its own catalogue: one line for each column, constraint, index, trigger,
// function and first row, in an order that does not depend on when each was made.
import type Database from 'better-sqlite3';
import type pg from 'pg';

/** Of the migrations themselves, not of the schema. */
const BOOKS = new Set(['schema_version', 'schema_versions']);

export function sqliteCatalog(db: Database.Database): string[] {
  const tables = db
    .prepare<[], { name: string; wr: number; strict: number; sql: string }>(
      `SELECT t.name, t.wr, t.strict, s.sql FROM pragma_table_list t JOIN sqlite_schema s ON s.name = t.name
       WHERE t.schema = 'main' AND t.type = 'table'`,
    )
    .all()
    .filter(({ name }) => !BOOKS.has(name));
  const columns = db.prepare<[string], { name: string; [key: string]: unknown }>(
    'SELECT name, lower(type) AS type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?)',
  );
  const indexes = db.prepare<[string], { name: string; unique: number; origin: string }>(
    'SELECT name, "unique", origin FROM pragma_index_list(?)',
  );
  const keys = db.prepare('SELECT name, "desc", coll FROM pragma_index_xinfo(?) WHERE key = 1');
  const sqlOf = db.prepare<[string], string | null>('SELECT sql FROM sqlite_schema WHERE name = ?').pluck();
  const lines = tables.flatMap(({ name, wr, strict, sql }) => [
    `table ${name} rowid=${1 - wr} strict=${strict} autoincrement=${/AUTOINCREMENT/i.test(sql)}`,
    ...columns.all(name).map((column) => `column ${name} ${JSON.stringify(column)}`),
    ...indexes.all(name).map((index) => {
      const where = / WHERE .*$/is.exec(sqlOf.get(index.name) ?? '')?.[0] ?? '';
      const called = index.origin === 'c' ? index.name : '';
      return `index ${name} ${called} ${index.origin} ${index.unique} ${JSON.stringify(keys.all(index.name))}${where}`;
    }),
    ...db
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .map((row) => `row ${name} ${JSON.stringify(row)}`),
  ]);
  const others = db
    .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE type IN ('trigger', 'view')")
    .pluck()
    .all();
  return [...lines, ...others].sort();
}

const ITEMS = `
  select format('column %s %s %s %s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
    co.collname, a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attstorage) as line
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_collation co on co.oid = a.attcollation
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and c.relname <> 'schema_versions'
  union all select format('part %s of %s %s', inhrelid::regclass, inhparent::regclass,
    (select pg_get_expr(relpartbound, oid) from pg_class where oid = inhrelid)) from pg_inherits
  where inhrelid in (select oid from pg_class where relispartition and relkind = 'r')
  union all select format('divided %s %s', partrelid::regclass, pg_get_partkeydef(partrelid))
  from pg_partitioned_table
  union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    and conrelid::regclass::text <> 'schema_versions'
  union all select pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_versions'
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  union all select format('sequence %s %s', sequencename, data_type) from pg_sequences where schemaname = 'public'
  union all select format('reloptions %s %s', relname, reloptions) from pg_class
  where relnamespace = 'public'::regnamespace and reloptions is not null`;

export async function postgresCatalog(client: pg.ClientBase): Promise<string[]> {
  const { rows: items } = await client.query<{ line: string }>(ITEMS);
  const { rows: tables } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const lines = items.map(({ line }) => line);
  for (const { name } of tables.filter((table) => !BOOKS.has(table.name))) {
    const { rows } = await client.query<{ line: string }>(
      `select to_jsonb(t)::text as line from "${name}" t`,
    );
    lines.push(...rows.map(({ line }) => `row ${name} ${line}`));
  }
  return lines.sort();
}
