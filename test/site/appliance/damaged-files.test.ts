// Every file beside the store, emptied, overwritten and replaced by a folder: the site starts and serves its
// cameras, or one sentence says why not.
import { cpSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SigningKey } from '../../../common/http/signing/signature.ts';
import { half } from '../../support/campaign.ts';
import { type } from '../../support/command.ts';
import { startSiteProgram } from '../../support/deployment.ts';
import { freePort, Program, Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, signedCall, until } from '../../support/request.ts';

const scene = new Scene();
/** A site that ended in order, with an event and a picture. */
let whole: string;
let key: SigningKey;
beforeAll(async () => {
  const site = await startSiteProgram(scene);
  const made = await site.api('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'gate' });
  key = jsonOf<SigningKey>(expectStatus(made, 201));
  expect(await post(site, 'first')).toBe(201);
  await site.stop();
  whole = site.options.dataDir;
});
afterAll(() => scene.close());

async function post(site: Program, id: string, by = key): Promise<number> {
  const body = JSON.stringify({ idempotency_key: id, type: 'fire.smoke' });
  return (await signedCall({ url: site.url, key: by, method: 'POST', path: '/api/core/events', body }))
    .status;
}

const damages = {
  empty: (file: string) => truncateSync(file),
  garbage: (file: string) => writeFileSync(file, 'zzz \u0000 no such thing\n'.repeat(99)),
  folder: (file: string) => {
    rmSync(file, { recursive: true, force: true });
    mkdirSync(file);
    writeFileSync(path.join(file, 'x'), 'x');
  },
} as const;

/** What stands in the place of each file. Not the file: the folder of its name is tried too. */
const SERVES = /^serves$/;
const sentence = (file: string): RegExp => new RegExp(`^fieldline-site: \\S*${file}.*\\n$`);
const cannotOpen = (file: string): RegExp => sentence(`${file} cannot be opened`.replaceAll('.', '\\.'));

const CASES: readonly [name: string, kind: keyof typeof damages, outcome: RegExp][] = [
  ['site.lock', 'empty', SERVES],
  ['site.lock', 'garbage', SERVES],
  ['site.lock', 'folder', cannotOpen('site.lock')],
  ['site.db', 'folder', cannotOpen('site.db')],
  ['site.db-wal', 'garbage', SERVES],
  ['site.db-wal', 'folder', cannotOpen('site.db-wal')],
  ['site.db-shm', 'folder', cannotOpen('site.db-shm')],
  ['site.known', 'garbage', SERVES],
  ['site.known', 'folder', SERVES],
  ['site.health', 'garbage', SERVES],
  ['site.health', 'folder', cannotOpen('site.health')],
  ['site.lost', 'garbage', SERVES],
  ['site.lost', 'folder', cannotOpen('site.lost')],
  ['evidence.mark', 'garbage', SERVES],
  ['evidence.mark', 'folder', sentence('evidence\\.mark cannot be read')],
  ['evidence', 'garbage', SERVES],
  ['rules_cache.json', 'folder', SERVES],
  ['device-pictures', 'garbage', SERVES],
  ['secrets/seal-key', 'empty', SERVES],
  ['secrets/seal-key', 'garbage', SERVES],
  ['secrets/seal-key', 'folder', sentence('seal-key: is no regular file')],
  ['secrets/admin-key', 'empty', SERVES],
  ['secrets/admin-key', 'folder', sentence('admin-key: is no regular file')],
  ['secrets', 'garbage', /^fieldline-site: \S+\/secrets exists already \(EEXIST\); .*\n$/],
];

test.each(half(CASES, 0))('%s as %s', async (name, kind, outcome) => {
  const dataDir = path.join(scene.dir, `${name.replace('/', '-')}-${kind}`);
  cpSync(whole, dataDir, { recursive: true });
  const file = path.join(dataDir, name);
  if (kind !== 'folder') {
    rmSync(file, { recursive: true, force: true });
    writeFileSync(file, '');
  }
  damages[kind](file);
  const site = new Program({ main: 'site/main.ts', dataDir, port: await freePort() });
  scene.onClose(() => site.kill());
  const ended = await site.start().then(
    () => 'serves',
    () => site.stderr,
  );
  expect(ended).toMatch(outcome);
  if (ended === 'serves') expect(await post(site, 'second')).toBe(201);
  await site.kill();
});

test('a key that seals and is lost costs no event, and what it had sealed is named', async () => {
  const site = await startSiteProgram(scene, {}, 'sealed');
  const device = { tenant_code: 'acme', name: 'old cam', kind: 'hikvision', auth: 'digest' };
  expectStatus(await site.api('POST', '/api/core/devices', device), 201);
  const gate = jsonOf<SigningKey>(
    expectStatus(await site.api('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'gate' }), 201),
  );
  for (const text of ['', 'zzz']) {
    await site.stop();
    writeFileSync(path.join(site.options.dataDir, 'secrets', 'seal-key'), text);
    await site.start();
    expect(await post(site, `after ${text}`, gate)).toBe(201);
    const alarm = await until('the alarm stands', async () => {
      const { items } = jsonOf<{ items: { key: string; message: string }[] }>(
        await site.api('GET', '/api/core/alarms'),
      );
      return items.find(({ key }) => key === 'secrets_unreadable');
    });
    expect(alarm.message).toMatch(/the password of 1 device \(\S+ \(old cam\)\)\. .*node rotate KEY/);
    expect(alarm.message).not.toContain('gate');
  }
});

test('a store of newer code is refused in one sentence', async () => {
  const dataDir = path.join(scene.dir, 'newer');
  cpSync(whole, dataDir, { recursive: true });
  const db = new Database(path.join(dataDir, 'site.db'));
  db.exec("INSERT INTO schema_version VALUES (9999, 'later', 9999, 0)");
  db.close();
  const ended = await type('site/main.ts', ['run'], { CORE_DATA_DIR: dataDir, CORE_INSTANCE: 'site-1' });
  expect(ended).toMatchObject({ code: 2, out: '' });
  expect(ended.err).toMatch(/^fieldline-site: The store was written by a newer version .*\n$/);
});
