// The connection by which a hub watches the embedded server, and owns it.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { EmbeddedLog, Home } from './home.ts';
import { SUPERUSER } from './process.ts';

const ADOPT_WITHIN_MS = 500;
const POLL_MS = 25;
export const DATABASE = 'fieldline';
const OWNER_LOCK = 0x6669656c; // "fiel"

export const urlOf = (port: number, secret: string, database: string) =>
  `postgresql://${SUPERUSER}:${secret}@127.0.0.1:${port}/${database}`;

/** Undefined while the server is starting or stopping. */
export async function connect(port: number, secret: string, home: Home): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    connectionString: urlOf(port, secret, 'postgres'),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // When the server stops, this idle connection breaks; those that use the server report it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (cause) {
    const code = (cause as { code?: string }).code ?? '';
    if (['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03'].includes(code)) return undefined;
    const hint = code === '28P01' ? `: it does not know the password in ${home.stateDir}/password` : '';
    throw new Error(`embedded Postgres on port ${port} refuses the connection${hint}`, { cause });
  }
}

/** After a hub was killed, the server drops its lock with a short delay, so a joining hub asks repeatedly. */
export async function takeOwnership(client: pg.Client, own: boolean): Promise<boolean> {
  const until = Date.now() + (own ? 0 : ADOPT_WITHIN_MS);
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      OWNER_LOCK,
    ]);
    if (rows[0]?.taken === true) return true;
    if (Date.now() >= until) return false;
    await sleep(POLL_MS);
  }
}

export async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
  if (rowCount) return;
  try {
    await client.query(`create database ${DATABASE}`);
  } catch (error) {
    // Two hubs at once: 42P04 duplicate database, 23505 the same, seen by the catalogue's unique index.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}

/** The connection that may hold the ownership; a server that has stopped may have broken it off. */
export async function leave(keeper: pg.Client, log: EmbeddedLog): Promise<void> {
  try {
    await keeper.end();
  } catch (error) {
    log.info(`the owner's connection had broken off: ${(error as Error).message}`);
  }
}
