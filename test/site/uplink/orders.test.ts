// Orders of headquarters on tasks of a site: given at the real hub, carried out by a real site, told to a
// camera.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import { newEvent } from '../../contract/samples.ts';
import { SECOND } from '../../support/clock.ts';
import { waitingOrders } from '../../support/inbox.ts';
import { type Answer, openPair, type Pair } from './pair.ts';

let pair: Pair;
let camera: Server;
let cameraUrl: string;
let heard: Record<string, unknown>[] = [];

beforeAll(async () => {
  camera = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      heard.push(JSON.parse(text) as Record<string, unknown>);
      response.end('{}');
    });
  });
  await new Promise<void>((done) => camera.listen(0, '127.0.0.1', done));
  cameraUrl = `http://127.0.0.1:${(camera.address() as AddressInfo).port}/feedback`;
  pair = await openPair(['acme', 'beta']);
});
afterAll(async () => {
  await pair.close();
  camera.close();
});
beforeEach(() => {
  heard = [];
});

const stamp = () => stampOf(pair.rig.clock);
const BY = { tenant_code: 'acme', by: 'chen' };

/** An event of the site that is known at headquarters. @returns its ids at both ends */
async function event(key: string, feedbackUrl = cameraUrl): Promise<{ here: number; there: number }> {
  const [one] = await pair.rig.store.events.ingest(
    [newEvent(key, { doc: JSON.stringify({ localAlertNo: key, feedbackUrl }) })],
    pair.rig.clock.now(),
  );
  await pair.drain();
  const events = await pair.hub.store.events.page(0, 1_000);
  return { here: one?.id ?? 0, there: events.find(({ originId }) => originId === one?.id)?.id ?? 0 };
}

/** A task that the site made. @returns its ids at both ends */
async function task(key: string, url?: string): Promise<{ here: number; there: number; event: number }> {
  const { here: eventId, there } = await event(key, url);
  const made = await pair.rig.store.tasks.create(
    {
      tenantCode: 'acme',
      type: 'disposal',
      eventId,
      title: 'look',
      severity: 'high',
      assigneeOrg: null,
      dueAt: null,
      suppressed: false,
      body: {},
      by: 'agent',
      actor: 'agent',
    },
    stamp(),
  );
  if (made.kind !== 'created') throw new Error(made.kind);
  await pair.drain();
  const [mirror] = await pair.hub.store.tasks.ofEvent(there, 10);
  return { here: made.detail.task.id, there: mirror?.task.id ?? 0, event: there };
}

const act = (id: number, what: string, body: object): Promise<Answer> =>
  pair.call('POST', `/api/core/objects/tasks/${id}/${what}`, { ...BY, ...body });

function later(): void {
  pair.clock.advance(400 * SECOND);
  pair.rig.clock.advance(400 * SECOND);
}

/** Down with the next answer, to the camera, and up again. */
async function carryOut(): Promise<void> {
  later();
  await pair.drain();
  await pair.rig.orders.round(new AbortController().signal);
  await pair.drain();
}

const ordersOf = async (id: number): Promise<Record<string, unknown>[]> =>
  (await pair.call('GET', `/api/core/uplink/orders?task_id=${id}`)).body['items'] as Record<
    string,
    unknown
  >[];

/** Behind the back of the site. */
function change(sql: string): void {
  const db = new Database(path.join(pair.rig.dir, 'site.db'));
  db.exec(sql);
  db.close();
}

const timelineOf = async (id: number): Promise<string> =>
  JSON.stringify((await pair.call('GET', `/api/core/events/${id}/timeline?tenant_code=acme`)).body['steps']);

const bothEnds = async (ids: { here: number; there: number }) => {
  const [here, there] = await Promise.all([
    pair.rig.store.tasks.get(ids.here),
    pair.hub.store.tasks.get(ids.there),
  ]);
  return { here, there };
};

test('what is ordered is carried out at the site in order, reaches the camera, and comes back', async () => {
  const ids = await task('ordered');
  const taken = await act(ids.there, 'transition', { to: 'taken_over', note: 'mine' });
  expect(taken).toMatchObject({
    status: 202,
    body: {
      id: ids.there,
      state: 'open',
      changed: false,
      pushedToEdge: false,
      pushError: expect.stringContaining('site-1') as string,
      order: { kind: 'transition', instance: 'site-1', state: 'pending', by: 'chen', result: null },
    },
  });
  expect(await act(ids.there, 'steps', { kind: 'arrive', text: 'here' })).toMatchObject({ status: 202 });
  expect(await act(ids.there, 'edge_note', { text: 'hurry' })).toMatchObject({ status: 202 });
  expect(await act(ids.there, 'body', { body: { lane: 2 } })).toMatchObject({ status: 202 });
  // Decided on the task as it will be: a takeover waits, so that completing may follow and another may not.
  expect(await act(ids.there, 'transition', { to: 'taken_over' })).toMatchObject({
    status: 409,
    body: { error: 'transition_refused', state: 'taken_over', retryable: false },
  });
  const completing = { to: 'completed', result_code: 'eliminated' };
  expect(await act(ids.there, 'transition', completing)).toMatchObject({ status: 202 });
  const timeline = await pair.call('GET', `/api/core/events/${ids.event}/timeline?tenant_code=acme`);
  expect(JSON.stringify(timeline.body['steps'])).toContain(
    'The order on the task waits to go down to site-1.',
  );

  await carryOut();
  expect(heard.map(({ taskState, by, reason }) => ({ taskState, by, reason }))).toEqual([
    { taskState: 'taken_over', by: 'chen', reason: 'mine' },
    { taskState: 'taken_over', by: 'chen', reason: 'hurry' },
    { taskState: 'completed', by: 'chen', reason: null },
  ]);
  const { here, there } = await bothEnds(ids);
  expect(here?.task).toMatchObject({
    state: 'completed',
    resultCode: 'eliminated',
    stepCount: 1,
    noteCount: 1,
  });
  expect(there?.task).toMatchObject({ state: 'completed', body: here?.task.body, originId: ids.here });
  expect(there?.entries).toEqual(here?.entries);
  const states = (await ordersOf(ids.there)).map(({ kind, state, result }) => ({ kind, state, result }));
  const pushed = { pushedToEdge: true, pushSkipped: null, pushError: null };
  expect(states.reverse()).toEqual([
    { kind: 'transition', state: 'done', result: pushed },
    { kind: 'step', state: 'done', result: null },
    { kind: 'edge_note', state: 'done', result: pushed },
    { kind: 'body', state: 'done', result: null },
    { kind: 'transition', state: 'done', result: pushed },
  ]);
});

test('an order that is done says in words that the camera, not the task, has not taken it', async () => {
  const ids = await task('deaf', 'http://127.0.0.1:9/');
  await act(ids.there, 'transition', { to: 'taken_over' });
  await carryOut();
  expect(await ordersOf(ids.there)).toMatchObject([
    {
      state: 'done',
      result: {
        pushedToEdge: false,
        pushSkipped: null,
        pushError:
          'the camera did not hear of it at the first try (connection refused); ' +
          'the site tries again for up to 7 days',
      },
    },
  ]);
});

test('a task that moved meanwhile refuses the order, which is told to the one who gave it', async () => {
  const ids = await task('moved');
  await act(ids.there, 'transition', { to: 'taken_over' });
  await pair.rig.store.tasks.move(
    {
      taskId: ids.here,
      tenantCode: 'acme',
      to: 'cancelled',
      by: 'li',
      note: null,
      resultCode: null,
      actor: 'li',
    },
    stamp(),
  );
  await carryOut();
  const zh = '任务在站点处于“已取消”，不能转为“已接管”';
  expect(await ordersOf(ids.there)).toMatchObject([
    {
      state: 'refused',
      reason: 'the task is cancelled there, from where it does not go to taken_over',
      reasonCode: 'order_wrong_state',
      reasonZh: zh,
    },
  ]);
  expect((await bothEnds(ids)).there?.task.state).toBe('cancelled');
  expect(await timelineOf(ids.event)).toContain('site-1 did not carry out the order on the task');
  expect(await timelineOf(ids.event)).toContain(zh);
  const alarms = await pair.call('GET', '/api/core/alarms');
  expect(JSON.stringify(alarms.body)).toMatch(/uplink_order_refused.*messageZh[^}]*任务在站点处于“已取消”/);
  const detail = await pair.call('GET', `/api/core/objects/tasks/${ids.there}`);
  expect(detail.body).toMatchObject({ orders: [{ kind: 'transition', state: 'refused' }] });
  const inbox = await pair.hub.store.notifications.list({ tenantCode: 'acme', includeTest: true }, null, 10);
  expect(JSON.stringify(inbox)).toMatch(/chen.*任务在站点处于“已取消”.*the task is cancelled there/);
});

test('an order whose note was lost with its page is known by its mark on the task', async () => {
  const ids = await task('marked');
  const made = await pair.call('POST', '/api/core/objects/tasks', {
    tenant_code: 'acme',
    type: 'disposal',
    event_id: ids.event,
    title: 'once',
    severity: 'high',
  });
  expect(made.status).toBe(202);
  await act(ids.there, 'steps', { kind: 'arrive', text: 'here' });
  await act(ids.there, 'edge_note', { text: 'hurry' });
  await act(ids.there, 'transition', { to: 'taken_over' });
  await act(ids.there, 'body', { body: { plan: 'of headquarters' } });
  later();
  await pair.rig.takeDown();
  await pair.rig.orders.round(new AbortController().signal);
  expect(heard).toHaveLength(2);
  const mended = {
    taskId: ids.here,
    tenantCode: 'acme',
    body: { plan: 'of the site' },
    by: 'li',
    actor: 'li',
  };
  await pair.rig.store.tasks.changeBody(mended, stampOf(pair.rig.clock));
  // As in a store that was salvaged, which stands at the beginning of its inbox.
  change('DELETE FROM uplink_orders');
  change('DELETE FROM uplink_inbox_place');
  await carryOut();
  await carryOut();
  expect(heard).toHaveLength(2);
  const tasks = await pair.rig.store.tasks.list({ tenantCode: 'acme' }, null, 100);
  expect(tasks.filter(({ title }) => title === 'once')).toHaveLength(1);
  const { here } = await bothEnds(ids);
  expect(here?.entries.map(({ kind }) => kind)).toEqual(['history', 'step', 'history', 'edge_note']);
  expect((await pair.rig.store.tasks.get(ids.here))?.task.body).toBe('{"plan":"of the site"}');
  expect(await ordersOf(ids.there)).toMatchObject([
    { kind: 'body', state: 'done' },
    { kind: 'transition', state: 'done' },
    { kind: 'edge_note', state: 'done', result: { pushedToEdge: true } },
    { kind: 'step', state: 'done' },
  ]);
  expect(await ordersOf(Number(made.body['id']))).toMatchObject([{ kind: 'create', state: 'done' }]);
});

test('an answer that headquarters cannot read is seen there, and settles the order when it is replayed', async () => {
  const ids = await task('unread');
  await act(ids.there, 'steps', { kind: 'arrive', text: 'here' });
  later();
  await pair.rig.takeDown();
  change(`UPDATE uplink_orders SET result = '{"pushed_to_edge":"perhaps"}' WHERE task_id = ${ids.here}`);
  await pair.drain();
  expect(await ordersOf(ids.there)).toMatchObject([
    { state: 'unclear', reason: expect.stringContaining('pushed_to_edge') as string },
  ]);
  expect(pair.rig.parked.list({ channel: 'verdicts', state: 'parked' }, 10)).toHaveLength(1);
  expect(await timelineOf(ids.event)).toContain(
    'What site-1 answered to the order on the task cannot be read',
  );
  expect(await timelineOf(ids.event)).toContain('答复无法读取：result.pushed_to_edge 的类型不对');
  expect(JSON.stringify((await pair.call('GET', '/api/core/alarms')).body)).toContain('uplink_order_unclear');
  const inbox = await pair.hub.store.notifications.list({ tenantCode: 'acme', includeTest: true }, null, 10);
  expect(inbox[0]?.message).toContain('cannot be read');
  // It is not given again.
  expect(await waitingOrders(pair.hub.store, 'site-1')).toEqual([]);

  change(`UPDATE uplink_orders SET result = NULL WHERE task_id = ${ids.here}`);
  await pair.rig.parked.replay({ channel: 'verdicts' });
  expect(await ordersOf(ids.there)).toMatchObject([{ state: 'done', reason: null }]);
  expect((await bothEnds(ids)).here?.task.stepCount).toBe(1);
});

test('a new task on an event of a site is made there, with what was ordered on it meanwhile', async () => {
  const { there } = await event('new');
  const made = await pair.call('POST', '/api/core/objects/tasks', {
    tenant_code: 'acme',
    type: 'disposal',
    event_id: there,
    title: 'go',
    severity: 'high',
    body: { a: 1 },
  });
  expect(made).toMatchObject({
    status: 202,
    body: { instance: 'site-1', originId: null, order: { kind: 'create', state: 'pending' } },
  });
  const id = Number(made.body['id']);
  expect(await act(id, 'transition', { to: 'taken_over' })).toMatchObject({ status: 202 });
  await carryOut();
  const mirror = await pair.hub.store.tasks.get(id);
  const here = await pair.rig.store.tasks.get(mirror?.task.originId ?? 0);
  expect(mirror?.task).toMatchObject({ instance: 'site-1', state: 'taken_over', eventId: there });
  expect(mirror?.entries).toEqual(here?.entries);
  expect(await pair.hub.store.tasks.ofEvent(there, 10)).toHaveLength(1);
  expect(heard).toMatchObject([{ taskState: 'taken_over', taskId: here?.task.id }]);
});

test('of a task that is never pushed it is not said that the site tells its camera', async () => {
  const { there } = await event('postmortem');
  const task = { tenant_code: 'acme', type: 'postmortem_request', event_id: there };
  const made = await pair.call('POST', '/api/core/objects/tasks', { ...task, title: 'why', severity: 'low' });
  expect(await act(Number(made.body['id']), 'transition', { to: 'cancelled' })).toMatchObject({
    status: 202,
    body: { pushedToEdge: false, pushSkipped: 'non_disposal', pushError: null },
  });
  await carryOut();
  const [ordered] = (await ordersOf(Number(made.body['id']))).filter(({ kind }) => kind === 'transition');
  expect(ordered).toMatchObject({
    state: 'done',
    result: { pushedToEdge: false, pushSkipped: 'non_disposal' },
  });
  expect(heard).toEqual([]);
});

test('lists are narrowed to what one site keeps, or headquarters itself', async () => {
  const ids = await task('whose');
  const of = async (instance: string): Promise<unknown[]> => {
    const answer = await pair.call(
      'GET',
      `/api/core/objects/tasks?event_id=${ids.event}&instance=${instance}`,
    );
    return answer.body['items'] as unknown[];
  };
  expect([await of('site-1'), await of('hq'), await of('site-2')].map(({ length }) => length)).toEqual([
    1, 0, 0,
  ]);
  const narrowed = async (what: string): Promise<string[]> => {
    const { body } = await pair.call('GET', `/api/core/${what}`);
    return (body['items'] as { instance: string }[]).map(({ instance }) => instance);
  };
  expect(await narrowed('incidents?instance=site-2')).toEqual([]);
  expect(await narrowed('events/list?instance=site-2')).toEqual([]);
  expect(await narrowed('events/list?instance=hq')).toEqual([]);
  expect(new Set(await narrowed('events/list?instance=site-1'))).toEqual(new Set(['site-1']));
  expect(await narrowed('alarms?instance=site-2&include_cleared=true')).toEqual([]);
  expect(new Set(await narrowed('alarms?instance=hq&include_cleared=true'))).toEqual(new Set(['hq']));
});

const inbox = async (): Promise<string> =>
  JSON.stringify(
    await pair.hub.store.notifications.list({ tenantCode: 'acme', includeTest: true }, null, 50),
  );

test('a task that the site cannot make ends at headquarters, and its giver is told', async () => {
  const { there } = await event('vanished');
  const made = await pair.call('POST', '/api/core/objects/tasks', {
    ...{ tenant_code: 'acme', type: 'disposal', event_id: there, title: 'go', severity: 'high' },
  });
  const id = Number(made.body['id']);
  await pair.hub.store.pool.query(
    `update site_orders set body = body::jsonb || '{"event_key":"never there"}' where state = 'pending'`,
  );
  await carryOut();
  expect(await ordersOf(id)).toMatchObject([
    { state: 'refused', reasonCode: 'order_event_gone', reasonZh: '站点已不再保存该事件' },
  ]);
  expect((await pair.hub.store.tasks.get(id))?.task.state).toBe('cancelled');
  expect(await inbox()).toContain(`任务 ${id} 下达的指令：站点已不再保存该事件`);
  expect(await timelineOf(there)).toContain('站点已不再保存该事件');
});

test('an order that comes again after lost answers is carried out once', async () => {
  const ids = await task('again');
  await act(ids.there, 'steps', { kind: 'note', text: 'once' });
  const [order] = await waitingOrders(pair.hub.store, 'site-1');
  if (!order) throw new Error('no order waits');
  const item = { no: 1, kind: 'order', id: order.order_id, body: order } as const;
  const { inbox } = pair.rig.sender;
  // The site does not know where it stands, as after a store that was put back.
  for (const epoch of ['hub-1', 'hub-2']) {
    const answer = { protocol: 1, epoch, held: true, features: [], waiting: {}, items: [item], through: 1 };
    await inbox.take(answer);
    await inbox.round(new AbortController().signal);
  }
  await carryOut();
  const { here, there } = await bothEnds(ids);
  expect(here?.task.stepCount).toBe(1);
  expect(there?.entries).toEqual(here?.entries);
  expect(await waitingOrders(pair.hub.store, 'site-1')).toEqual([]);
});

test('an order of a form that the site does not know is refused, not dropped', async () => {
  const before = pair.rig.sender.inbox.counts.order.refused;
  const ids = await task('strange');
  await act(ids.there, 'steps', { kind: 'arrive', text: 'here' });
  await pair.hub.store.pool.query(
    `update site_orders set body = '{"kind":"dance"}' where state = 'pending' and kind = 'step'`,
  );
  await carryOut();
  expect(pair.rig.sender.inbox.counts.order.refused).toBe(before + 1);
  expect(await ordersOf(ids.there)).toMatchObject([
    {
      state: 'refused',
      reason: 'this version of the site does not understand it (body.kind has a value that is not known)',
      reasonZh: '站点的版本不支持该指令（body.kind 的取值无法识别）',
    },
  ]);
});

test("a change of all tasks of an event orders the site's", async () => {
  const ids = await task('batch');
  const all = { ...BY, event_id: ids.event, to: 'cancelled' };
  expect(await pair.call('POST', '/api/core/objects/tasks/batch_transition', all)).toMatchObject({
    status: 200,
    body: { changed: 0, items: [{ taskId: ids.there, reason: 'ordered', order: { state: 'pending' } }] },
  });
  await carryOut();
  expect((await bothEnds(ids)).here?.task.state).toBe('cancelled');
  expect((await bothEnds(ids)).there?.task.state).toBe('cancelled');
});

test("another tenant's task takes no orders, and a site of an older version is named", async () => {
  const ids = await task('older');
  const as = (tenant: string) => ({ tenant_code: tenant, by: 'eve', to: 'taken_over' });
  const foreign = await pair.call('POST', `/api/core/objects/tasks/${ids.there}/transition`, as('beta'));
  expect(foreign).toMatchObject({ status: 403, body: { error: 'tenant_mismatch' } });
  expect((await pair.call('GET', '/api/core/uplink/orders?tenant_code=beta')).body['items']).toEqual([]);
  await pair.hub.store.sites.noteContacts([
    { instance: 'site-1', version: '0', features: [], at: pair.clock.now() },
  ]);
  const moved = await act(ids.there, 'transition', { to: 'taken_over' });
  expect(moved).toMatchObject({ status: 409, body: { error: 'site_outdated', retryable: false } });
  expect(await ordersOf(ids.there)).toEqual([]);
});
