// A Postgres for tests, benches and fault runs. A server that cannot start fails the run; nothing is skipped.
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { silentLogger } from '../../common/log.ts';
import { alive, endServer, findRunning } from '../../hq/store/embedded/process.ts';
import { startEmbeddedPostgres } from '../../hq/store/embedded/server.ts';
import { migrate, MIGRATIONS_DIR, readMigrations } from '../../hq/store/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** The name of a database as a hub of this source finds it after its first start. */
    hubTemplate: string;
  }
}

export interface TestPostgres {
  url: string;
  dir: string;
  stop: () => Promise<void>;
}

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

const PREFIX = 'fieldline-test-';
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** A server of its own; `stop` removes its data too. */
export async function startTestPostgres(flags: Record<string, string> = {}): Promise<TestPostgres> {
  await sweepAbandoned(os.tmpdir());
  const dir = await mkdtemp(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
  // As root, Postgres runs under another account, which must be able to pass.
  await chmod(dir, 0o711);
  const log = { info: () => undefined, warn: (message: string) => process.stderr.write(`${message}\n`) };
  try {
    const server = await startEmbeddedPostgres({ dir, log, flags: { ...NOT_DURABLE, ...flags } });
    const { pid } = (await findRunning(server.dataDir)) ?? {};
    // A run that is broken off exits without its teardown; the data goes with the next sweep.
    const onExit = () => void (pid && alive(pid) && process.kill(pid, 'SIGQUIT'));
    process.once('exit', onExit);
    const stop = async () => {
      process.off('exit', onExit);
      await server.stop();
      await removeState(dir);
    };
    return { url: server.url, dir, stop };
  } catch (error) {
    await removeState(dir);
    throw error;
  }
}

/** Removes a state folder, and the data where it was kept elsewhere. */
export async function removeState(dir: string): Promise<void> {
  const link = path.join(dir, 'postgres', 'data');
  const found = await lstat(link).catch(() => undefined);
  if (found?.isSymbolicLink()) await rm(path.dirname(await realpath(link)), { recursive: true, force: true });
  await rm(dir, { recursive: true, force: true });
}

/** Ends and removes what runs that were killed left in a folder: their servers. */
export async function sweepAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    const dir = path.join(parent, name);
    if (!pid || alive(pid) || (await lstat(dir).catch(() => undefined))?.uid !== process.getuid?.()) continue;
    const dataDir = await realpath(path.join(dir, 'postgres', 'data')).catch(() => undefined);
    const running = dataDir && (await findRunning(dataDir));
    if (running) await endServer(dataDir, running.pid, 5_000);
    await removeState(dir);
  }
}

/** A fresh, empty database on the server of the test run, or on the one at `server`. */
export async function createDatabase(server?: string): Promise<TestDatabase> {
  return databaseLike(new URL(server ?? (await providedUrl())), 'template0');
}

/** A fresh database of a hub on the server of the test run: its tables are there, and nothing is in them. */
export async function createHubDatabase(): Promise<TestDatabase> {
  const { inject } = await import('vitest');
  return copyTemplate(inject('postgresUrl'), inject('hubTemplate'));
}

/** The same outside a test, where nothing is provided. @param template its name */
export const copyTemplate = (server: string, template: string): Promise<TestDatabase> =>
  databaseLike(new URL(server), template);

/** What createHubDatabase() copies. @returns its name */
export async function makeHubTemplate(server: string): Promise<string> {
  const { url } = await createDatabase(server);
  const client = clientOf(url);
  await client.connect();
  try {
    await migrate(client, await readMigrations(MIGRATIONS_DIR), silentLogger(), () => 0);
  } finally {
    await client.end();
  }
  return new URL(url).pathname.slice(1);
}

/** A database with all that the one at `original` has, which nobody may be connected to. */
export function copyDatabase(server: string, original: string): Promise<TestDatabase> {
  return databaseLike(new URL(server), new URL(original).pathname.slice(1));
}

async function databaseLike(admin: URL, template: string): Promise<TestDatabase> {
  const name = `t_${process.pid}_${randomBytes(6).toString('hex')}`;
  // Copied as files: half the work of going through the log, which a server without fsync has no use for.
  await execute(admin, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(admin, `drop database if exists ${name} with (force)`) };
}

// Loaded here only: outside a test run there is no vitest to import.
async function providedUrl(): Promise<string> {
  const { inject } = await import('vitest');
  return inject('postgresUrl');
}

/**
 * A connection of a test's own. That it was lost is told by its next query; unheard, the error would end the
 * run.
 */
export function clientOf(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  return client;
}

async function execute(server: URL, sql: string): Promise<void> {
  const client = clientOf(server.href);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
