// What one process changes, another hears, and believes nothing that it may have missed.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KeyRecord } from '../../../common/core/key/port.ts';
import { KeyService } from '../../../common/core/key/service.ts';
import { silentLogger } from '../../../common/log.ts';
import { SealedVault } from '../../../common/secret/secret.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { hubStores, stampAt, T0, testClock, uplinked, verdict } from './hub.ts';

const hub = hubStores();
const clock = testClock();
const masterKey = Buffer.alloc(32, 1);
const vault = new SealedVault(masterKey);
let [here, there]: HubStore[] = [];
let heard: string[] = [];
/** Resolves with the next thing that is heard. */
let next: () => Promise<string>;

beforeEach(async () => {
  const { url } = await hub.database();
  const stores = [await hub.open(url, clock), await hub.open(url, clock)] as const;
  [here, there] = stores;
  heard = [];
  const waiting: ((text: string) => void)[] = [];
  const hear = (text: string): void => {
    heard.push(text);
    waiting.shift()?.(text);
  };
  next = () => new Promise((resolve) => waiting.push(resolve));
  stores[0].news.onKey((keyId) => hear(`key ${keyId}`));
  stores[0].news.onSite((instance) => hear(`site ${instance}`));
  stores[0].news.start();
  await listening(stores[0]);
});
afterEach(() => here?.news.stop());

async function listening({ news }: HubStore): Promise<void> {
  while (!news.current()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const storesOf = (): { here: HubStore; there: HubStore } => {
  if (!here || !there) throw new Error('the stores are not open');
  return { here, there };
};

const record = (keyId: string): KeyRecord => ({
  keyId,
  purpose: 'site',
  tenantCode: null,
  subject: 'site-1',
  scopes: null,
  secretRef: vault.put(keyId, 'fls_secret'),
  previousRef: null,
  previousUntil: null,
  createdAt: T0,
  removedAt: null,
});

const keyService = (store: HubStore): KeyService =>
  new KeyService({
    keys: store.keys,
    vault,
    sources: { env: {}, masterKey },
    clock,
    log: silentLogger(),
    cacheMs: 2_000,
    news: store.news,
  });

test('a key that another process withdraws is refused as soon as that is heard, one that is kept is not asked for', async () => {
  const { here, there } = storesOf();
  const keys = keyService(here);
  const added = next();
  await there.keys.add(record('k1'), 'admin');
  expect(await added).toBe('key k1');
  expect(await keys.live('k1')).toMatchObject({ keyId: 'k1', secrets: ['fls_secret'] });
  clock.set(T0 + 30_000);
  expect(keys.live('k1')).toMatchObject({ keyId: 'k1' });
  const removed = next();
  await there.keys.remove('k1', T0 + 1, 'admin');
  expect(await removed).toBe('key k1');
  expect(await keys.live('k1')).toBeNull();
});

test('while nobody listens a key is believed two seconds, and the secret before a rotation no longer than it may', async () => {
  const { here, there } = storesOf();
  clock.set(T0);
  const keys = keyService(here);
  await there.keys.add(record('k1'), 'admin');
  await there.keys.rotate('k1', vault.put('k1', 'fls_newer'), T0 + 10_000, T0, 'admin');
  await here.news.stop();
  expect((await keys.live('k1'))?.secrets).toEqual(['fls_newer', 'fls_secret']);
  clock.set(T0 + 1_999);
  expect(keys.live('k1')).not.toBeInstanceOf(Promise);
  clock.set(T0 + 2_001);
  expect(keys.live('k1')).toBeInstanceOf(Promise);
  here.news.start();
  await listening(here);
  expect((await keys.live('k1'))?.secrets).toHaveLength(2);
  clock.set(T0 + 10_001);
  expect((await keys.live('k1'))?.secrets).toEqual(['fls_newer']);
});

test('when the connection breaks everything may have changed, and what is changed after is heard again', async () => {
  const { here, there } = storesOf();
  const lost = next();
  await there.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'fieldline-hq news' and datname = current_database()`,
  );
  expect(await lost).toBe('key null');
  expect(here.news.current()).toBe(false);
  await listening(here);
  const added = next();
  await there.keys.add(record('k2'), 'admin');
  expect(await added).toBe('key k2');
});

test('what waits for a site is told of it, and of the site that goes on with its name', async () => {
  const { there } = storesOf();
  for (const instance of ['site-1', 'heir']) {
    const made = next();
    await there.sites.add({ instance, tenants: ['acme'] }, T0, 'admin');
    expect(await made).toBe(`site ${instance}`);
  }
  const head = {
    instance: 'site-1',
    epoch: 'e1',
    version: '1.0',
    from: 0,
    to: 1,
    head: 1,
    oldest: 1,
    held: null,
    at: null,
  };
  await there.receiver.storeEvents(head, [uplinked('a', 1)], [], T0);
  const removed = next();
  await there.sites.remove('site-1', T0, 'admin');
  expect(await removed).toBe('site site-1');
  const continued = next();
  await there.sites.change('heir', { continues: ['site-1'] }, T0, 'admin');
  await continued;
  heard = [];
  await there.verdicts.write(verdict(1), stampAt(T0 + 5, clock));
  while (heard.length < 2) await next();
  expect(heard).toEqual(['site site-1', 'site heir']);
});
