// Contention on incident groups at headquarters, where several processes write.
import { expect, test } from 'vitest';
import { AppError } from '../../../common/http/error.ts';
import { by, groupOf } from '../../contract/incident-check.ts';
import { clientOf } from '../../support/postgres.ts';
import { event, hubStores, stampAt, T0, testClock } from './hub.ts';

const hub = hubStores();

test('who does not get a turn in three tries is told to send the same again, and nothing has changed', async () => {
  const { url } = await hub.database();
  const clock = testClock();
  const store = await hub.open(url, clock);
  const stamp = stampAt(T0, clock);
  await store.events.ingest([event('a'), event('b')], T0);
  await store.incidents.upsert(groupOf('key', [1]), stamp);
  const holder = clientOf(url);
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(`select pg_advisory_xact_lock(hashtextextended('incident L1 acme', 0))`);
    const refused = await store.incidents
      .upsert(groupOf('key', [1, 2]), stamp)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({ status: 409, code: 'write_contention', retryable: true });
    expect((await store.incidents.get(1))?.memberCount).toBe(1);
    expect(await store.incidents.upsert(groupOf('elsewhere', [1], { layer: 'L3' }), stamp)).toMatchObject({
      kind: 'upserted',
    });
    await holder.query('rollback');
    expect(await store.incidents.upsert(groupOf('key', [1, 2]), stamp)).toMatchObject({
      kind: 'upserted',
      added: [2],
    });
  } finally {
    await holder.end();
  }
});

test('an event that is being deleted waits to be added, and is then unknown', async () => {
  const { url } = await hub.database();
  const clock = testClock();
  const store = await hub.open(url, clock);
  const stamp = stampAt(T0, clock);
  await store.events.ingest([event('a'), event('b')], T0);
  const deleter = clientOf(url);
  await deleter.connect();
  try {
    await deleter.query('begin');
    await deleter.query('delete from events where id = 2');
    const added = store.incidents.upsert(groupOf('key', [1, 2]), stamp);
    await deleter.query('commit');
    expect(await added).toEqual({ kind: 'unknown_events', eventIds: [2] });
  } finally {
    await deleter.end();
  }
});

test('two processes make each group once', async () => {
  const { url } = await hub.database();
  const clock = testClock();
  const [first, second] = [await hub.open(url, clock), await hub.open(url, clock)];
  const either = (i: number) => (i % 2 === 0 ? first : second).incidents;
  const stamp = stampAt(T0, clock);
  await first.events.ingest(
    Array.from({ length: 20 }, (_, i) => event(`k${i}`)),
    T0,
  );
  const ids = Array.from({ length: 20 }, (_, i) => i + 1);
  await Promise.all(
    ids.map((i) => sent(() => either(i).upsert(groupOf(`key-${i % 5}`, [i, (i % 20) + 1]), stamp))),
  );
  await Promise.all(
    ids.map((i) =>
      sent(() => either(i).merge({ ...by((i % 5) + 1), incidentIds: [((i + 1) % 5) + 1] }, stamp)),
    ),
  );
  const all = await first.incidents.list({ tenantCode: null, includeTest: true }, null, 100);
  expect(all.reduce((sum, one) => sum + one.memberCount, 0)).toBe(20);
});

/** As a client does it: where it is told that it got no turn, it sends the same again. */
async function sent<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'write_contention')) throw error;
    }
  }
}
