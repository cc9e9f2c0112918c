import { createHash, createHmac } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Entry, writeArchive } from '../../common/archive.ts';
import type { Logger } from '../../common/log.ts';
import { version } from '../../common/package.ts';
import { checkSchema, MIGRATIONS_DIR, readMigrations } from '../store/migrate.ts';
import type { CopyReason } from './backup-messages.ts';
import { connectOnce } from './connection.ts';
import { dump, type Dumped } from './dump.ts';
import { DUMP, MANIFEST, type Manifest, rowsOf, secretOf, type TableCopy } from './manifest.ts';
import { digestOf, SECRET_FILES } from './secret-files.ts';
import { copied, readPartitions, readSequences, readTables, type TableShape } from './tables.ts';
import { readWhole } from './whole.ts';

export interface BackupOptions {
  url: string;
  target: string;
  instance: string;
  /** Where the secrets lie that were made at the first start; null: they are left out. */
  secretsDir: string | null;
  masterKey: string;
  /** By COPY also where `pg_dump` is installed. */
  copyOnly: boolean;
  log: Logger;
  now: number;
}

/** Where the rows lie while a backup is made. One that was broken off leaves it. */
export const partsOf = (target: string): string => `${target}.parts`;

export interface Backup {
  bytes: number;
  manifest: Manifest;
  /** Why the tables are in it by COPY although that was not asked for. */
  byCopy: CopyReason | null;
}

/**
 * Copies the database as it is at one moment, also while the hub runs: all tables in one snapshot, by
 * `pg_dump` or else by COPY. The rows lie beside the target until the archive is whole.
 * It is read again once it is there.
 * @throws Error when the target or its parts exist; MigrationError when database and program do not go
 *   together
 */
export async function makeBackup(options: BackupOptions): Promise<Backup> {
  const { target, now } = options;
  const parts = partsOf(target);
  mkdirSync(parts, { mode: 0o700 });
  try {
    const { manifest, byCopy } = await copyDatabase(options, parts);
    const entries: Entry[] = [
      { name: MANIFEST, text: `${JSON.stringify(manifest)}\n` },
      ...manifest.secrets.map(({ name }) => ({
        name: secretOf(name),
        file: path.join(options.secretsDir ?? '', name),
      })),
      ...(manifest.dump
        ? [{ name: DUMP, file: path.join(parts, DUMP) }]
        : manifest.tables.map(({ name }) => ({ name: rowsOf(name), file: path.join(parts, name) }))),
    ];
    await writeWhole(target, entries, now);
    // What a disk did not keep is found now, and not on the day when it is needed.
    await readWhole(target, null);
    return { bytes: statSync(target).size, manifest, byCopy };
  } finally {
    rmSync(parts, { recursive: true, force: true });
  }
}

/** A target that is half there is removed, and one of somebody else's is left. */
async function writeWhole(target: string, entries: readonly Entry[], now: number): Promise<void> {
  try {
    await writeArchive(target, entries, now);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') rmSync(target, { force: true });
    throw error;
  }
}

async function copyDatabase(
  options: BackupOptions,
  parts: string,
): Promise<Pick<Backup, 'manifest' | 'byCopy'>> {
  const { url, log, instance, secretsDir, now } = options;
  const client = await connectOnce(url);
  try {
    await checkSchema(client, await readMigrations(MIGRATIONS_DIR), log);
    await client.query('begin isolation level repeatable read read only');
    const { rows: migrations } = await client.query<{ version: number; name: string }>(
      'select version, name from schema_versions order by version',
    );
    const { byCopy, ...held } = await copyTables(client, options, parts);
    const partitions = await readPartitions(client);
    // They are not part of the snapshot. Read after it they are never behind the rows, so that no number is
    // given twice.
    const sequences = await readSequences(client);
    await client.query('commit');
    const secrets = SECRET_FILES.filter(
      (name) => secretsDir !== null && existsSync(path.join(secretsDir, name)),
    ).map((name) => ({ name, sha256: digestOf(path.join(secretsDir ?? '', name)) }));
    const manifest: Manifest = {
      program: 'fieldline-hq',
      format: 1,
      version,
      instance,
      at: new Date(now).toISOString(),
      migrations,
      ...held,
      partitions,
      sequences,
      masterKey: printOf(options.masterKey),
      secrets,
    };
    return { manifest, byCopy };
  } finally {
    await client.end();
  }
}

/** By `pg_dump` where it can, else by COPY, in the same snapshot. */
async function copyTables(
  client: pg.Client,
  { url, copyOnly }: BackupOptions,
  parts: string,
): Promise<Pick<Manifest, 'tables' | 'dump'> & Pick<Backup, 'byCopy'>> {
  const shapes = await readTables(client);
  // No partition goes while the tables before it are copied.
  await client.query(`lock table ${shapes.map(({ name }) => client.escapeIdentifier(name)).join(', ')}
    in access share mode`);
  const file = path.join(parts, DUMP);
  const dumped: Dumped | null = copyOnly ? null : await dump({ client, url, file });
  const tables: TableCopy[] = [];
  if (dumped === null || 'reason' in dumped) {
    for (const table of shapes) tables.push(await copyTable(client, table, path.join(parts, table.name)));
    return { tables, byCopy: dumped?.reason ?? null };
  }
  for (const table of shapes) tables.push({ ...table, rows: await countRows(client, table) });
  return { tables, dump: { sha256: await sha256Of(file), tool: dumped.tool }, byCopy: null };
}

async function countRows(client: pg.Client, { name }: TableShape): Promise<number> {
  const {
    rows: [counted],
  } = await client.query<{ rows: string }>(`select count(*) as rows from ${client.escapeIdentifier(name)}`);
  return Number(counted?.rows);
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function copyTable(client: pg.Client, table: TableShape, file: string): Promise<TableCopy> {
  const rows = client.query(copyTo(`copy ${copied(client, table)} to stdout`));
  const hash = createHash('sha256');
  const digest = new Transform({
    transform(part: Buffer, _encoding, done) {
      hash.update(part);
      done(null, part);
    },
  });
  await pipeline(rows, digest, createWriteStream(file, { mode: 0o600 }));
  return { ...table, rows: rows.rowCount, sha256: hash.digest('hex') };
}

/** By which a backup and a master key are known to go together. @param masterKey the secret as it is kept */
export const printOf = (masterKey: string): string =>
  createHmac('sha256', createHash('sha256').update(masterKey).digest())
    .update('fieldline-hq backup')
    .digest('hex');
