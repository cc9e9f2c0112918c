import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { readArchive } from '../../common/archive.ts';
import { isConnectionLoss } from '../store/engine/errors.ts';
import {
  makeTables,
  type Migration,
  MIGRATION_LOCK,
  MIGRATIONS_DIR,
  readMigrations,
} from '../store/migrate.ts';
import { printOf } from './backup.ts';
import { connectOnce } from './connection.ts';
import { rowsInDump } from './dump.ts';
import { DUMP, type Manifest, type TableCopy } from './manifest.ts';
import { placeSecret } from './secret-files.ts';
import { copied, makePartitions, readTables } from './tables.ts';
import { versionOf } from './tool.ts';
import { readWhole, requireRoomFor, RestoreRefused, type Whole } from './whole.ts';

/** Bytes of rows after which the room on the disk is looked at again. */
const LOOK_EVERY = 16 * 1024 * 1024;

export interface RestoreOptions {
  url: string;
  source: string;
  dataDir: string;
  /** The master key that the configuration names; null: the one in the secrets folder, if it is there. */
  masterKey: string | null;
  /** Of the restored store. */
  epoch: string;
  /** RFC 3339. */
  now: string;
}

/**
 * Puts a backup into an empty database, in one transaction. The restored database is an old copy: it takes a
 * new epoch, by which sites, consumers and other readers see that their positions mean nothing any more.
 * @throws RestoreRefused, with nothing changed
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { source, dataDir } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  const dir = mkdtempSync(path.join(dataDir, 'restore-'));
  try {
    const whole = await readWhole(source, dir);
    await requireTool(whole.manifest);
    await putBack(options, whole, dir);
    return whole.manifest;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Rows come out of a dump by `pg_restore` of its version or a newer one. @throws RestoreRefused */
async function requireTool({ dump }: Manifest): Promise<void> {
  if (!dump) return;
  const tool = await versionOf('pg_restore');
  const major = Number.parseInt(dump.tool, 10);
  if (tool !== null && tool.major >= major) return;
  throw new RestoreRefused({ code: 'no_tool', params: { major, dump: dump.tool } });
}

async function putBack(options: RestoreOptions, whole: Whole, dir: string): Promise<void> {
  const { url, dataDir } = options;
  const { manifest, secrets } = whole;
  const migrations = knownMigrations(manifest, await readMigrations(MIGRATIONS_DIR));
  const secretsDir = path.join(dataDir, 'secrets');
  const missing = missingKey(options, whole, path.join(secretsDir, 'master-key'));
  const client = await connectOnce(url);
  const placed: string[] = [];
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await requireEmpty(client, path.join(dataDir, 'postgres'));
    await makeTables(client, migrations);
    await fill(client, options, { manifest, dir });
    // Before the database is there: a hub that finds it without its key would make another one.
    for (const [name, text] of secrets)
      if ((name !== 'master-key' || missing) && placeSecret(secretsDir, name, text)) placed.push(name);
    await client.query('commit');
  } catch (error) {
    // Where nobody can tell whether it was committed, the key stays: the database may be there, and its key
    // must be too. It does no harm to another try.
    if (!isConnectionLoss(error))
      for (const name of placed) rmSync(path.join(secretsDir, name), { force: true });
    throw error;
  } finally {
    await client.end();
  }
}

/** Those that made the tables of the backup. @throws RestoreRefused for one that is not known here */
function knownMigrations({ migrations, version }: Manifest, ours: readonly Migration[]): Migration[] {
  return migrations.map((theirs) => {
    const found = ours.find((one) => one.number === theirs.version && one.name === theirs.name);
    if (found) return found;
    throw new RestoreRefused({ code: 'newer', params: { migration: theirs.name, version } });
  });
}

/** Whether the backup's own master key has to be put here. @throws RestoreRefused without the right one */
function missingKey({ masterKey }: RestoreOptions, { manifest, secrets }: Whole, file: string): boolean {
  const here = masterKey ?? textAt(file);
  if (here !== null) {
    if (printOf(here) === manifest.masterKey) return false;
    throw new RestoreRefused({ code: 'other_key', params: { file } });
  }
  const theirs = secrets.get('master-key')?.toString().trim();
  if (theirs !== undefined && printOf(theirs) === manifest.masterKey) return true;
  throw new RestoreRefused({ code: 'key_missing', params: { file } });
}

function textAt(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}

async function requireEmpty(client: pg.ClientBase, own: string): Promise<void> {
  const {
    rows: [found],
  } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace
     and relkind in ('r', 'p', 'v', 'm', 'S', 'f') order by relname limit 1`,
  );
  if (found) throw new RestoreRefused({ code: 'not_empty', params: { table: found.name, own } });
}

async function fill(
  client: pg.Client,
  { source, epoch, dataDir, now }: RestoreOptions,
  { manifest, dir }: { manifest: Manifest; dir: string },
): Promise<void> {
  await makePartitions(client, manifest.partitions ?? []);
  const shapes = new Map((await readTables(client)).map((one) => [one.name, one.columns.join()]));
  const tables = new Map(manifest.tables.map((one) => [one.name, one]));
  for (const name of new Set([...shapes.keys(), ...tables.keys()]))
    if (shapes.get(name) !== tables.get(name)?.columns.join())
      throw new RestoreRefused({ code: 'other_tables', params: { table: name } });
  const all = [...tables.keys()].map((name) => client.escapeIdentifier(name));
  // Migrations leave rows of their own, and triggers would tell of each row as if it were new.
  await client.query(`truncate ${all.join(', ')}`);
  for (const name of all) await client.query(`alter table ${name} disable trigger user`);
  if (manifest.dump) {
    for (const table of tables.values())
      await rowsInDump(path.join(dir, DUMP), table, (rows) =>
        fillTable(client, table, withRoom(rows, dataDir)),
      );
  } else {
    await readArchive(source, async (name, _size, parts) => {
      const table = name.startsWith('tables/') ? tables.get(name.slice('tables/'.length)) : undefined;
      if (table) await fillTable(client, table, withRoom(parts, dataDir));
      else for await (const part of parts) void part;
    });
  }
  for (const name of all) await client.query(`alter table ${name} enable trigger user`);
  for (const { name, last, called } of manifest.sequences)
    await client.query('select setval($1::regclass, $2, $3)', [client.escapeIdentifier(name), last, called]);
  await client.query(`update store_facts set value = $1 where name = 'epoch'`, [epoch]);
  // For the hub that starts on it: a person is to be told.
  await client.query(
    `insert into store_facts (name, value) values ('restored', $1)
     on conflict (name) do update set value = excluded.value`,
    [JSON.stringify({ at: now, made: manifest.at })],
  );
}

/**
 * Stops before the disk is full: a dump does not say what it unpacks to, and the hub's own Postgres lies
 * there too. @throws RestoreRefused
 */
async function* withRoom(parts: AsyncIterable<Buffer>, dir: string): AsyncGenerator<Buffer> {
  let taken = 0;
  for await (const part of parts) {
    if (taken >= LOOK_EVERY) {
      requireRoomFor(dir, LOOK_EVERY);
      taken = 0;
    }
    taken += part.length;
    yield part;
  }
}

async function fillTable(client: pg.Client, table: TableCopy, parts: AsyncIterable<Buffer>): Promise<void> {
  const into = client.query(copyFrom(`copy ${copied(client, table)} from stdin`));
  const hash = createHash('sha256');
  let rows = 0;
  const digest = new Transform({
    transform(part: Buffer, _encoding, done) {
      hash.update(part);
      rows += linesIn(part);
      // What is restored is held to what the backup says of itself while it comes, not when it is all there.
      done(rows > table.rows ? notThose(table) : null, part);
    },
  });
  await pipeline(parts, digest, into);
  // The file was whole a moment ago; whoever changed it meanwhile gets nothing of it.
  const isOther = table.sha256 !== undefined && hash.digest('hex') !== table.sha256;
  if (isOther || into.rowCount !== table.rows) throw notThose(table);
}

const notThose = ({ name }: TableCopy): Error => new Error(`the rows of ${name} are not those of the backup`);

/** A row is a line: COPY writes the ends of lines in its texts as two other characters. */
function linesIn(part: Buffer): number {
  let lines = 0;
  for (let at = part.indexOf(0x0a); at >= 0; at = part.indexOf(0x0a, at + 1)) lines += 1;
  return lines;
}
