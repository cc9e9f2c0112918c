// Numbered, forward only. Each migration is one transaction under an advisory lock, its version row written
// first. A migration's first line says which code may still run on the database that it leaves: "--
// oldest-code: N". `npm run schema` writes them. They are not run by drizzle's migrator: it knows neither the
// oldest code nor a database that is newer than the program, and does not keep processes apart that start at
// once.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Logger } from '../../common/log.ts';

export interface Migration {
  number: number;
  name: string;
  /** Code whose newest migration is older than this cannot run on the result. */
  oldestCode: number;
  sql: string;
}

/** The database and this program do not go together. The message tells a person what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
  readonly forPeople = true;
}

/** Held by whoever changes the tables. */
export const MIGRATION_LOCK = 0x666c6d67; // "flmg"
const VERSIONS = `create table if not exists schema_versions (
  version integer primary key, name text not null, oldest_code integer not null, applied_at bigint not null)`;
const OLDEST_SERVER = 150_000;
/** Beside the code, also beside the bundle that is made of it. */
export const MIGRATIONS_DIR = path.join(import.meta.dirname, 'migrations');

/** In the order of their numbers, which may leave gaps. */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(/^(\d{4})-/.exec(name)?.[1]);
      const before = Number(names[index - 1]?.slice(0, 4) ?? 0);
      if (!(number > before))
        throw new MigrationError(`${name} is out of order: a number above ${before} was expected.`);
      const sql = await readFile(path.join(dir, name), 'utf8');
      const oldestCode = Number(/^-- oldest-code: (\d+)\n/.exec(sql)?.[1]);
      if (!oldestCode || oldestCode > number)
        throw new MigrationError(`${name} does not begin with "-- oldest-code: N".`);
      return { number, name, oldestCode, sql };
    }),
  );
}

/** The number by which code is known: that of the newest migration that it has; 0 for none. */
export const newestNumber = (migrations: readonly Migration[]): number => migrations.at(-1)?.number ?? 0;

/**
 * Brings the database up to the newest of `migrations`. Any number of
 * processes may do so at once. After an error the connection may be left in a
 * failed transaction.
 * @throws MigrationError when the server is too old or the database too new
 */
export async function migrate(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  log: Logger,
  now: () => number,
): Promise<void> {
  await checkServer(client);
  const { version } = await stateOf(client, migrations);
  // Each looks again under the lock, since another process may have been here first.
  for (const migration of migrations.filter(({ number }) => number > version)) {
    await client.query('begin');
    const applied = await apply(client, migration, { migrations, log, now: now() });
    await client.query('commit');
    if (applied) log.info({ migration: migration.name }, 'database migrated');
  }
  await forgetTenants(client);
  await checkSchema(client, migrations, log);
}

/**
 * Has the planner reckon with many rows of every tenant. By statistics taken before a tenant landed it has
 * none: any index that begins with the tenant then looks as good as the right one, and a step that joins or
 * looks up its rows reads all of them for each. Without statistics of the column a tenant has 0.5 % of a
 * table. Those that there are go when the type is set anew, which makes no more than the table's partial
 * indexes again. A table at a time, since each is locked for it.
 */
async function forgetTenants(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; known: boolean }>(
    `select format('%I', c.relname) as name, exists (select 1 from pg_stats s
       where s.schemaname = current_schema() and s.attname = a.attname and (s.tablename = c.relname or
         s.tablename in (select p.inhrelid::regclass::text from pg_inherits p where p.inhparent = c.oid)))
       as known
     from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition
       and a.attname = 'tenant_code' and a.attstattarget is distinct from 0 order by c.relname`,
  );
  for (const { name, known } of rows) {
    await client.query('begin; set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const anew = known ? 'alter column tenant_code type text collate "C", ' : '';
    await client.query(`alter table ${name} ${anew}alter column tenant_code set statistics 0`);
    await client.query('commit');
  }
}

/**
 * Whether the server will do, and whether the database fits code that knows these migrations.
 * @throws MigrationError
 */
export async function checkSchema(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  log: Logger,
): Promise<void> {
  const newest = newestNumber(migrations);
  await checkServer(client);
  const state = await stateOf(client, migrations);
  if (state.version < newest) {
    throw new MigrationError(
      `The database has schema ${state.version}, this program needs ${newest}. Run "fieldline-hq ` +
        'migrate" first.',
    );
  }
  if (state.version > newest)
    log.warn(
      { database: state.version, program: newest },
      'the database is newer than this program, which may still run on it',
    );
}

/**
 * Makes the tables as they are after these migrations, in the open transaction and in a database that has
 * none; the rows of `schema_versions` are left to the caller.
 */
export async function makeTables(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  await checkServer(client);
  await client.query(VERSIONS);
  for (const { sql } of migrations) await client.query(sql);
}

async function apply(
  client: pg.ClientBase,
  migration: Migration,
  { migrations, log, now }: { migrations: readonly Migration[]; log: Logger; now: number },
): Promise<boolean> {
  await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await client.query(VERSIONS);
  await refuseForeign(client, migrations);
  const state = await versionOf(client);
  refuseNewer(state, newestNumber(migrations));
  if (state.version >= migration.number) return false;
  // Said before, since the program is not ready until it is done.
  log.info({ migration: migration.name }, 'migrating the database; with many events this takes a while');
  await client.query('insert into schema_versions values ($1, $2, $3, $4)', [
    migration.number,
    migration.name,
    migration.oldestCode,
    now,
  ]);
  await client.query(migration.sql);
  return true;
}

interface SchemaVersion {
  version: number;
  oldestCode: number;
}

async function versionOf(client: pg.ClientBase): Promise<SchemaVersion> {
  const {
    rows: [row],
  } = await client.query<SchemaVersion>(
    'select coalesce(max(version), 0) as version, coalesce(max(oldest_code), 0) as "oldestCode" from ' +
      'schema_versions',
  );
  return row ?? { version: 0, oldestCode: 0 };
}

/** @throws MigrationError when these migrations are not of its line, or too old for it */
async function stateOf(client: pg.ClientBase, migrations: readonly Migration[]): Promise<SchemaVersion> {
  const {
    rows: [table],
  } = await client.query<{ found: boolean }>(`select to_regclass('schema_versions') is not null as found`);
  if (!table?.found) return { version: 0, oldestCode: 0 };
  await refuseForeign(client, migrations);
  const state = await versionOf(client);
  refuseNewer(state, newestNumber(migrations));
  return state;
}

/**
 * A database that has another migration under the number of one of these was made by a program of another
 * line, as 0.1.0 and other trial versions are.
 */
async function refuseForeign(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  const {
    rows: [other],
  } = await client.query<{ theirs: string; ours: string }>(
    `select v.name as theirs, m.name as ours from unnest($1::integer[], $2::text[]) m (version, name)
     join schema_versions v on v.version = m.version and v.name <> m.name order by v.version limit 1`,
    [migrations.map(({ number }) => number), migrations.map(({ name }) => name)],
  );
  if (other === undefined) return;
  throw new MigrationError(
    'The database was made by 0.1.0 or another trial version of fieldline-hq (its first migration is ' +
      `${other.theirs}, not ${other.ours}), and databases of those are not taken over. Nothing was ` +
      'changed. Go on with the version that made it, or give this one an empty database: another ' +
      'DATABASE_URL, or, without one, another CORE_DATA_DIR.',
  );
}

function refuseNewer(state: SchemaVersion, newest: number): void {
  if (state.oldestCode > newest) {
    throw new MigrationError(
      `The database has schema ${state.version} and needs a program that knows at least ` +
        `${state.oldestCode}; this one knows ${newest}. Install the newer fieldline-hq, or restore the ` +
        'database from before the upgrade.',
    );
  }
}

async function checkServer(client: pg.ClientBase): Promise<void> {
  const {
    rows: [server],
  } = await client.query<{ version: string; encoding: string }>(
    `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`,
  );
  if (Number(server?.version) < OLDEST_SERVER) throw new MigrationError('PostgreSQL 15 or later is needed.');
  if (server?.encoding !== 'UTF8')
    throw new MigrationError(`The database must be created with encoding UTF8, not ${server?.encoding}.`);
}
