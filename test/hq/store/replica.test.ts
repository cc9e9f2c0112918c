// Lists and statistics from a standby: it shows what was acknowledged before, or the primary is asked.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLogger, type Logger } from '../../../common/log.ts';
import { type HubStore, openHubStore } from '../../../hq/stores.ts';
import { Server } from '../../support/cluster.ts';
import { until } from '../../support/request.ts';
import { event, stampAt, T0, testClock, verdict } from './hub.ts';

const clock = testClock();
const WINDOW = { tenantCode: 'acme', since: 0, until: T0 + 1, asOf: T0 };
let [first, second]: Server[] = [];
beforeAll(async () => {
  first = await Server.primary();
  second = await first.standby('second');
}, 180_000);
afterAll(async () => {
  await second?.close();
  await first?.close();
});
const stores: HubStore[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

const servers = (): { first: Server; second: Server } => {
  if (!first || !second) throw new Error('the servers do not run');
  return { first, second };
};

/** @param warned what the log is told */
async function open(readUrl: string, warned: string[] = []): Promise<HubStore> {
  const log = Object.assign(createLogger('test', 'silent'), {
    warn: (...said: unknown[]) => void warned.push(String(said.at(-1))),
  }) as Logger;
  const store = await openHubStore({ url: servers().first.url, readUrl, clock, log, poolSize: 4 });
  stores.push(store);
  warned.length = 0;
  return store;
}

const keysOf = async (store: HubStore): Promise<string[]> =>
  (await store.events.list({ tenantCode: 'acme', includeTest: true }, null, 3)).map(
    ({ idempotencyKey }) => idempotencyKey,
  );
const countsOf = ({ replica }: HubStore) => ({ ...replica?.counts });
/** `replay`: whether the standby applies what comes. */
const replay = (on: boolean): Promise<unknown> =>
  servers().second.ask((client) => client.query(`select pg_wal_replay_${on ? 'resume' : 'pause'}()`));

test('a list shows what was written before it, from a standby that follows and from the primary beside one that lags', async () => {
  const warned: string[] = [];
  const store = await open(servers().second.url, warned);
  await until('the standby has the tables', async () => {
    await keysOf(store);
    return store.replica?.state === 'used';
  });
  const before = countsOf(store);
  for (let turn = 0; turn < 20; turn += 1) {
    const [made] = await store.events.ingest([event(`k${turn}`)], T0);
    expect((await keysOf(store))[0]).toBe(`k${turn}`);
    await store.verdicts.write(verdict(made?.id ?? 0), stampAt(T0, clock));
    expect(
      await store.events.list({ tenantCode: 'acme', includeTest: true, verdict: 'confirmed' }, null, 1),
    ).toMatchObject([{ idempotencyKey: `k${turn}` }]);
  }
  expect((countsOf(store).used ?? 0) - (before.used ?? 0)).toBeGreaterThan(0);
  const { events } = await store.stats.window(WINDOW, 10_000);
  expect(events.reduce((sum, { count }) => sum + count, 0)).toBe(20);

  warned.length = 0;
  await replay(false);
  await store.events.ingest([event('late')], T0);
  for (let turn = 0; turn < 3; turn += 1) expect((await keysOf(store))[0]).toBe('late');
  expect(store.replica?.state).toBe('behind');
  expect(countsOf(store).behind).toBeGreaterThanOrEqual(3);
  expect(warned.length).toBe(1);
  await replay(true);
  await until('the standby is read again', async () => {
    expect((await keysOf(store))[0]).toBe('late');
    return store.replica?.state === 'used';
  });
});

test('a standby that is away, and a server that is none, leave everything to the primary', async () => {
  const { first: primary, second: standby } = servers();
  for (const readUrl of [standby.url.replace(/:\d+\/postgres/, ':9/postgres'), primary.url]) {
    const warned: string[] = [];
    const store = await open(readUrl, warned);
    await store.events.ingest([event('away')], T0);
    for (let turn = 0; turn < 3; turn += 1) expect(await keysOf(store)).toContain('away');
    expect([store.replica?.state, countsOf(store), warned.length]).toEqual([
      'away',
      { used: 0, away: 3, behind: 0 },
      1,
    ]);
  }
});

test('a list that the standby breaks off is read from the primary', async () => {
  const store = await open(servers().second.url);
  await until('the standby is read', async () => {
    await keysOf(store);
    return store.replica?.state === 'used' && (countsOf(store).used ?? 0) > 0;
  });
  const reading = store.stats.window(WINDOW, 10_000);
  await servers().second.ask((client) =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fieldline-hq reads'`,
    ),
  );
  await reading;
  expect(await keysOf(store)).toHaveLength(3);
});
