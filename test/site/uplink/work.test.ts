// Tasks and incident groups of a site go up beside events and verdicts, and are kept at headquarters as the
// site's.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import type { CreateTask, TaskDetail } from '../../../common/core/task/record.ts';
import { newEvent } from '../../contract/samples.ts';
import { openPair, type Pair } from './pair.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await openPair(['acme']);
});
afterAll(() => pair.close());

const stamp = () => stampOf(pair.rig.clock);
const command = (eventId: number | null, over: Partial<CreateTask> = {}): CreateTask => ({
  tenantCode: 'acme',
  type: 'disposal',
  eventId,
  title: 'look at it',
  severity: 'high',
  assigneeOrg: null,
  dueAt: null,
  suppressed: false,
  body: { place: '隧道', 'odd"body":null': { a: [1, null] } },
  by: 'agent',
  actor: 'agent',
  ...over,
});

async function task(eventId: number | null, over: Partial<CreateTask> = {}): Promise<number> {
  const made = await pair.rig.store.tasks.create(command(eventId, over), stamp());
  if (made.kind !== 'created') throw new Error(made.kind);
  return made.detail.task.id;
}

const mirrored = async (): Promise<TaskDetail[]> => {
  const found = await pair.hub.store.tasks.list({ tenantCode: null }, null, 100);
  const all = await Promise.all(found.map(({ id }) => pair.hub.store.tasks.get(id)));
  return all.flatMap((one) => one ?? []).reverse();
};

/** What a site says of a task, whoever keeps it. */
const said = ({
  task: { id: _id, instance: _i, originId: _o, eventId: _e, updatedAt: _u, ...rest },
  entries,
}: TaskDetail) => ({
  ...rest,
  entries,
});

test('a task comes up after its event, whole, and again with each change', async () => {
  const [eventId = 0] = await pair.rig.events(1);
  const id = await task(eventId);
  // Its event has not gone up: neither has the task.
  await pair.rig.drainChanges();
  expect(await mirrored()).toEqual([]);
  await pair.drain();
  const free = await task(null, { type: 'review' });
  await pair.drain();
  const [event] = await pair.hub.store.events.page(0, 1);
  const [first, second] = await mirrored();
  expect(first?.task).toMatchObject({ instance: 'site-1', originId: id, eventId: event?.id });
  expect(second?.task).toMatchObject({ instance: 'site-1', originId: free, eventId: null });

  const { tasks } = pair.rig.store;
  const by = { taskId: id, tenantCode: 'acme', by: 'li', actor: 'li' };
  await tasks.move({ ...by, to: 'taken_over', note: null, resultCode: null }, stamp());
  await tasks.addStep({ ...by, kind: 'arrive', text: 'on the spot', at: null }, stamp());
  await tasks.move({ ...by, to: 'open', note: null, resultCode: null }, stamp());
  await tasks.recordEdgeNote(
    id,
    { text: 'hurry', by: 'li', pushedToEdge: true, pushSkipped: null, pushError: null },
    'li',
    stamp(),
  );
  await tasks.move({ ...by, to: 'completed', note: 'done', resultCode: 'eliminated' }, stamp());
  await pair.drain();
  const here = await tasks.get(id);
  const [there] = await mirrored();
  expect(there && said(there)).toEqual(here && said(here));
  expect(there?.task.id).toBe(first?.task.id);
  // Nothing is left, and nothing was refused.
  expect(pair.rig.parked.list({}, 10)).toEqual([]);
  expect(pair.rig.store.uplink.waiting('verdicts', pair.rig.cursor('verdicts'), 100)).toBe(0);
});

test('a task on an event that headquarters refused is parked, and goes up once the event does', async () => {
  const [foreign] = await pair.rig.store.events.ingest(
    [newEvent('foreign', { tenantCode: 'other' })],
    pair.rig.clock.now(),
  );
  const id = await task(foreign?.id ?? 0, { tenantCode: 'other' });
  await pair.drain();
  const refused = pair.rig.parked.list({ channel: 'verdicts' }, 10);
  expect(refused).toMatchObject([{ error: 'tenant_not_allowed', state: 'parked' }]);
  expect(await pair.rig.alarm('uplink_parked')).toMatchObject({ clearedAt: null });
  await pair.call('PATCH', '/api/core/sites/site-1', { tenants: ['acme', 'other'] });
  await pair.rig.parked.replay({ channel: 'verdicts' });
  expect(pair.rig.parked.list({ channel: 'verdicts', state: 'parked' }, 10)).toMatchObject([
    { error: 'event_unknown' },
  ]);
  await pair.rig.parked.replay({ channel: 'events' });
  // A change brings the whole of it, and settles what was parked of it.
  await pair.rig.store.tasks.addStep(
    { taskId: id, tenantCode: 'other', kind: 'note', text: 'x', by: 'li', at: null, actor: 'li' },
    stamp(),
  );
  await pair.drain();
  expect(pair.rig.parked.list({ channel: 'verdicts', state: 'parked' }, 10)).toEqual([]);
  expect((await mirrored()).at(-1)?.task).toMatchObject({ tenantCode: 'other', originId: id, stepCount: 1 });
  expect((await pair.rig.alarm('uplink_parked'))?.clearedAt).not.toBeNull();
});

test('groups are the same at both ends through split, merge and its undoing', async () => {
  const { incidents } = pair.rig.store;
  const ids = await pair.rig.events(6, 'g');
  const upsert = (sourceKey: string, eventIds: number[]) =>
    incidents.upsert(
      {
        tenantCode: 'acme',
        sourceKey,
        layer: 'L1',
        siteRef: 's',
        pointRef: null,
        title: null,
        eventIds,
        actor: 'a',
      },
      stamp(),
    );
  await upsert('one', ids.slice(0, 4));
  await upsert('two', ids.slice(4));
  await pair.drain();
  await same();
  const act = { tenantCode: null, by: 'li', note: null, actor: 'li' };
  const split = await incidents.split({ ...act, id: 1, eventIds: ids.slice(0, 2) }, stamp());
  expect(split.kind).toBe('split');
  await same();
  await incidents.merge({ ...act, id: 2, incidentIds: [1] }, stamp());
  await same();
  await incidents.merge({ ...act, id: 3, incidentIds: [2] }, stamp());
  await incidents.confirm({ ...act, id: 3 }, stamp());
  await same();
  await incidents.unmerge({ ...act, id: 1 }, stamp());
  await same();
  await incidents.unmerge({ ...act, id: 2 }, stamp());
  await incidents.merge({ ...act, id: 1, incidentIds: [2] }, stamp());
  await same();
  // The first appearance is split off before the group has ever gone up.
  const more = await pair.rig.events(3, 'late');
  const late = await upsert('late', more);
  const id = late.kind === 'upserted' ? late.incident.id : 0;
  await incidents.confirm({ ...act, id }, stamp());
  await incidents.split({ ...act, id, eventIds: more.slice(0, 1) }, stamp());
  await same();

  async function same(): Promise<void> {
    await pair.drain();
    expect(await groupsOf(pair.hub.store, true)).toEqual(await groupsOf(pair.rig.store, false));
  }
});

test('a group of headquarters gives up an event that a site has in a group of its own', async () => {
  const [a = 0, b = 0] = await pair.rig.events(2, 'taken');
  await pair.drain();
  const events = await pair.hub.store.events.page(0, 1000);
  const hubIds = [a, b].map((id) => events.find(({ originId }) => originId === id)?.id ?? 0);
  const { body } = await pair.call('POST', '/api/core/incidents/upsert', {
    tenant_code: 'acme',
    source_key: 'one',
    layer: 'L1',
    site_ref: 's',
    event_ids: hubIds,
  });
  expect(body).toMatchObject({ created: true, added: 2 });
  await pair.rig.store.incidents.upsert(
    {
      tenantCode: 'acme',
      sourceKey: 'taken',
      layer: 'L1',
      siteRef: 's',
      pointRef: null,
      title: null,
      eventIds: [a],
      actor: 'a',
    },
    stamp(),
  );
  await pair.drain();
  const own = await pair.hub.store.incidents.detail(Number(body['id']), null, 10);
  expect(own?.members.map(({ member }) => member.eventId)).toEqual([hubIds[1]]);
  expect(own?.incident.memberCount).toBe(1);
});

test("headquarters shows them as the site's, and changes no group of them by itself", async () => {
  const [first] = await mirrored();
  const id = first?.task.id ?? 0;
  const eventId = first?.task.eventId ?? 0;
  const list = await pair.call('GET', '/api/core/objects/tasks?limit=100');
  expect(list.body['items']).toContainEqual(expect.objectContaining({ id, instance: 'site-1' }));
  const timeline = await pair.call('GET', `/api/core/events/${eventId}/timeline?tenant_code=acme`);
  expect(timeline.body).toMatchObject({ tasks: [{ id, instance: 'site-1', state: 'completed' }] });
  const groups = await pair.hub.store.incidents.list({ tenantCode: 'acme', includeTest: true }, null, 100);
  const open = groups.find(({ instance, state }) => instance === 'site-1' && state !== 'confirmed');
  const confirmed = await pair.call('POST', `/api/core/incidents/${open?.id}/confirm`, { by: 'chen' });
  expect(confirmed).toMatchObject({
    status: 202,
    body: { incident: { state: open?.state }, order: { kind: 'confirm', state: 'pending', by: 'chen' } },
  });
  const status = await pair.call('GET', '/api/core/uplink/status');
  expect(status.body).toMatchObject({
    sites: [{ instance: 'site-1', verdicts: { rejectedTotal: expect.any(Number) as number } }],
  });
});

/** Groups with their members, events by their keys and groups by their ids at the site. */
async function groupsOf(store: Pair['rig']['store'] | Pair['hub']['store'], atHub: boolean) {
  const filter = { tenantCode: null, includeTest: true };
  const all = [
    ...(await store.incidents.list(filter, null, 100)),
    ...(await store.incidents.list({ ...filter, state: 'closed' }, null, 100)),
  ];
  const name = (id: number | null) => (atHub ? (all.find((one) => one.id === id)?.originId ?? null) : id);
  const found = await Promise.all(
    all.map(
      async ({ id, instance: _i, originId, updatedAt: _u, firstEventId, mergedInto, splitFrom, ...rest }) => {
        const detail = await store.incidents.detail(id, null, 100);
        const key = new Map(
          detail?.members.map(({ member, event }) => [member.eventId, event?.idempotencyKey]),
        );
        return {
          ...rest,
          id: atHub ? originId : id,
          first: firstEventId === null ? null : (await store.events.get(firstEventId))?.idempotencyKey,
          mergedInto: name(mergedInto),
          splitFrom: name(splitFrom),
          members: detail?.members.map(({ member }) => ({
            key: key.get(member.eventId),
            at: member.at,
            live: member.live,
            addedAt: member.addedAt,
          })),
        };
      },
    ),
  );
  return found.sort((a, b) => Number(a.id) - Number(b.id));
}
