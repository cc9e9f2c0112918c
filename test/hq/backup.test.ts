// `fieldline-hq backup` and `restore` on a real Postgres: the same hub again, or nothing.
import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readArchive, writeArchive, type Entry } from '../../common/archive.ts';
import { type, type Typed } from '../support/command.ts';
import { epochOf, startHubProgram } from '../support/deployment.ts';
import { clientOf, createDatabase } from '../support/postgres.ts';
import { freePort, Program, Scene } from '../support/process.ts';
import { expectStatus, jsonOf, signedCall } from '../support/request.ts';
import type { SigningKey } from '../../common/http/signing/signature.ts';

let scene: Scene;
let url: string;
let hub: Program;
let file: string;
beforeEach(async () => {
  scene = new Scene();
  url = await database();
  hub = await startHubProgram(scene, url);
  file = path.join(scene.dir, 'hub.backup');
});
afterEach(() => scene.close());

async function database(): Promise<string> {
  const made = await createDatabase();
  scene.onClose(() => made.drop());
  return made.url;
}

const command = (where: { url: string; dataDir: string }, ...argv: string[]): Promise<Typed> =>
  type('hq/main.ts', argv, {
    CORE_DATA_DIR: where.dataDir,
    DATABASE_URL: where.url,
    CORE_DOC_DIR: path.join(scene.dir, 'docs'),
    CORE_LOG_LEVEL: 'fatal',
  });
const here = (): { url: string; dataDir: string } => ({ url, dataDir: hub.options.dataDir });
const elsewhere = async (): Promise<{ url: string; dataDir: string }> => ({
  url: await database(),
  dataDir: path.join(scene.dir, 'elsewhere'),
});

const TABLES = `select count(*)::int as count from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'S')`;
async function query<T>(at: string, sql: string): Promise<T[]> {
  const client = clientOf(at);
  await client.connect();
  return client
    .query<never>(sql)
    .then(({ rows }) => rows as T[])
    .finally(() => client.end());
}
const tablesIn = async (at: string): Promise<number> =>
  (await query<{ count: number }>(at, TABLES))[0]?.count ?? -1;

/** Every row of every table, but for what a start writes and the epoch. */
async function contentOf(at: string): Promise<Record<string, string[]>> {
  const tables = await query<{ name: string }>(
    at,
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace
     and relkind = 'r' order by relname`,
  );
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const without = name === 'store_facts' ? ` where name not in ('epoch', 'probe')` : '';
    content[name] = (await query<{ row: string }>(at, `select t::text as row from "${name}" t${without}`))
      .map(({ row }) => row)
      .sort();
  }
  return content;
}

async function fillHub(): Promise<SigningKey> {
  const site = { instance: 's1', tenants: ['acme', '集团'] };
  const key = jsonOf<SigningKey>(expectStatus(await hub.api('POST', '/api/core/sites', site), 201));
  const action = { kind: 'notify', message: '塔吊 \\N', channels: ['inbox'] };
  const rule = {
    tenant_code: 'acme',
    name: 'a "rule" with all \\ of it, \\N \\.',
    kind: 'response',
    body: { priority: 1, enabled: true, match: {}, action },
  };
  expectStatus(await hub.api('POST', '/api/core/objects/rules', rule), 201);
  return key;
}

test('an empty database gets all of it, under a new epoch, with the keys that open the secrets', async () => {
  const key = await fillHub();
  const epoch = await epochOf(hub);
  const made = await command(here(), 'backup', file);
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toContain('with 0 events');
  expect(made.out).toContain(path.join(hub.options.dataDir, 'evidence'));
  await hub.stop();
  const before = await contentOf(url);

  const there = await elsewhere();
  expect(await command(there, 'restore', file)).toMatchObject({ code: 0, err: '' });
  expect(await contentOf(there.url)).toEqual(before);
  for (const name of ['master-key', 'admin-key'])
    expect(readFileSync(path.join(there.dataDir, 'secrets', name), 'utf8')).toBe(
      readFileSync(path.join(hub.options.dataDir, 'secrets', name), 'utf8'),
    );
  const env = { ...hub.options.env, DATABASE_URL: there.url };
  const again = new Program({ main: 'hq/main.ts', dataDir: there.dataDir, port: await freePort(), env });
  scene.onClose(() => again.kill());
  await again.start();
  expect(await epochOf(again)).not.toBe(epoch);
  // The sealed secret of the site opens: its signature is taken, and the request looked at.
  const knock = { url: again.url, key, method: 'POST', path: '/api/core/uplink/events', body: '{}' };
  expect((await signedCall(knock)).status).toBe(400);
  // Triggers are on, and numbers go on.
  const off = `select tgname from pg_trigger where tgenabled = 'D' and not tgisinternal`;
  expect(await query(there.url, off)).toEqual([]);
  expectStatus(await again.api('POST', '/api/core/sites', { instance: 's2', tenants: ['acme'] }), 201);
});

test('all tables are of one moment while the hub goes on writing', async () => {
  let last = 0;
  let going = true;
  const writing = (async () => {
    for (; going; last++)
      expectStatus(await hub.api('POST', '/api/core/sites', { instance: `w${last}`, tenants: ['a'] }), 201);
  })();
  const made = await command(here(), 'backup', file);
  going = false;
  await writing;
  expect(made).toMatchObject({ code: 0, err: '' });
  const there = await elsewhere();
  expect(await command(there, 'restore', file)).toMatchObject({ code: 0 });
  const rows = (sql: string): Promise<{ n: number }[]> => query(there.url, sql);
  const [sites] = await rows('select count(*)::int as n from sites');
  const [keys] = await rows(`select count(*)::int as n from keys where purpose = 'site'`);
  const told = (action: string): Promise<{ n: number }[]> =>
    rows(`select count(*)::int as n from audit where action = '${action}'`);
  expect(sites?.n).toBeLessThanOrEqual(last);
  // A site and its key are two transactions, each with its own entry in the audit.
  expect([await told('site.added'), await told('key.added')]).toEqual([[sites], [keys]]);
});

async function changed(change: (name: string, text: Buffer) => Buffer | null): Promise<void> {
  const entries: Entry[] = [];
  const held: { name: string; text: Buffer }[] = [];
  await readArchive(file, async (name, _size, parts) => {
    const kept: Buffer[] = [];
    for await (const part of parts) kept.push(part);
    held.push({ name, text: Buffer.concat(kept) });
  });
  for (const { name, text } of held) {
    const made = change(name, text);
    if (made !== null) entries.push({ name, text: made.toString('utf8') });
  }
  rmSync(file);
  await writeArchive(file, entries, 0);
}

test('a file that is not whole or was changed is refused, and the database stays empty', async () => {
  await fillHub();
  expect(await command(here(), 'backup', file)).toMatchObject({ code: 0 });
  const good = path.join(scene.dir, 'good');
  copyFileSync(file, good);
  const there = await elsewhere();
  const refused = async (words: RegExp): Promise<void> => {
    const typed = await command(there, 'restore', file);
    expect(typed).toMatchObject({ code: 2, out: '', err: expect.stringMatching(words) });
    expect(await tablesIn(there.url)).toBe(0);
    copyFileSync(good, file);
  };
  truncateSync(file, readFileSync(file).length - 900);
  await refused(/is damaged or not whole: /);
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0x10;
  writeFileSync(file, bytes);
  await refused(/is damaged or not whole: /);
  await changed((name, text) => (name === 'tables/sites' ? Buffer.from(`${text.toString()}s9\n`) : text));
  await refused(/tables\/sites is not as it was written/);
  await changed((name, text) => (name === 'tables/keys' ? null : text));
  await refused(/tables\/keys is missing/);
  await changed((name, text) =>
    name === 'manifest.json' ? Buffer.from(text.toString().replace('0015-', '0099-')) : text,
  );
  await refused(/the migration 0099-\S+, which this version does not have/);
  writeFileSync(file, 'no archive at all');
  await refused(/is damaged or not whole/);
  expect(await command(there, 'restore', file)).toMatchObject({ code: 0 });
});

test('a database that is not empty and another master key are refused, and nothing is overwritten', async () => {
  expect(await command(here(), 'backup', file)).toMatchObject({ code: 0 });
  const again = await command(here(), 'backup', file);
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining('exists already') });
  const before = await contentOf(url);
  const full = await command(here(), 'restore', file);
  expect(full).toMatchObject({ code: 2, err: expect.stringContaining('The database holds tables already') });
  expect(Object.keys(await contentOf(url))).toEqual(Object.keys(before));
  const there = { url: await database(), dataDir: hub.options.dataDir };
  const key = path.join(there.dataDir, 'secrets', 'master-key');
  const own = readFileSync(key);
  writeFileSync(key, 'flm_another-one-that-nobody-used-here\n');
  const other = await command(there, 'restore', file);
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('sealed with another master key') });
  expect(await tablesIn(there.url)).toBe(0);
  writeFileSync(key, own);
  expect(await command(there, 'restore', file)).toMatchObject({ code: 0 });
});

test('without secrets the backup holds none, and needs the master key where it goes', async () => {
  const made = await command(here(), 'backup', file, '--without-secrets');
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('nothing can be restored without') });
  const names: string[] = [];
  await readArchive(file, async (name, _size, parts) => {
    for await (const part of parts) void part;
    names.push(name);
  });
  expect(names.filter((name) => name.startsWith('secrets/'))).toEqual([]);
  const there = await elsewhere();
  const refused = await command(there, 'restore', file, '--lang', 'zh');
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('都没有该主密钥') });
  expect(await tablesIn(there.url)).toBe(0);
});
