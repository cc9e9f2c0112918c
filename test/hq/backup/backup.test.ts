// `fieldline-hq backup --copy` and `restore` on a real Postgres: the same hub again, or nothing.
import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLastBackup } from '../../../common/core/run/last-backup.ts';
import { rowsIn } from '../../../hq/backup/manifest.ts';
import { epochOf } from '../../support/deployment.ts';
import { longTest } from '../../support/long.ts';
import { freePort, Program, Scene } from '../../support/process.ts';
import { expectStatus, signedCall } from '../../support/request.ts';
import { BackupRig, contentOf, filesIn, FILLED_EVENTS, query, tablesIn } from './rig.ts';

let scene: Scene;
let rig: BackupRig;
beforeEach(async () => {
  scene = new Scene();
  rig = await BackupRig.start(scene);
});
afterEach(() => scene.close());

test('an empty database gets all of it, under a new epoch, with the keys that open the secrets', async () => {
  const key = await rig.fill();
  const epoch = await epochOf(rig.hub);
  // What it does of its own accord, as indexing, ends with it.
  await rig.hub.stop();
  const made = await rig.command(rig.here, ['backup', '--copy', rig.file]);
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toContain(`with ${FILLED_EVENTS} events`);
  expect(made.out).toContain(path.join(rig.hub.options.dataDir, 'evidence'));
  expect(readLastBackup(rig.here.dataDir)).toEqual({
    at: expect.stringMatching(/^20/) as string,
    bytes: statSync(rig.file).size,
    events: FILLED_EVENTS,
    verified: true,
  });
  const before = await contentOf(rig.url);

  const there = await rig.elsewhere();
  const restored = await rig.command(there, ['restore', rig.file]);
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(restored.out).toContain(`The database holds ${FILLED_EVENTS} events of`);
  const counted = await query(there.url, 'select count(*)::int as events from events');
  expect(counted).toEqual([{ events: FILLED_EVENTS }]);
  expect(await contentOf(there.url)).toEqual(before);
  for (const name of ['master-key', 'admin-key'])
    expect(readFileSync(path.join(there.dataDir, 'secrets', name), 'utf8')).toBe(
      readFileSync(path.join(rig.hub.options.dataDir, 'secrets', name), 'utf8'),
    );
  const env = { ...rig.hub.options.env, DATABASE_URL: there.url };
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
      expectStatus(
        await rig.hub.api('POST', '/api/core/sites', { instance: `w${last}`, tenants: ['a'] }),
        201,
      );
  })();
  const made = await rig.command(rig.here, ['backup', '--copy', rig.file]);
  going = false;
  await writing;
  expect(made).toMatchObject({ code: 0, err: '' });
  const there = await rig.elsewhere();
  expect(await rig.command(there, ['restore', rig.file])).toMatchObject({ code: 0 });
  const rows = (sql: string): Promise<{ n: number }[]> => query(there.url, sql);
  const [sites] = await rows('select count(*)::int as n from sites');
  const [keys] = await rows(`select count(*)::int as n from keys where purpose = 'site'`);
  const told = (action: string): Promise<{ n: number }[]> =>
    rows(`select count(*)::int as n from audit where action = '${action}'`);
  expect(sites?.n).toBeLessThanOrEqual(last);
  // A site and its key are two transactions, each with its own entry in the audit.
  expect([await told('site.added'), await told('key.added')]).toEqual([[sites], [keys]]);
});

test('a file that is not whole or was changed is refused, and the database stays empty', async () => {
  await rig.fill();
  expect(await rig.command(rig.here, ['backup', '--copy', rig.file])).toMatchObject({ code: 0 });
  const good = path.join(scene.dir, 'good');
  copyFileSync(rig.file, good);
  const there = await rig.elsewhere();
  const refused = async (words: RegExp): Promise<void> => {
    const typed = await rig.command(there, ['restore', rig.file]);
    expect(typed).toMatchObject({ code: 2, out: '', err: expect.stringMatching(words) });
    expect(await tablesIn(there.url)).toBe(0);
    copyFileSync(good, rig.file);
  };
  truncateSync(rig.file, readFileSync(rig.file).length - 900);
  await refused(/is damaged or not whole: /);
  const bytes = readFileSync(rig.file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0x10;
  writeFileSync(rig.file, bytes);
  await refused(/is damaged or not whole: /);
  await rig.rewrite((name, text) => (name === 'tables/sites' ? Buffer.from(`${text.toString()}s9\n`) : text));
  await refused(/tables\/sites is not as it was written/);
  await rig.rewrite((name, text) => (name === 'tables/keys' ? null : text));
  await refused(/tables\/keys is missing/);
  await rig.rewrite((name, text) =>
    name === 'manifest.json' ? Buffer.from(text.toString().replace('0001-', '0099-')) : text,
  );
  await refused(/the migration 0099-\S+, which this version does not have/);
  writeFileSync(rig.file, 'no archive at all');
  await refused(/is damaged or not whole/);
  expect(await rig.command(there, ['restore', rig.file])).toMatchObject({ code: 0 });
});

longTest(
  'a database that is not empty and another master key are refused, and nothing is overwritten',
  async () => {
    expect(await rig.command(rig.here, ['backup', '--copy', rig.file])).toMatchObject({ code: 0 });
    const again = await rig.command(rig.here, ['backup', '--copy', rig.file]);
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('exists already') });
    const before = await contentOf(rig.url);
    const full = await rig.command(rig.here, ['restore', rig.file]);
    expect(full).toMatchObject({
      code: 2,
      err: expect.stringContaining('The database holds tables already'),
    });
    expect(Object.keys(await contentOf(rig.url))).toEqual(Object.keys(before));
    const there = { url: await rig.database(), dataDir: rig.hub.options.dataDir };
    const key = path.join(there.dataDir, 'secrets', 'master-key');
    const own = readFileSync(key);
    writeFileSync(key, 'flm_another-one-that-nobody-used-here\n');
    const other = await rig.command(there, ['restore', rig.file]);
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining('sealed with another master key') });
    expect(await tablesIn(there.url)).toBe(0);
    writeFileSync(key, own);
    expect(await rig.command(there, ['restore', rig.file])).toMatchObject({ code: 0 });
  },
);

test('without secrets the backup holds none, and needs the master key where it goes', async () => {
  const made = await rig.command(rig.here, ['backup', '--copy', rig.file, '--without-secrets']);
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('nothing can be restored without') });
  const names = (await filesIn(rig.file)).map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('secrets/'))).toEqual([]);
  const there = await rig.elsewhere();
  const refused = await rig.command(there, ['restore', rig.file, '--lang', 'zh']);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('都没有该主密钥') });
  expect(await tablesIn(there.url)).toBe(0);
});

test('the rows of a divided table are those of all its parts', () => {
  const table = (name: string, rows: number) => ({ name, columns: ['id'], rows });
  const part = (name: string, from: number | null, to: number | null) => ({
    table: 'events',
    name,
    from,
    to,
  });
  const manifest = {
    tables: [table('events_first', 5), table('events_from_6', 7), table('tasks', 11)],
    partitions: [part('events_first', null, 6), part('events_from_6', 6, null)],
  };
  expect([rowsIn(manifest, 'events'), rowsIn(manifest, 'tasks')]).toEqual([12, 11]);
});
