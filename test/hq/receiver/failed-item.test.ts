// An item on which the store fails, whatever the reason, is found, refused alone and named in an alarm; all
// the others of its batch are stored.
import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../common/http/error.ts';
import { silentLogger } from '../../../common/log.ts';
import type { JudgementItem } from '../../../common/uplink/change/judgement.ts';
import type { TaskItem } from '../../../common/uplink/change/task.ts';
import { SiteAlarms } from '../../../hq/receiver/alarm/alarms.ts';
import type { BatchHead } from '../../../hq/receiver/port.ts';
import { storeApart } from '../../../hq/store/engine/apart.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { hubStores, stampAt, T0, testClock, uplinked } from '../store/hub.ts';

const hub = hubStores();
const clock = testClock();
let store: HubStore;

const head = (from: number, to: number): BatchHead => ({
  instance: 'site-1',
  epoch: 'e1',
  version: '1.0',
  from,
  to,
  head: to,
  oldest: 1,
  held: null,
  at: T0,
});

beforeEach(async () => {
  store = await hub.open((await hub.database()).url, clock);
  await store.sites.add({ instance: 'site-1', tenants: ['acme'] }, T0, 'admin');
});

/** What the database refuses from now on, and why: the row and whoever writes it are as they should be. */
const refuse = (table: string, condition: string): Promise<unknown> =>
  store.pool.query(`create function refuse_${table}() returns trigger language plpgsql as $$ begin
      if ${condition} then raise exception 'no room for %', 'this one'; end if; return new; end $$;
    create trigger refuse before insert or update on ${table}
      for each row execute function refuse_${table}()`);

const ids = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const FAILED = { error: 'store_failed', message: 'headquarters could not store it: no room for this one' };

const task = (no: number): TaskItem => ({
  change_no: no,
  kind: 'task',
  tenant_code: 'acme',
  id: no,
  created_at: T0,
  event: null,
  order_id: null,
  task: {
    type: 'disposal',
    state: 'open',
    title: `task ${no}`,
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

const judged = (no: number): JudgementItem =>
  ({
    change_no: no,
    at: T0 + no,
    tenant_code: 'acme',
    kind: 'verdict',
    body: { event_key: `e${no}`, at: T0, verdict: 'confirmed', by: 'li', by_kind: 'human', note: `p${no}` },
  }) as JudgementItem;

describe('one bad item', () => {
  test('of events costs the others nothing, and is taken when it comes again mended', async () => {
    await refuse('events', `new.doc like '%bad%'`);
    const events = ids(9).map((id) => uplinked(`e${id}`, id, id === 6 ? { doc: '{"title":"bad"}' } : {}));
    expect(await store.receiver.storeEvents(head(0, 9), events, [], T0)).toMatchObject({
      kind: 'stored',
      accepted: 8,
      cursor: 9,
      rejected: [{ originId: 6, ...FAILED }],
      failed: [{ originId: 6, reason: 'no room for this one' }],
    });
    expect((await store.events.page(0, 20)).map(({ originId }) => originId)).toEqual([
      1, 2, 3, 4, 5, 7, 8, 9,
    ]);
    await store.pool.query('drop trigger refuse on events');
    const replayed = await store.receiver.storeEvents(
      { ...head(9, 9), head: 9 },
      [uplinked('e6', 6)],
      [],
      T0,
    );
    expect(replayed).toMatchObject({ kind: 'stored', accepted: 1, rejected: [], failed: [] });
  });

  test('of tasks and of verdicts too, in their order', async () => {
    await refuse('tasks', `new.title = 'task 3'`);
    await refuse('verdicts', `new.note = 'p2'`);
    await store.receiver.storeEvents(
      head(0, 4),
      ids(4).map((id) => uplinked(`e${id}`, id)),
      [],
      T0,
    );
    expect(
      await store.receiver.storeChanges(head(0, 5), ids(5).map(task), [], stampAt(T0, clock)),
    ).toMatchObject({ accepted: 4, cursor: 5, rejected: [{ originId: 3, ...FAILED }] });
    const { rows } = await store.pool.query<{ title: string }>('select title from tasks order by id');
    expect(rows.map(({ title }) => title)).toEqual(['task 1', 'task 2', 'task 4', 'task 5']);
    expect(
      await store.receiver.storeChanges(head(5, 9), ids(4).map(judged), [], stampAt(T0, clock)),
    ).toMatchObject({ accepted: 3, cursor: 9, rejected: [{ originId: 2, ...FAILED }] });
  });
});

test('the alarm counts what failed, and names the last reason', async () => {
  const alarms = new SiteAlarms({ ...store, clock, log: silentLogger(), self: 'hq' });
  const what = { code: 'verdicts_channel', params: {} };
  await alarms.itemsFailed('site-1', what, []);
  await alarms.itemsFailed('site-1', what, [{ reason: 'first' }, { reason: 'no room' }]);
  const [alarm, ...others] = await store.alarms.list({ tenantCode: null, includeCleared: false }, 10);
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({
    key: 'uplink_items_failed:site-1',
    severity: 'critical',
    message: expect.stringMatching(/^2 of what the site site-1 sent .* the last reason: no room\./),
  });
});

test('what says nothing of an item ends it at once: the database is gone, busy or full', async () => {
  const codes = ['08006', '57P01', '53100', '53300', '40001', '55P03', '57014', '42703'];
  for (const code of codes) {
    let tries = 0;
    const fault = Object.assign(new Error(code), { code });
    const store = (): Promise<never> => {
      tries += 1;
      return Promise.reject(fault);
    };
    await expect(storeApart([1, 2, 3], store)).rejects.toBe(fault);
    expect([code, tries]).toEqual([code, 1]);
  }
  const away = new AppError(503, 'store_unavailable', '');
  await expect(storeApart([1], () => Promise.reject(away))).rejects.toBe(away);
});
