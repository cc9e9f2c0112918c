// What the index of events must not miss, whatever is committed between two of its statements.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import { listEvents } from '../../../hq/store/event-index/list.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { indexEvents } from '../../contract/event-index.ts';
import type { PeerHarness } from '../../contract/harness.ts';
import { docOf, newEvent, stored, taskOn, verdictOn } from '../../contract/samples.ts';
import { HOUR, TEST_START, TestClock } from '../../support/clock.ts';
import { hubHarness } from '../../support/hub-harness.ts';
import { until } from '../../support/request.ts';

const clock = new TestClock();
let harness: PeerHarness;
let store: HubStore;
beforeEach(async () => {
  harness = hubHarness();
  store = (await harness.open(clock)) as HubStore;
});
afterEach(() => harness.close());

async function verdictsCounted(): Promise<unknown[]> {
  const { events } = await store.stats.window(
    { tenantCode: 'acme', since: TEST_START - HOUR, until: TEST_START + HOUR, asOf: TEST_START },
    15_000,
  );
  return events.map(({ verdict, count }) => [verdict, count]);
}

test('a verdict that is committed while a round takes its event is counted', async () => {
  const id = await stored(store, newEvent('k', { occurredAt: TEST_START }));
  await store.verdicts.write(verdictOn(id), stampOf(clock));
  const writer = await store.pool.connect();
  try {
    // The verdict as its writer has it, just before the commit; the table is locked so that a round waits for
    // that commit where it reads the changes.
    await writer.query(
      'create temp table kept_verdicts as select * from verdicts; create temp table kept_changes as ' +
        'select * from verdict_changes; delete from verdicts; delete from verdict_changes',
    );
    await writer.query(
      'begin; insert into verdicts select * from kept_verdicts; insert into verdict_changes select * ' +
        'from kept_changes; lock table verdict_changes in access exclusive mode',
    );
    const indexed = indexEvents(store);
    await until(
      'the round waits',
      async () =>
        (
          await store.pool.query(
            'select 1 from pg_locks where database = (select oid from pg_database where datname = ' +
              `current_database()) and relation = 'verdict_changes'::regclass and not granted`,
          )
        ).rowCount === 1,
    );
    await writer.query('commit; drop table kept_verdicts, kept_changes');
    await indexed;
  } finally {
    writer.release();
  }
  await indexEvents(store);
  expect(await verdictsCounted()).toEqual([['confirmed', 1]]);
});

test('an event whose group becomes another while a list by place is read is in it', async () => {
  const place = { cameraRef: 'gate' };
  const id = await stored(store, newEvent('k', { occurredAt: TEST_START, doc: docOf(place) }));
  await indexEvents(store);
  const between = {
    query: async <R>(text: string, values: unknown[]): Promise<{ rows: R[] }> => {
      const { rows } = await store.pool.query(text, values);
      if (text.startsWith('select g.id')) {
        await store.verdicts.write(verdictOn(id), stampOf(clock));
        await indexEvents(store);
      }
      return { rows: rows as R[] };
    },
  };
  const filter = { tenantCode: 'acme', includeTest: true, ...place };
  const room = { rows: 10, bytes: Infinity };
  const found = await listEvents(between, { filter, before: null, room, probe: 0 });
  expect(found.items.map((one) => [one.id, one.verdict])).toEqual([[id, 'confirmed']]);
});

test('a task that changes while a round counts tasks is counted as it became', async () => {
  const eventId = await stored(store, newEvent('k', { occurredAt: TEST_START }));
  const made = await store.tasks.create(taskOn(eventId), stampOf(clock));
  expect(made.kind).toBe('created');
  const states = async (): Promise<unknown[]> => {
    const { tasks } = await store.stats.window(
      { tenantCode: 'acme', since: TEST_START - HOUR, until: TEST_START + HOUR, asOf: TEST_START },
      15_000,
    );
    return tasks.map(({ state, count }) => [state, count]);
  };
  const writer = await store.pool.connect();
  try {
    await writer.query("begin; update tasks set state = 'closed'");
    await indexEvents(store);
    expect(await states()).toEqual([['open', 1]]);
    await writer.query('commit');
  } finally {
    writer.release();
  }
  expect(await states()).toEqual([['closed', 1]]);
  await indexEvents(store);
  expect(await states()).toEqual([['closed', 1]]);
  await store.pool.query('delete from tasks');
  expect(await states()).toEqual([]);
  await indexEvents(store);
  expect(await states()).toEqual([]);
  expect((await store.pool.query('select * from task_days')).rows).toEqual([]);
});
