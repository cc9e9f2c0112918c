// A site's sender against the real hub: its routes, its store, Postgres.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SigningKey } from '../../../common/http/signing/signature.ts';
import { silentLogger } from '../../../common/log.ts';
import { type Hub, startHub } from '../../../hq/app.ts';
import { readHubConfig } from '../../../hq/config.ts';
import { newEvent, range } from '../../contract/samples.ts';
import { SECOND, TestClock } from '../../support/clock.ts';
import { waitingDecisions } from '../../support/inbox.ts';
import { createHubDatabase, type TestDatabase } from '../../support/postgres.ts';
import { openRig, type Rig } from './rig.ts';

const ADMIN_KEY = 'fla_key-of-this-one-test-for-its-hub';
const clock = new TestClock(undefined, 7);
let dir: string;
let database: TestDatabase;
let hub: Hub;
let rig: Rig;
let key: SigningKey;

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-uplink-hub-'));
  database = await createHubDatabase();
  const config = readHubConfig({
    CORE_LISTEN: '127.0.0.1:0',
    CORE_DATA_DIR: dir,
    DATABASE_URL: database.url,
    CORE_ADMIN_KEY_REF: 'env:ADMIN',
    ADMIN: ADMIN_KEY,
    AGENT_ENABLED: 'false',
  });
  hub = await startHub(config, { clock, log: silentLogger() });
  key = (await call('POST', '/api/core/sites', {
    instance: 'site-1',
    tenants: ['acme'],
  })) as unknown as SigningKey;
  rig = await openRig({ url: hub.url, batch: 100, key: () => key });
});
afterAll(async () => {
  await rig.close();
  await hub.stop();
  await database.drop();
  await rm(dir, { recursive: true, force: true });
});

async function call(method: string, target: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(hub.url + target, {
    method,
    headers: {
      'x-admin-key': ADMIN_KEY,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Time passes at both ends. */
async function drain(): Promise<void> {
  clock.advance(4 * SECOND);
  rig.clock.advance(4 * SECOND);
  await rig.drain();
}

const received = async () =>
  (await hub.store.events.page(0, 1000)).map(({ idempotencyKey }) => idempotencyKey);

test('events and verdicts arrive once; what is refused is parked and replayed; decisions come down', async () => {
  const ids = await rig.events(250);
  await rig.store.events.ingest([newEvent('foreign', { tenantCode: 'other' })], rig.clock.now());
  await rig.judge(ids[0] ?? 0);
  await drain();
  expect(await received()).toEqual(range(250, (index) => `e${index}`));
  expect(rig.parked.list({}, 10)).toMatchObject([{ originId: 251, error: 'tenant_not_allowed' }]);
  const first = (await hub.store.events.page(0, 1))[0];
  expect(await hub.store.verdicts.get(first?.id ?? 0)).toMatchObject({ verdict: 'confirmed', by: 'li' });

  expect(await call('PATCH', '/api/core/sites/site-1', { tenants: ['acme', 'other'] })).toMatchObject({
    instance: 'site-1',
    tenants: ['acme', 'other'],
  });
  expect(await rig.parked.replay({})).toMatchObject({
    replayed: [{ channel: 'events', originId: 251 }],
    refused: [],
  });
  expect(await received()).toContain('foreign');

  const second = (await hub.store.events.page(1, 1))[0];
  await call('POST', `/api/core/events/${second?.id ?? 0}/verdict`, {
    verdict: 'false_alarm',
    by: 'chen',
    note: 'a shadow',
  });
  await drain();
  await drain();
  expect(await rig.store.verdicts.get(ids[1] ?? 0)).toMatchObject({
    verdict: 'false_alarm',
    by: 'chen',
    note: 'a shadow',
  });
  expect(await waitingDecisions(hub.store, 'site-1')).toEqual([]);
});

test('corrections that race end in the same order at both ends', async () => {
  const hubEvent = (await hub.store.events.page(0, 1))[0];
  const id = hubEvent?.originId ?? 0;
  await call('POST', `/api/core/events/${hubEvent?.id ?? 0}/corrections`, {
    verdict: 'false_alarm',
    by: 'hq',
    note: 'headquarters saw it first',
  });
  await rig.store.verdicts.correct(
    {
      id: 'of-the-site',
      eventId: id,
      tenantCode: null,
      verdict: 'confirmed',
      by: 'li',
      byKind: 'human',
      note: 'seen on the spot',
      mergedInto: null,
      decisionId: null,
      actor: 'test',
    },
    { now: rig.clock.now(), newId: () => 'audit-of-the-site' },
  );
  for (let round = 0; round < 3; round += 1) await drain();
  const order = (rows: { by: string }[]) => rows.map((row) => row.by);
  expect(order(await hub.store.verdicts.corrections(hubEvent?.id ?? 0))).toEqual(
    order(await rig.store.verdicts.corrections(id)),
  );
  expect((await hub.store.events.get(hubEvent?.id ?? 0))?.correctedTo).toBe(
    (await rig.store.events.get(id))?.correctedTo,
  );
});

test('the status of the hub and the list of sites tell of the site', async () => {
  const status = await call('GET', '/api/core/uplink/status');
  expect(status).toMatchObject({
    role: 'hq',
    sites: [
      {
        instance: 'site-1',
        tenants: ['acme', 'other'],
        state: 'current',
        version: '0',
        events: { cursor: 251, receivedTotal: 251, rejectedTotal: 1, epoch: rig.store.epoch() },
        verdicts: { cursor: 4 },
      },
    ],
  });
  clock.advance(31 * SECOND);
  expect(await call('GET', '/api/core/uplink/status')).toMatchObject({ sites: [{ state: 'late' }] });
  expect(await call('GET', '/api/core/sites')).toMatchObject({
    items: [{ instance: 'site-1', keys: [{ keyId: key.keyId, previousSecretUntil: null }] }],
  });
  rig.clock.advance(31 * SECOND);
});

/** Resolves when the hub has heard that something of the site was changed. */
const heard = (): Promise<void> => new Promise((resolve) => hub.store.news.onSite(() => resolve()));

test('a store that was put back at headquarters is filled again, one at the site goes on under a new epoch', async () => {
  const epoch = hub.store.epoch();
  await hub.store.pool.query(
    'with gone as (delete from events where origin_id > 200 returning tenant_code, id) delete from ' +
      'event_keys k using gone g where k.tenant_code = g.tenant_code and k.event_id = g.id',
  );
  const lowered = heard();
  await hub.store.pool.query("update sources set cursor = 200 where channel = 'events'");
  await lowered;
  await drain();
  expect(new Set(await received()).size).toBe(251);
  expect(await rig.alarm('uplink_hub_lost_data')).toBeDefined();
  expect(hub.store.epoch()).not.toBe(epoch);
  expect(await rig.alarm('uplink_hub_epoch_changed')).toBeDefined();
  const raised = heard();
  await hub.store.pool.query("update sources set cursor = 400 where channel = 'events'");
  await raised;
  await drain();
  await drain();
  expect(await rig.alarm('store_restored')).toBeDefined();
  const [next] = await rig.events(1, 'after');
  expect(next).toBe(401);
  await drain();
  expect(await received()).toHaveLength(252);
  const alarms = (await hub.store.alarms.list({ tenantCode: null, includeCleared: false }, 10)).map(
    (alarm) => alarm.key,
  );
  expect(alarms.sort()).toEqual(['uplink_lost_data:site-1', 'uplink_rolled_back:site-1']);
});

test('a key is rotated without a break, speaks for its site only, and goes with the site', async () => {
  const rotated = await call('POST', `/api/core/sites/site-1/keys/${key.keyId}/rotate`, { overlap_hours: 1 });
  await rig.events(1, 'old-secret');
  await drain();
  key = rotated as unknown as SigningKey;
  await rig.events(1, 'new-secret');
  await drain();
  expect(await received()).toEqual(expect.arrayContaining(['old-secret0', 'new-secret0']));
  const other = (await call('POST', '/api/core/sites', {
    instance: 'site-2',
    tenants: ['acme'],
    key_id: 'second',
  })) as unknown as SigningKey;
  await expect(
    call('POST', '/api/core/sites', { instance: 'site-3', tenants: ['acme'], key_id: 'second' }),
  ).rejects.toThrow('409');
  const own = key;
  key = other;
  await rig.events(1, 'impostor');
  await drain();
  expect(rig.sender.channels.events.attempts.lastFault?.code).toBe('hub_refused_site');
  key = own;
  await call('DELETE', '/api/core/sites/site-1');
  clock.advance(10 * SECOND);
  rig.clock.advance(10 * SECOND);
  await drain();
  expect(rig.sender.channels.events.attempts.lastFault?.code).toBe('hub_refused_key');
  expect(await received()).not.toContain('impostor0');
  expect(await call('GET', '/api/core/sites')).toMatchObject({ items: [{ instance: 'site-2' }] });
});
