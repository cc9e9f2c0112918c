// The tables of a database as `pg_dump` writes them, and their rows as `pg_restore` hands them out.
import path from 'node:path';
import type pg from 'pg';
import type { CopyReason } from './backup-messages.ts';
import { runTool, ToolFailed, versionOf } from './tool.ts';

/** The version of `pg_dump`, or why the tables have to go by COPY. */
export type Dumped = { tool: string } | { reason: CopyReason };

export interface DumpOptions {
  /** In the transaction whose snapshot is dumped. */
  client: pg.Client;
  /** As the configuration names the server; of it come the settings of TLS. */
  url: string;
  file: string;
}

const HEAD = /^COPY .+? \((.*)\) FROM stdin;$/;
const END = Buffer.from('\\.\n');
/** What comes before the rows: settings of the session. Bytes. */
const LONGEST_HEAD = 64 * 1024;
/** What a row takes at most, as COPY writes it: it is held until its end has come. Bytes. */
const LONGEST_ROW = 64 * 1024 * 1024;

/**
 * Dumps the schema as the snapshot of the client's transaction has it, whole, so that `pg_restore` alone can
 * make the database again.
 * @returns why it could not, with nothing left behind in the transaction
 */
export async function dump({ client, url, file }: DumpOptions): Promise<Dumped> {
  const tool = await versionOf('pg_dump');
  if (tool === null) return { reason: { code: 'no_pg_dump', params: {} } };
  const {
    rows: [at],
  } = await client.query<{ server: string; schema: string; snapshot: string }>(
    `select current_setting('server_version') as server, current_schema() as schema,
     pg_export_snapshot() as snapshot`,
  );
  if (at === undefined) throw new Error('the server told no snapshot');
  if (tool.major < Number.parseInt(at.server, 10))
    return { reason: { code: 'old_pg_dump', params: { tool: tool.full, server: at.server } } };
  const argv = [
    '--format=custom',
    `--file=${file}`,
    `--snapshot=${at.snapshot}`,
    `--schema="${at.schema.replaceAll('"', '""')}"`,
    '--no-owner',
    '--no-privileges',
    '--no-password',
    '--no-sync',
  ];
  try {
    await runTool('pg_dump', { argv, env: connectionOf(client, url) }, silent);
    return { tool: tool.full };
  } catch (error) {
    if (!(error instanceof ToolFailed)) throw error;
    return { reason: { code: 'failed_pg_dump', params: { said: error.message } } };
  }
}

async function silent(output: AsyncIterable<Buffer>): Promise<void> {
  for await (const part of output) void part;
}

/** The server that the client speaks to; by the environment, which shows the password in no list. */
function connectionOf(client: pg.Client, url: string): Record<string, string> {
  const { host, port, user, database, password } = client;
  const env: Record<string, string> = { PGHOST: host, PGPORT: String(port) };
  if (user !== undefined) env.PGUSER = user;
  if (database !== undefined) env.PGDATABASE = database;
  if (typeof password === 'string' && password !== '') env.PGPASSWORD = password;
  const asked = new URLSearchParams(url.split('?')[1] ?? '');
  for (const [name, variable] of Object.entries(TLS)) {
    const value = asked.get(name);
    if (value !== null) env[variable] = value;
  }
  return env;
}

const TLS = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
} as const;

/**
 * Hands the rows of one table over as COPY wrote them.
 * @throws ToolFailed; Error for a dump that does not have the table in these columns
 */
export function rowsInDump<T>(
  file: string,
  table: { name: string; columns: readonly string[] },
  take: (rows: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const argv = ['--data-only', `--table=${table.name}`, '--file=-', path.resolve(file)];
  return runTool('pg_restore', { argv }, (output) => take(rowsOf(output, table)));
}

/** Exported for its tests. @throws Error for other columns, and without an end of the rows */
export async function* rowsOf(
  script: AsyncIterable<Buffer>,
  { name, columns }: { name: string; columns: readonly string[] },
): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let where: 'before' | 'inside' | 'behind' = 'before';
  for await (const part of script) {
    if (where === 'behind') continue;
    held = Buffer.concat([held, part]);
    if (where === 'before') {
      const rest = behindHead(held, name, columns);
      if (rest === null) continue;
      held = rest;
      where = 'inside';
    }
    const end = endOfRows(held);
    const until = end ?? held.lastIndexOf('\n') + 1;
    if (until > 0) yield held.subarray(0, until);
    held = held.subarray(until);
    if (held.length > LONGEST_ROW) throw new Error(`a row of ${name} in the dump has no end`);
    if (end !== null) where = 'behind';
  }
  if (where !== 'behind') throw new Error(`the dump has no ${where === 'before' ? '' : 'end of '}${name}`);
}

/** What follows the line that begins the rows; null while that has not come. */
function behindHead(held: Buffer, name: string, columns: readonly string[]): Buffer | null {
  for (let at = 0, end = held.indexOf('\n'); end >= 0; at = end + 1, end = held.indexOf('\n', at)) {
    const line = HEAD.exec(held.toString('utf8', at, end))?.[1];
    if (line === undefined) continue;
    // Names are quoted where they are words of SQL.
    if (line.replaceAll('"', '') !== columns.join(', '))
      throw new Error(`the dump has other columns of ${name}`);
    return held.subarray(end + 1);
  }
  if (held.length > LONGEST_HEAD) throw new Error(`the dump has no ${name}`);
  return null;
}

/** Where the line `\.` begins, which no row looks like. `held` begins with a line. */
function endOfRows(held: Buffer): number | null {
  if (held.subarray(0, END.length).equals(END)) return 0;
  const at = held.indexOf(`\n${END.toString()}`);
  return at < 0 ? null : at + 1;
}
