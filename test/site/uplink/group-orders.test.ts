// Orders of headquarters on incident groups of a site: given at the real hub, carried out by a real site.
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import type { IncidentRecord } from '../../../common/core/incident/record.ts';
import type { GroupOrderItem } from '../../../common/uplink/group-order.ts';
import { groupOrderDriver } from '../../../site/uplink/inbox/kind/group-order.ts';
import { SECOND } from '../../support/clock.ts';
import { waitingGroupOrders } from '../../support/inbox.ts';
import { type Answer, openPair, type Pair } from './pair.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await openPair(['acme']);
});
afterAll(() => pair.close());

const stamp = () => stampOf(pair.rig.clock);
const LI = { tenantCode: null, by: 'li', note: null, actor: 'li' };

interface Ids {
  here: number;
  there: number;
  /** Its events, by their ids at the site and at headquarters. */
  events: { here: number; there: number }[];
}

let made = 0;
/** A group that the site made, known at both ends. */
async function group(count: number, layer: 'L1' | 'L2' = 'L1'): Promise<Ids> {
  made += 1;
  const eventIds = await pair.rig.events(count, `group-${made}`);
  const answer = await pair.rig.store.incidents.upsert(
    {
      ...{ tenantCode: 'acme', sourceKey: `key-${made}`, layer, siteRef: 's', pointRef: null, title: null },
      ...{ eventIds, actor: 'agent' },
    },
    stamp(),
  );
  if (answer.kind !== 'upserted') throw new Error(answer.kind);
  await pair.drain();
  const { id: here } = answer.incident;
  const there = (await mirrors()).find(({ originId }) => originId === here)?.id ?? 0;
  const stored = await pair.hub.store.events.page(0, 1_000);
  const hubId = (id: number): number => stored.find(({ originId }) => originId === id)?.id ?? 0;
  return { here, there, events: eventIds.map((id) => ({ here: id, there: hubId(id) })) };
}

async function mirrors(): Promise<IncidentRecord[]> {
  const { incidents } = pair.hub.store;
  const filter = { tenantCode: 'acme', includeTest: true };
  const [open, closed] = await Promise.all([
    incidents.list(filter, null, 100),
    incidents.list({ ...filter, state: 'closed' }, null, 100),
  ]);
  return [...open, ...closed];
}

const act = (id: number, what: string, body: object = {}): Promise<Answer> =>
  pair.call('POST', `/api/core/incidents/${id}/${what}`, { by: 'chen', ...body });

/** Down with the next answer, and up again. */
async function carryOut(): Promise<void> {
  pair.clock.advance(400 * SECOND);
  pair.rig.clock.advance(400 * SECOND);
  await pair.drain();
  await pair.drain();
}

const shown = async (id: number): Promise<Record<string, unknown>> =>
  (await pair.call('GET', `/api/core/incidents/${id}`)).body;
const ordersOf = async (id: number): Promise<unknown> => (await shown(id))['orders'];
const here = (id: number): Promise<IncidentRecord | null> => pair.rig.store.incidents.get(id);
/** The order that waits for the site. */
async function waiting(): Promise<GroupOrderItem> {
  const [first] = await waitingGroupOrders(pair.hub.store, 'site-1');
  if (!first) throw new Error('nothing waits');
  return first;
}
const SITE_REFUSED = { state: 'refused', reasonCode: 'order_group_changed' };

test('confirm, split, merge and its undoing are carried out at the site, and come back', async () => {
  const [one, two] = [await group(3), await group(2)];
  const confirming = await act(one.there, 'confirm', { note: 'seen' });
  expect(confirming).toMatchObject({
    status: 202,
    body: {
      incident: { id: one.there, state: 'auto', instance: 'site-1' },
      order: { kind: 'confirm', instance: 'site-1', state: 'pending', by: 'chen', groups: [one.there] },
    },
  });
  await carryOut();
  expect(await here(one.here)).toMatchObject({ state: 'confirmed', confirmedBy: 'chen', revision: 1 });
  expect(await shown(one.there)).toMatchObject({
    ...{ state: 'confirmed', confirmedBy: 'chen', revision: 1 },
    orders: [{ kind: 'confirm', state: 'done', reason: null }],
  });

  const leaving = one.events.slice(0, 1);
  const splitting = await act(one.there, 'split', { event_ids: leaving.map(({ there }) => there) });
  expect(splitting.status).toBe(202);
  await carryOut();
  const part = (await mirrors()).find(({ splitFrom }) => splitFrom === one.there);
  expect(part).toMatchObject({ state: 'split', instance: 'site-1', memberCount: 1 });
  expect(await shown(one.there)).toMatchObject({
    memberCount: 2,
    orders: [{ kind: 'split', state: 'done' }, {}],
  });

  const merging = await act(two.there, 'merge', { incident_ids: [one.there, part?.id] });
  expect(merging.status).toBe(202);
  await carryOut();
  expect(await here(one.here)).toMatchObject({ state: 'closed', mergedInto: two.here });
  expect(await shown(two.there)).toMatchObject({ memberCount: 5 });
  // Both groups show the order by which one went into the other.
  expect(await shown(one.there)).toMatchObject({
    ...{ state: 'closed', mergedInto: two.there },
    orders: [{ kind: 'merge', state: 'done', incidentId: two.there }, {}, {}],
  });

  expect((await act(one.there, 'unmerge')).status).toBe(202);
  await carryOut();
  expect(await shown(one.there)).toMatchObject({ state: 'confirmed', memberCount: 2, mergedInto: null });
  expect(await shown(two.there)).toMatchObject({ memberCount: 3 });
});

test('who decided at the site meanwhile has the first word, and who ordered is told', async () => {
  const one = await group(3);
  expect((await act(one.there, 'confirm')).status).toBe(202);
  const off = { ...LI, id: one.here, eventIds: [one.events[0]?.here ?? 0] };
  expect((await pair.rig.store.incidents.split(off, stamp())).kind).toBe('split');
  await carryOut();
  expect(await here(one.here)).toMatchObject({ state: 'auto', confirmedBy: null });
  expect(await ordersOf(one.there)).toMatchObject([
    { ...SITE_REFUSED, reasonZh: '站点已有人先更改了该归并组' },
  ]);
  const alarms = await pair.call('GET', '/api/core/alarms');
  expect(JSON.stringify(alarms.body)).toContain(`what chen ordered here on incident group ${one.there}`);
  const inbox = await pair.call('GET', '/api/core/notifications');
  expect(JSON.stringify(inbox.body)).toContain(`对归并组 ${one.there} 下达的指令`);
  // Ordered again on what the group is now, it is done.
  const { revision } = await shown(one.there);
  expect((await act(one.there, 'confirm', { seen: { [one.there]: revision } })).status).toBe(202);
  await carryOut();
  expect(await here(one.here)).toMatchObject({ state: 'confirmed', memberCount: 2 });
});

test('a group that only grew by its agent is decided on all the same', async () => {
  const one = await group(2);
  expect((await act(one.there, 'confirm')).status).toBe(202);
  const [more = 0] = await pair.rig.events(1, 'grown');
  const { incidents } = pair.rig.store;
  const grown = await here(one.here);
  if (!grown?.sourceKey) throw new Error('no group');
  await incidents.upsert({ ...grown, sourceKey: grown.sourceKey, eventIds: [more], actor: 'agent' }, stamp());
  await carryOut();
  expect(await shown(one.there)).toMatchObject({ state: 'confirmed', memberCount: 3 });
});

test('what somebody at the site did first, as it was ordered, is done', async () => {
  const [one, into] = [await group(2), await group(1)];
  expect((await act(into.there, 'merge', { incident_ids: [one.there] })).status).toBe(202);
  await pair.rig.store.incidents.merge({ ...LI, id: into.here, incidentIds: [one.here] }, stamp());
  await carryOut();
  expect(await ordersOf(into.there)).toMatchObject([{ kind: 'merge', state: 'done' }]);
  expect((await act(one.there, 'unmerge')).status).toBe(202);
  await pair.rig.store.incidents.unmerge({ ...LI, id: one.here }, stamp());
  await carryOut();
  expect((await ordersOf(one.there)) as unknown[]).toMatchObject([{ kind: 'unmerge', state: 'done' }, {}]);
});

test('a group that was merged away at the site refuses to be split or merged', async () => {
  const [one, two, three] = [await group(2), await group(1), await group(1)];
  const event_ids = one.events.slice(1).map(({ there }) => there);
  expect((await act(one.there, 'split', { event_ids })).status).toBe(202);
  expect((await act(three.there, 'merge', { incident_ids: [two.there] })).status).toBe(202);
  await pair.rig.store.incidents.merge({ ...LI, id: two.here, incidentIds: [one.here] }, stamp());
  await carryOut();
  expect(await ordersOf(one.there)).toMatchObject([{ state: 'refused', reasonCode: 'order_group_closed' }]);
  expect(await ordersOf(three.there)).toMatchObject([SITE_REFUSED]);
  expect(await shown(two.there)).toMatchObject({ memberCount: 3, orders: [SITE_REFUSED] });
});

test('two at headquarters never overwrite each other unseen', async () => {
  const [one, two] = [await group(3), await group(1)];
  const seen = { [one.there]: 0 };
  expect((await act(one.there, 'confirm', { seen })).status).toBe(202);
  // The second finds the first order, on any of the groups that are named.
  const order = { kind: 'confirm', by: 'chen' };
  for (const second of [
    act(one.there, 'split', { event_ids: [one.events[0]?.there], seen, by: 'zhang' }),
    act(two.there, 'merge', { incident_ids: [one.there], by: 'zhang' }),
  ])
    expect(await second).toMatchObject({ status: 409, body: { error: 'group_ordered', order } });
  await carryOut();
  // It is done by now, and the second has not seen it.
  expect(await act(one.there, 'split', { event_ids: [one.events[0]?.there], seen })).toMatchObject({
    status: 409,
    body: { error: 'group_changed', details: [{ incidentId: one.there, revision: 1 }] },
  });
  expect(await act(one.there, 'confirm', { seen })).toMatchObject({ status: 200, body: { changed: false } });
  const event_ids = one.events.map(({ there }) => there);
  expect(await act(one.there, 'split', { event_ids })).toMatchObject({ status: 400 });
});

test('groups of different keepers and layers are not merged', async () => {
  const one = await group(1);
  const [free = 0] = await pair.rig.events(1, 'free');
  await pair.drain();
  const [event] = (await pair.hub.store.events.page(0, 1_000)).filter(({ originId }) => originId === free);
  const own = await pair.call('POST', '/api/core/incidents/upsert', {
    ...{ tenant_code: 'acme', source_key: 'own', layer: 'L1', site_ref: 's', event_ids: [event?.id] },
  });
  expect(await act(one.there, 'merge', { incident_ids: [own.body['id']] })).toMatchObject({
    status: 409,
    body: { error: 'group_of_site' },
  });
  const other = await group(1, 'L2');
  expect(await act(one.there, 'merge', { incident_ids: [other.there] })).toMatchObject({ status: 400 });
});

test('an order waits while the link is down, and is carried out once however often it comes', async () => {
  const one = await group(2);
  const answered = await act(one.there, 'confirm');
  const { id } = answered.body['order'] as { id: string };
  const item = await waiting();
  expect(item).toMatchObject({ order_id: id, group: { id: one.here, revision: 0 } });
  expect(await shown(one.there)).toMatchObject({ state: 'auto', orders: [{ state: 'pending' }] });
  const { groupOrders } = pair.rig.store;
  expect(await groupOrders.carry(item, [], stamp())).toBe('carried_out');
  expect(await groupOrders.carry(item, [], stamp())).toBe('answered');
  await carryOut();
  expect(await here(one.here)).toMatchObject({ state: 'confirmed', revision: 1 });
  expect(await ordersOf(one.there)).toMatchObject([{ state: 'done' }]);
});

test('an order whose note was lost with a damaged store changes nothing twice', async () => {
  const one = await group(3);
  const event_ids = one.events.slice(2).map(({ there }) => there);
  expect((await act(one.there, 'split', { event_ids })).status).toBe(202);
  const { groupOrders } = pair.rig.store;
  const item = await waiting();
  const eventIds = one.events.slice(2).map(({ here: id }) => id);
  expect(await groupOrders.carry(item, eventIds, stamp())).toBe('carried_out');
  const db = new Database(path.join(pair.rig.dir, 'site.db'));
  db.exec('delete from uplink_orders');
  db.close();
  expect(await groupOrders.carry(item, eventIds, stamp())).toBe('carried_out');
  await carryOut();
  expect(await ordersOf(one.there)).toMatchObject([{ kind: 'split', state: 'done' }]);
  expect(await shown(one.there)).toMatchObject({ memberCount: 2 });
});

test('what the site does not understand it refuses by name', async () => {
  const one = await group(1);
  expect((await act(one.there, 'confirm')).status).toBe(202);
  const { events, groupOrders, orders } = pair.rig.store;
  const driver = groupOrderDriver({ events, groupOrders, orders, clock: pair.rig.clock });
  expect(await driver.carryOut({ ...(await waiting()), body: { kind: 'dance' } })).toBe('refused');
  await carryOut();
  expect(await ordersOf(one.there)).toMatchObject([{ state: 'refused', reasonCode: 'order_not_understood' }]);
});
