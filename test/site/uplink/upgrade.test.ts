// A package that headquarters names is fetched, checked and handed over, on a real store and a real disk.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { isSignedBy, signManifest } from '../../../common/uplink/upgrade/manifest.ts';
import type { UpgradeItem } from '../../../common/uplink/upgrade/record.ts';
import { createHttpClient } from '../../../site/http-client.ts';
import { openSiteStore, type SiteStore } from '../../../site/store/open.ts';
import { PackageFetch } from '../../../site/upgrade/fetch.ts';
import { UpgradeFiles } from '../../../site/upgrade/files.ts';
import { releaseKeys } from '../../../site/upgrade/keys.ts';
import { Upgrades } from '../../../site/upgrade/upgrades.ts';
import { Pace } from '../../../site/uplink/evidence/pace.ts';
import { HubCalls } from '../../../site/uplink/hub-calls.ts';
import { SECOND, TestClock } from '../../support/clock.ts';
import { HttpPeer, type PeerAnswer } from '../../support/http-peer.ts';

const keys = generateKeyPairSync('ed25519');
const PACKAGE = Array.from({ length: 40_000 }, (_, at) => `line ${at}\n`).join('');
const sha256 = createHash('sha256').update(PACKAGE).digest('hex');
const RELEASE = signManifest(
  {
    ...{ format: 1, product: 'fieldline-site', version: '2.0.0', made_at: 1 },
    packages: [{ architecture: 'amd64', name: 'site.deb', size: PACKAGE.length, sha256 }],
  },
  keys,
);
const item = (no: number, over: Partial<UpgradeItem> = {}): UpgradeItem => ({
  ...{ no, release: RELEASE, hours: { from: 0, until: 0 }, by: 'anna', at: 1 },
  ...over,
});

let dir: string;
let hub: HttpPeer;
let store: SiteStore;
let free: boolean;
let clock: TestClock;
const client = createHttpClient();
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-upgrade-'));
  clock = new TestClock();
  store = await openSiteStore({ dir, clock, log: silentLogger() });
  hub = await new HttpPeer().open();
  hub.respond = ({ target }) => answer(target, PACKAGE);
  free = true;
  await mkdir(path.join(dir, 'root'));
});
afterEach(async () => {
  await store.close();
  await hub.close();
  await rm(dir, { recursive: true });
});

function answer(target: string, from: string): PeerAnswer {
  const { searchParams } = new URL(target, 'http://hub');
  const offset = Number(searchParams.get('offset'));
  return { body: from.slice(offset, offset + Number(searchParams.get('bytes'))) };
}

const steps: string[] = [];
const there = (name: string): string => path.join(dir, 'upgrade', name);
const fetchedBytes = (): number =>
  existsSync(there(`${sha256}.part`)) ? readFileSync(there(`${sha256}.part`)).length : 0;

/** As a process would begin with this store and disk. */
function begin(): Upgrades {
  const files = new UpgradeFiles({ dir: path.join(dir, 'upgrade'), root: path.join(dir, 'root') });
  const key = () => ({ keyId: 'site-key', secret: 'secret' });
  const log = silentLogger();
  return new Upgrades({
    ...{ port: store.upgrade, files, clock, log, version: '1.0.0', pid: 7 },
    fetch: new PackageFetch({
      files,
      calls: new HubCalls({ client, key, url: hub.url, clock }),
      pace: new Pace({ kbps: null }),
      free: () => free,
      ...{ clock, log, random: () => 0.5 },
    }),
    ground: ({ release }) => ({
      runs: { version: '1.0.0', architecture: 'amd64' },
      keys: { folder: '/keys', count: 1 },
      signed: release !== null && isSignedBy(release, [keys.publicKey]),
      ...{ freeBytes: 1e12, storeBytes: 1 },
    }),
    onStep: ({ step }) => Promise.resolve(void steps.push(step)),
  });
}

const step = (): string | undefined => store.upgrade.read()?.step;
async function rounds(upgrades: Upgrades, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    clock.advance(200 * SECOND);
    await upgrades.round(AbortSignal.timeout(30_000));
  }
}

/** Rounds until it has come to a step. */
async function comes(upgrades: Upgrades, to: string): Promise<void> {
  for (let done = 0; done < 20 && step() !== to; done += 1) await rounds(upgrades, 1);
  expect(step()).toBe(to);
}

test('fetched in pieces while no event waits, gone on with after a kill, handed over, and followed to its end', async () => {
  const first = begin();
  expect(await first.take(item(1))).toBe('carried_out');
  free = false;
  await rounds(first, 2);
  expect(hub.heard).toHaveLength(0);
  free = true;
  await rounds(first, 2);
  const before = fetchedBytes();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(PACKAGE.length);
  expect(hub.heard.every(({ method }) => method === 'GET')).toBe(true);

  // Another process goes on where that one was.
  const second = begin();
  hub.heard.length = 0;
  await rounds(second, 1);
  expect(hub.heard[0]?.target).toContain(`offset=${before}&`);
  await comes(second, 'installing');
  await rounds(second, 1);
  expect(readFileSync(there('package.deb'), 'utf8')).toBe(PACKAGE);
  expect(JSON.parse(readFileSync(there('release.json'), 'utf8'))).toEqual(RELEASE);
  expect(JSON.parse(readFileSync(there('wanted'), 'utf8'))).toMatchObject({ no: 1 });
  expect(JSON.parse(readFileSync(there('alive.json'), 'utf8'))).toMatchObject({
    wrote: true,
    reached: false,
  });
  second.answered();
  await rounds(second, 1);
  expect(JSON.parse(readFileSync(there('alive.json'), 'utf8'))).toMatchObject({ reached: true });

  // Headquarters wants it no more: too late, and told under the number of that.
  expect(await second.take(item(2, { release: null }))).toBe('carried_out');
  const reason = { code: 'upgrade_no_contact', params: { minutes: 3 } };
  writeFileSync(
    path.join(dir, 'root', 'report.json'),
    JSON.stringify({ no: 1, step: 'taken_back', reason, at: 9 }),
  );
  await rounds(second, 2);
  expect(store.upgrade.read()).toMatchObject({ step: 'taken_back', reason, item: { no: 2 }, next: null });
  expect(existsSync(there('package.deb'))).toBe(false);
  const [sent] = store.changes.read(0, 10, { eventsThrough: 0, maxBytes: 1e6 });
  expect(JSON.parse(sent?.text ?? '{}')).toMatchObject({
    ...{ kind: 'upgrade', no: 2, step: 'taken_back', version: '2.0.0', runs: '1.0.0' },
    reason: 'it did not reach headquarters within 3 minutes',
  });
  const audit = await store.audit.list({ tenantCode: null, subject: 'upgrade' }, null, 10);
  expect(audit.map(({ action }) => action)).toEqual([
    ...[
      'upgrade.taken_back',
      'upgrade.installing',
      'upgrade.installing',
      'upgrade.fetched',
      'upgrade.fetching',
    ],
  ]);
});

test.each<[string, (target: string) => PeerAnswer, string, string | undefined]>([
  ['other bytes', (target) => answer(target, PACKAGE.replaceAll('e', 'f')), 'refused', 'upgrade_bytes'],
  ['answers that are too long', () => ({ body: PACKAGE.repeat(4) }), 'fetching', undefined],
  ['nothing', () => ({ body: '' }), 'fetching', undefined],
  ['a package that is gone', () => ({ status: 404 }), 'fetching', undefined],
])('headquarters that gives %s harms nothing', async (_what, respond, end, reason) => {
  hub.respond = ({ target }) => respond(target);
  const upgrades = begin();
  await upgrades.take(item(1));
  await rounds(upgrades, 30);
  expect([step(), store.upgrade.read()?.reason?.code]).toEqual([end, reason]);
  expect(existsSync(there('wanted'))).toBe(false);
  if (end === 'fetching') {
    // It goes on once headquarters is itself again.
    hub.respond = ({ target }) => answer(target, PACKAGE);
    await comes(upgrades, 'installing');
  }
});

test('outside its hours it waits, stopped before them it leaves nothing, and nobody who installs is said', async () => {
  const upgrades = begin();
  const hour = new Date(clock.now()).getHours();
  const hours = { from: (hour + 8) % 24, until: (hour + 9) % 24 };
  await upgrades.take(item(1, { hours }));
  await rounds(upgrades, 12);
  expect([step(), existsSync(there('wanted'))]).toEqual(['fetched', false]);
  await upgrades.take(item(2, { release: null }));
  expect([step(), fetchedBytes()]).toEqual(['stopped', PACKAGE.length]);

  // Wanted again: nothing is fetched once more.
  const before = hub.heard.length;
  await upgrades.take(item(3));
  await comes(upgrades, 'installing');
  expect(hub.heard).toHaveLength(before);
  await rounds(upgrades, 20);
  expect(store.upgrade.read()).toMatchObject({ step: 'refused', reason: { code: 'upgrade_nobody' } });
});

test('a key of releases holds where its owner alone can change it', async () => {
  const folder = path.join(dir, 'keys');
  await mkdir(folder);
  const owner = process.getuid?.() ?? 0;
  const pem = keys.publicKey.export({ type: 'spki', format: 'pem' });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    type: 'spki',
    format: 'pem',
  });
  writeFileSync(path.join(folder, 'good.pem'), pem, { mode: 0o644 });
  writeFileSync(path.join(folder, 'open.pem'), pem, { mode: 0o600 });
  writeFileSync(path.join(folder, 'kind.pem'), other);
  writeFileSync(path.join(folder, 'none.pem'), 'nothing');
  const { chmodSync, symlinkSync } = await import('node:fs');
  chmodSync(path.join(folder, 'open.pem'), 0o666);
  symlinkSync(path.join(folder, 'good.pem'), path.join(folder, 'link.pem'));
  expect(releaseKeys([folder, '/nowhere'], owner)).toHaveLength(1);
  expect(releaseKeys([folder], owner + 1)).toHaveLength(0);
});
