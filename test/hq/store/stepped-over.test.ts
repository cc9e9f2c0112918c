// One row that background work cannot take stops nobody else's: it is found, left out, told, and tried again.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import { readAlarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmRecord } from '../../../common/core/alarm/port.ts';
import { LeftOutAlarms } from '../../../common/core/left-out/alarms.ts';
import { silentLogger } from '../../../common/log.ts';
import { hubMessages } from '../../../hq/hub-messages.ts';
import { steppingOver } from '../../../hq/store/engine/step-over.ts';
import { listEvents } from '../../../hq/store/event-index/list.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { indexEvents } from '../../contract/event-index.ts';
import type { PeerHarness } from '../../contract/harness.ts';
import { docOf, newEvent, range, taskOn, verdictOn } from '../../contract/samples.ts';
import { HOUR, TEST_START, TestClock } from '../../support/clock.ts';
import { hubHarness } from '../../support/hub-harness.ts';
import { until } from '../../support/request.ts';

test('rows are taken in their order, in halves only where they fail', async () => {
  const taken: number[][] = [];
  const over: number[] = [];
  const how = {
    work: async (rows: readonly number[]) => {
      if (rows.some((row) => row % 10 === 7)) throw new Error('poison');
      taken.push([...rows]);
    },
    isOfRow: () => true,
    over: async (row: number) => void over.push(row),
  };
  await steppingOver(
    range(6, (i) => i),
    how,
  );
  expect(taken).toEqual([[0, 1, 2, 3, 4, 5]]);
  taken.length = 0;
  await steppingOver(
    range(40, (i) => i),
    how,
  );
  expect(over).toEqual([7, 17, 27, 37]);
  expect(taken.flat()).toEqual(range(40, (i) => i).filter((row) => row % 10 !== 7));
  await expect(steppingOver([7], { ...how, isOfRow: () => false })).rejects.toThrow('poison');
});

const clock = new TestClock();
let harness: PeerHarness;
let store: HubStore;
beforeEach(async () => {
  harness = hubHarness();
  store = (await harness.open(clock)) as HubStore;
});
afterEach(() => harness.close());

/** Ten events of each of two tenants, of which one of `bad` has a place that no index takes. */
async function flooded(): Promise<{ poison: number; ids: number[] }> {
  const hex = (): string => randomBytes(50_000).toString('hex');
  const events = range(20, (i) =>
    newEvent(`k${i}`, {
      tenantCode: i % 2 ? 'good' : 'bad',
      occurredAt: TEST_START,
      doc: docOf(i === 10 ? { siteRef: hex(), cameraRef: hex() } : { siteRef: 'dam' }),
    }),
  );
  const ids = (await store.events.ingest(events, TEST_START)).map(({ id }) => id);
  return { poison: ids[10] as number, ids };
}

const windowOf = async (tenantCode: string): Promise<number> => {
  const asked = { tenantCode, since: TEST_START - HOUR, until: TEST_START + HOUR, asOf: TEST_START };
  return (await store.stats.window(asked, 15_000)).events.reduce((sum, { count }) => sum + count, 0);
};
const served = async (tenantCode: string): Promise<number> =>
  Number(
    (
      await store.pool.query<{ sum: string }>(
        'select coalesce(sum(count), 0) as sum from served_event_counts where tenant_code = $1',
        [tenantCode],
      )
    ).rows[0]?.sum,
  );
const countServed = async (): Promise<void> => {
  while ((await store.servedCounts.round(clock.now())).again);
};
const hourLater = () => store.pool.query('update stepped_over set next_at = 0');

describe('an event that breaks an index', () => {
  test('is left out of the index and of the counts, and every other is in both', async () => {
    const { poison } = await flooded();
    await indexEvents(store);
    await countServed();
    expect(await store.leftOut.leftOut()).toMatchObject([
      { work: 'dataset counts', tenantCode: 'bad', rows: 1, rowId: poison },
      {
        work: 'event index',
        tenantCode: 'bad',
        rows: 1,
        rowId: poison,
        reason: expect.stringContaining('index row') as string,
      },
    ]);
    expect([await served('good'), await served('bad')]).toEqual([10, 9]);
    // Lists and statistics have it all the same.
    expect([await windowOf('good'), await windowOf('bad')]).toEqual([10, 10]);
    await store.verdicts.write(verdictOn(poison), stampOf(clock));
    await indexEvents(store);
    expect(await windowOf('bad')).toBe(10);
    const { items } = await store.events.newest(
      { tenantCode: 'bad', includeTest: true, verdict: 'confirmed' },
      null,
      { rows: 10, bytes: Infinity },
    );
    expect(items.map(({ id }) => id)).toEqual([poison]);
  });

  test('is not moved in the counts that are without it, and is counted by its verdict later', async () => {
    const { poison } = await flooded();
    await countServed();
    await store.pool.query('update events set doc = $1 where id = $2', [docOf({ siteRef: 'dam' }), poison]);
    await store.verdicts.write(verdictOn(poison), stampOf(clock));
    await countServed();
    const cells = async () =>
      (
        await store.pool.query(
          `select verdict, sum(count)::integer as count from served_event_counts
           where tenant_code = 'bad' and count <> 0 group by 1 order by 1`,
        )
      ).rows;
    expect(await cells()).toEqual([{ verdict: '', count: 9 }]);
    await hourLater();
    await countServed();
    expect(await cells()).toEqual([
      { verdict: '', count: 9 },
      { verdict: 'confirmed', count: 1 },
    ]);
    expect(await store.leftOut.leftOut()).toEqual([]);
  });

  test('is listed in a window in which nothing is indexed', async () => {
    const { poison } = await flooded();
    await store.pool.query('delete from events where id <> $1', [poison]);
    await indexEvents(store);
    const asked = {
      tenantCode: 'bad',
      includeTest: true,
      since: TEST_START - HOUR,
      until: TEST_START + HOUR,
    };
    const pages = await listEvents(store.pool, {
      ...{ filter: asked, before: null, probe: 0 },
      room: { rows: 10, bytes: Infinity },
    });
    expect(pages.items.map(({ id }) => id)).toEqual([poison]);
  });

  test('is taken when it is tried again and nothing is wrong with it any more', async () => {
    const { poison } = await flooded();
    await indexEvents(store);
    await countServed();
    await hourLater();
    await indexEvents(store);
    expect((await store.leftOut.leftOut()).map(({ rows }) => rows)).toEqual([1, 1]);
    await store.pool.query('update events set doc = $1 where id = $2', [docOf({ siteRef: 'dam' }), poison]);
    await hourLater();
    await indexEvents(store);
    await countServed();
    expect(await store.leftOut.leftOut()).toEqual([]);
    expect([await served('bad'), await windowOf('bad')]).toEqual([10, 10]);
  });
});

describe('the alarm of rows left out', () => {
  /** Alarms once a process that has just begun made them as wanted. */
  async function toldBy(instance: string, wanted: number): Promise<AlarmRecord[]> {
    const { alarms, leftOut: rows } = store;
    const part = new LeftOutAlarms({ rows, alarms, instance, clock, log: silentLogger() });
    part.loop.start();
    const standing = await until(`${wanted} alarms`, async () => {
      const found = await store.alarms.list({ tenantCode: null, includeCleared: false }, 10);
      return found.length === wanted && found;
    });
    const [gauge] = part.metrics;
    expect(await gauge?.read()).toHaveLength(wanted);
    await part.loop.stop();
    return standing;
  }

  test('stands for each work and tenant, says which row and why, and ends by the next process as well', async () => {
    const { poison } = await flooded();
    await indexEvents(store);
    await countServed();
    const standing = await toldBy('hub-1', 2);
    expect(standing.map(({ key }) => key).sort()).toEqual([
      'rows_left_out:dataset_counts:bad',
      'rows_left_out:event_index:bad',
    ]);
    for (const { message, severity, tenantCode, details } of standing) {
      expect([severity, tenantCode]).toEqual(['critical', 'bad']);
      expect(message).toContain(`1 row could not be taken and is left out, the first is number ${poison}`);
      expect(details).toMatchObject({
        rowId: poison,
        reason: expect.stringContaining('index row') as string,
      });
      expect(readAlarmText(hubMessages, details).messageZh).toMatch(
        /^(事件统计数据集|列表和统计所用的事件索引)：有 1 条/,
      );
    }
    await store.pool.query('delete from stepped_over');
    expect(await toldBy('hub-1', 0)).toEqual([]);
  });
});

describe('a failing row', () => {
  let failing: string | null = null;
  /** A trigger that fails on one row of a table. The database serves the next test as well. */
  const failOn = async (table: string, condition: string): Promise<void> => {
    failing = table;
    await store.pool.query(
      `create or replace function fail_here() returns trigger language plpgsql as
         $$ begin if ${condition} then raise 'poison' using errcode = '22000'; end if;
            return new; end $$;
       create or replace trigger fail_here before insert or update on ${table}
         for each row execute function fail_here()`,
    );
  };
  const mend = async (): Promise<void> => {
    if (failing !== null) await store.pool.query(`drop trigger fail_here on ${failing}`);
    failing = null;
  };
  afterEach(mend);

  test('among the facts of the index stops no other, wherever it stands', async () => {
    const { ids } = await flooded();
    await failOn('event_facts', `new.event_id in (${ids[0]}, ${ids[7]}, ${ids[19]})`);
    await indexEvents(store);
    const { rows } = await store.pool.query<{ id: number }>(
      'select event_id as id from event_facts order by 1',
    );
    const out = [0, 7, 10, 19].map((index) => ids[index]);
    expect(rows.map(({ id }) => id)).toEqual(ids.filter((id) => !out.includes(id)));
    expect([await windowOf('good'), await windowOf('bad')]).toEqual([10, 10]);
    await mend();
    await hourLater();
    await indexEvents(store);
    expect(await store.leftOut.leftOut()).toMatchObject([{ work: 'event index', rows: 1, rowId: ids[10] }]);
    expect([await windowOf('good'), await windowOf('bad')]).toEqual([10, 10]);
  });

  test('among the tasks that are counted keeps its mark, and the others are counted', async () => {
    const { ids } = await flooded();
    const tasks: number[] = [];
    for (const eventId of ids.slice(0, 4)) {
      const tenantCode = ids.indexOf(eventId) % 2 ? 'good' : 'bad';
      const made = await store.tasks.create({ ...taskOn(eventId), tenantCode }, stampOf(clock));
      if (made.kind === 'created') tasks.push(made.detail.task.id);
    }
    await failOn('task_facts', `new.task_id = ${tasks[2]}`);
    await indexEvents(store);
    const facts = await store.pool.query('select task_id as id from task_facts order by 1');
    expect(facts.rows).toEqual([tasks[0], tasks[1], tasks[3]].map((id) => ({ id })));
    expect(await store.leftOut.leftOut()).toMatchObject(
      [{ work: 'task counts', tenantCode: 'bad', rowId: tasks[2] }, { work: 'event index' }].sort((a, b) =>
        a.work.localeCompare(b.work),
      ),
    );
  });

  test('among the verdicts of datasets stops no other', async () => {
    const { ids } = await flooded();
    await countServed();
    for (const id of ids.slice(0, 4)) await store.verdicts.write(verdictOn(id), stampOf(clock));
    await failOn('served_event_verdicts', `new.event_id = ${ids[1]}`);
    await countServed();
    const { rows } = await store.pool.query('select event_id as id from served_event_verdicts order by 1');
    expect(rows).toEqual([ids[0], ids[2], ids[3]].map((id) => ({ id })));
    expect((await store.leftOut.leftOut()).map(({ work, tenantCode }) => [work, tenantCode])).toEqual([
      ['dataset counts', 'bad'],
      ['dataset verdicts', 'good'],
    ]);
  });
});
