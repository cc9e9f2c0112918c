// Hubs of one database need one master key and one folder of evidence: another key ends the start, and so
// does another folder beside a hub that runs; where one of them is lost, the administrator says so.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../common/log.ts';
import { runAll } from '../../common/loop.ts';
import { type Hub, startHub } from '../../hq/app.ts';
import { runCommand } from '../../hq/cli/main.ts';
import { type HubConfig, readHubConfig } from '../../hq/config.ts';
import { openOriginals } from '../../hq/policy/original/open.ts';
import { createHubDatabase, type TestDatabase } from '../support/postgres.ts';

let dir: string;
let database: TestDatabase;
let hubs: Hub[];
beforeEach(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-agreement-'));
  database = await createHubDatabase();
  hubs = [];
});
afterEach(async () => {
  for (const hub of hubs) await hub.stop();
  await database.drop();
  rmSync(dir, { recursive: true, force: true });
});

function configOf(name: string, key: string, docs = 'docs'): HubConfig {
  const file = path.join(dir, key);
  writeFileSync(file, `the master key ${key}, of forty characters at least`, { mode: 0o600 });
  return readHubConfig({
    CORE_DATA_DIR: path.join(dir, name),
    CORE_DOC_DIR: path.join(dir, docs),
    CORE_LISTEN: '127.0.0.1:0',
    CORE_MASTER_KEY_REF: `file:${file}`,
    DATABASE_URL: database.url,
  });
}

async function start(name: string, key = 'KEY_A', docs = 'docs'): Promise<Hub> {
  const hub = await startHub(configOf(name, key, docs), { log: silentLogger() });
  hubs.push(hub);
  return hub;
}

async function migrate(name: string, key: string, option: string, docs?: string): Promise<void> {
  const readConfig = () => ({ ...configOf(name, key, docs), logLevel: 'fatal' as const });
  const terminal = { out: () => undefined };
  expect(await runCommand(['migrate', option], { env: {}, readConfig, terminal })).toBe(0);
}

const standing = async ({ store }: Hub): Promise<string[]> =>
  (await store.alarms.list({ tenantCode: null, includeCleared: false }, 10)).map(
    ({ key }) => key.split(':')[0] ?? '',
  );

test('a hub with another master key does not start, until that of the database is given up', async () => {
  await (await start('a')).stop();
  await expect(start('b', 'KEY_B')).rejects.toThrow(
    /another master key.*CORE_MASTER_KEY_REF.*--new-master-key/,
  );
  await migrate('b', 'KEY_B', '--new-master-key');
  await start('b', 'KEY_B');
  await expect(start('a', 'KEY_A')).rejects.toThrow('another master key');
});

test('where the folder of evidence is lost, the administrator names a new one', async () => {
  await (await start('a')).stop();
  const second = await start('b');
  expect(await standing(second)).toEqual(['evidence_folder_other']);
  await second.stop();
  await migrate('b', 'KEY_A', '--new-evidence-folder');
  expect(await standing(await start('b'))).toEqual([]);
});

test('beside a hub that runs, one with another folder of evidence does not start, until it has the same', async () => {
  const first = await start('a');
  await expect(start('b')).rejects.toThrow(/another folder of evidence.*b\/evidence/);
  expect(await standing(first)).toEqual([]);
  rmSync(path.join(dir, 'b'), { recursive: true });
  mkdirSync(path.join(dir, 'b'));
  symlinkSync(path.join(dir, 'a', 'evidence'), path.join(dir, 'b', 'evidence'));
  await start('b');
  expect(await standing(first)).toEqual([]);
});

test('alone, one with another folder works, and an alarm says so until the others are back', async () => {
  await (await start('a')).stop();
  const alone = await start('b');
  expect(await standing(alone)).toEqual(['evidence_folder_other']);
  const first = await start('a');
  await alone.stop();
  await expect(start('b')).rejects.toThrow('another folder of evidence');
  await first.stop();
});

test('of two that start at once with folders of their own one starts', async () => {
  const both = await Promise.allSettled([start('a'), start('b')]);
  const refused = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  expect(refused).toEqual([expect.stringContaining('another folder of evidence')]);
});

test('originals of policy files lie in one place too', async () => {
  const first = await start('a');
  mkdirSync(path.join(dir, 'b'));
  symlinkSync(path.join(dir, 'a', 'evidence'), path.join(dir, 'b', 'evidence'));
  // Until there is an original, no place is theirs.
  const second = await start('b', 'KEY_A', 'docs-b');
  expect(await standing(second)).toEqual([]);
  const { originals, secrets } = configOf('a', 'KEY_A');
  const place = await openOriginals(originals, first.store.policy.storageMarker, secrets);
  await place.put('kb/t/1/x', path.join(dir, 'KEY_A'), 1);
  runAll();
  await expect.poll(() => standing(second)).toEqual(['originals_other']);
  await second.stop();
  await expect(start('b', 'KEY_A', 'docs-b')).rejects.toThrow(/other originals .*docs-b.*CORE_DOC_DIR/);
  await start('b');
  expect(await standing(first)).toEqual([]);
  await migrate('b', 'KEY_A', '--new-originals', 'docs-b');
  await expect(place.open('kb/t/1/x')).rejects.toThrow('not the one that they were stored in');
});
