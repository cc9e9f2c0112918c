// Facts behind lists and statistics at headquarters: several processes, verdicts that a site replaces,
// retention.
import { expect, test } from 'vitest';
import type { EventCount } from '../../../common/core/stats/record.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { event, hubStores, stampAt, T0, testClock, verdict } from './hub.ts';

const hub = hubStores();
const DAY = 86_400_000;

const counts = async (store: HubStore): Promise<EventCount[]> =>
  (
    await store.stats.window(
      { tenantCode: 'acme', since: T0 - 40 * DAY, until: T0 + 40 * DAY, asOf: T0 },
      15_000,
    )
  ).events;
const total = (groups: readonly EventCount[]) => groups.reduce((sum, { count }) => sum + count, 0);
const events = (count: number) =>
  Array.from({ length: count }, (_, i) => event(`k${i}`, { occurredAt: T0 + i * 3_600_000 }));

test('rounds of many processes at once count each event once', async () => {
  const { url } = await hub.database();
  const stores = await Promise.all(Array.from({ length: 4 }, () => hub.open(url)));
  const [store] = stores as [HubStore];
  for (let batch = 0; batch < 5; batch += 1) {
    await store.events.ingest(
      events(40).map((one) => ({ ...one, idempotencyKey: `${batch}-${one.idempotencyKey}` })),
      T0,
    );
    await Promise.all(stores.map((one) => one.eventIndex.round()));
  }
  await store.eventIndex.round();
  const { rows } = await store.pool.query<{ hours: number; days: number; facts: number }>(
    'select (select sum(count)::int from event_hours) as hours, (select sum(count)::int from ' +
      'event_days) as days, (select count(*)::int from event_facts) as facts',
  );
  expect(rows).toEqual([{ hours: 200, days: 200, facts: 200 }]);
  expect(total(await counts(store))).toBe(200);
});

test('an event that moves back and forth between groups is counted once, with and without a round between', async () => {
  const { url } = await hub.database();
  const store = await hub.open(url);
  await store.events.ingest(events(3), T0);
  await store.eventIndex.round();
  await store.verdicts.write(verdict(1), stampAt(T0, testClock()));
  // A site's own verdict takes the place of that of headquarters under one more change.
  const replace = async (value: string, no: number) => {
    await store.pool.query(`update verdicts set verdict = $1 where event_id = 1`, [value]);
    await store.pool.query(
      'insert into verdict_changes (change_no, at, event_id, tenant_code, kind, body) values ($1, $2, ' +
        `1, 'acme', 'verdict', '{}')`,
      [no, T0],
    );
  };
  for (const [index, value] of ['false_alarm', 'confirmed', 'false_alarm'].entries()) {
    await replace(value, index + 2);
    expect((await counts(store)).map(({ verdict: seen, count }) => [seen, count]).sort()).toEqual(
      [
        [null, 2],
        [value, 1],
      ].sort(),
    );
    if (index !== 1) await store.eventIndex.round();
    expect(
      (
        await store.events.list(
          { tenantCode: 'acme', includeTest: true, verdict: value as 'confirmed' },
          null,
          10,
        )
      ).map(({ id }) => id),
    ).toEqual([1]);
    expect(total(await counts(store))).toBe(3);
  }
});

test('retention that deletes while a round runs leaves nothing behind', async () => {
  const { url } = await hub.database();
  const [store, other] = [await hub.open(url), await hub.open(url)];
  await store.events.ingest(events(300), T0);
  const drop = () =>
    other.retention.dropEvents({
      before: T0 + DAY,
      through: 300,
      limit: 50,
      holdUnsent: false,
      now: T0 + DAY,
    });
  await Promise.all([store.eventIndex.round(), drop(), store.eventIndex.round(), drop()]);
  await store.eventIndex.round();
  expect([total(await counts(store)), (await store.events.page(0, 1_000)).length]).toEqual([200, 200]);
  const { rows } = await store.pool.query<{ facts: number; empty: number }>(
    `select (select count(*)::int from event_facts) as facts,
       (select count(*)::int from (select count from event_hours union all select count from event_days) c
         where count = 0) as empty`,
  );
  expect(rows).toEqual([{ facts: 200, empty: 0 }]);
});

test('the work of statistics is stopped inside the server', async () => {
  const { url } = await hub.database();
  const store = await hub.open(url);
  await store.events.ingest(events(2), T0);
  const blocker = await store.pool.connect();
  await blocker.query('begin; lock table event_facts in access exclusive mode');
  const refused = await store.stats
    .window({ tenantCode: 'acme', since: T0, until: T0 + DAY, asOf: T0 }, 200)
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 503, code: 'stats_timeout' });
  const { rows } = await blocker.query<{ waiting: number }>(
    'select count(*)::int as waiting from pg_locks where not granted and database = (select oid from ' +
      'pg_database where datname = current_database())',
  );
  await blocker.query('rollback');
  blocker.release();
  expect(rows).toEqual([{ waiting: 0 }]);
  expect(total(await counts(store))).toBe(2);
});
