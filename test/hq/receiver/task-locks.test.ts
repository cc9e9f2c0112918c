// What a site sends of its tasks comes in its order; whoever else changes the same tasks waits, and neither
// is given up for a deadlock.
import { expect, test } from 'vitest';
import type { TaskItem } from '../../../common/uplink/change/task.ts';
import type { BatchHead } from '../../../hq/receiver/port.ts';
import { clientOf } from '../../support/postgres.ts';
import { until } from '../../support/request.ts';
import { hubStores, stampAt, T0, testClock } from '../store/hub.ts';

const hub = hubStores();

const head = (from: number, to: number): BatchHead => ({
  instance: 'site-1',
  epoch: 'e1',
  version: '1.0',
  from,
  to,
  head: to,
  oldest: 1,
  held: null,
  at: null,
});

const item = (changeNo: number, id: number, state: 'open' | 'completed'): TaskItem => ({
  change_no: changeNo,
  kind: 'task',
  tenant_code: 'acme',
  id,
  created_at: T0,
  event: null,
  order_id: null,
  task: {
    type: 'disposal',
    state,
    title: `task ${id}`,
    severity: 'high',
    assignee_org: null,
    due_at: null,
    suppressed: false,
    escalated_at: null,
    result_code: null,
    body: {},
    created_by: 'li',
    updated_at: T0,
    taken_over_at: null,
    completed_at: null,
    closed_at: null,
    cancelled_at: null,
    entry_count: 0,
    step_count: 0,
    note_count: 0,
    refusal_count: 0,
    entries: [],
  },
});

test('a batch that names tasks backwards and one that marks them forwards wait for each other', async () => {
  const clock = testClock();
  const { url } = await hub.database();
  const store = await hub.open(url, clock);
  await store.sites.add({ instance: 'site-1', tenants: ['acme'] }, T0, 'admin');
  const send = (from: number, items: TaskItem[]) =>
    store.receiver.storeChanges(head(from, from + items.length), items, [], stampAt(T0, clock));
  await send(0, [item(1, 1, 'open'), item(2, 2, 'open')]);
  const other = clientOf(url);
  await other.connect();
  try {
    const { rows } = await other.query<{ id: number }>('select id from tasks order by id');
    const [first, second] = rows.map(({ id }) => id);
    const mark = (id: number | undefined) =>
      other.query(
        `insert into task_stale (tenant_code, task_id) values ('acme', $1)
         on conflict (tenant_code, task_id) do update set task_id = excluded.task_id`,
        [id],
      );
    await other.query('begin');
    await mark(first);
    const sent = send(2, [item(3, 2, 'completed'), item(4, 1, 'completed')]);
    await until('the batch to wait', async () => {
      const waiting = await other.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return waiting.rowCount === 1;
    });
    // While it waits for the first it must not hold the second: the two would wait for each other.
    await other.query('select 1 from task_stale where task_id = $1 for update nowait', [second]);
    await mark(second);
    await other.query('commit');
    expect(await sent).toMatchObject({ kind: 'stored', rejected: [] });
    expect((await other.query('select state from tasks')).rows).toEqual([
      { state: 'completed' },
      { state: 'completed' },
    ]);
  } finally {
    await other.end();
  }
});
