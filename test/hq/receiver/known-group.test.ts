// A store of a site that was put back or salvaged makes a group anew under another id and epoch; by its
// source key it is the group that headquarters has.
import { beforeEach, expect, test } from 'vitest';
import type { GroupItem } from '../../../common/uplink/change/group.ts';
import type { BatchHead } from '../../../hq/receiver/port.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { hubStores, stampAt, T0, testClock, uplinked } from '../store/hub.ts';

const hub = hubStores();
const clock = testClock();
let store: HubStore;

beforeEach(async () => {
  store = await hub.open((await hub.database()).url, clock);
  await store.sites.add({ instance: 'site-1', tenants: ['acme'] }, T0, 'admin');
  const events = [1, 2, 3, 4].map((id) => uplinked(`e${id}`, id));
  await store.receiver.storeEvents(head('e1', 0, 4), events, [], T0);
});

const head = (epoch: string, from: number, to: number): BatchHead => ({
  instance: 'site-1',
  epoch,
  version: '1.0',
  from,
  to,
  head: to,
  oldest: 1,
  held: null,
  at: null,
});

const member = (id: number): GroupItem['group']['members'][number] => ({
  event: { key: `e${id}`, id },
  at: T0 + id,
  type: 'smoke',
  source: 'video',
  severity: 'high',
  is_test: false,
  live: true,
  added_at: T0,
});

function group(no: number, id: number, key: string | null, members: number[], more: object = {}): GroupItem {
  return {
    change_no: no,
    kind: 'group',
    tenant_code: 'acme',
    id,
    created_at: T0 + id,
    group: {
      source_key: key,
      layer: 'L1',
      site_ref: 's',
      point_ref: null,
      title: `group ${id}`,
      state: 'auto',
      state_before: null,
      merged_into: null,
      split_from: null,
      first_at: T0,
      last_at: T0 + 9,
      event_types: ['smoke'],
      sources: ['video'],
      severity: 'high',
      member_count: members.length,
      test_member_count: 0,
      is_test: false,
      first_event: null,
      first_event_at: null,
      first_locked: false,
      confirmed_by: null,
      confirmed_at: null,
      closed_at: null,
      cleared_count: 0,
      revision: 0,
      updated_at: T0,
      since: null,
      more: false,
      members: members.map(member),
      ...more,
    },
  };
}

const send = (epoch: string, from: number, items: GroupItem[]) =>
  store.receiver.storeChanges(head(epoch, from, from + items.length), items, [], stampAt(T0, clock));

async function groups(): Promise<
  { id: number; title: string | null; originId: number | null; keys: string[] }[]
> {
  const list = await store.incidents.list({ tenantCode: 'acme', includeTest: true }, null, 10);
  return Promise.all(
    list.map(async ({ id, title, originId }) => {
      const detail = await store.incidents.detail(id, null, 100);
      const keys = (detail?.members ?? []).map(({ event }) => event?.idempotencyKey ?? '').sort();
      return { id, title, originId, keys };
    }),
  );
}

test('a known source key of the same instance is that group, whatever the epoch', async () => {
  await send('e1', 0, [group(1, 7, 'area-0', [1, 2]), group(2, 8, 'area-1', [3])]);
  const [before] = (await groups()).filter(({ title }) => title === 'group 7');
  expect(await send('e2', 0, [group(1, 1_000_007, 'area-0', [2, 4])])).toMatchObject({
    kind: 'stored',
    accepted: 1,
    rejected: [],
    cursor: 1,
  });
  const found = await groups();
  expect(found).toHaveLength(2);
  // What the site had before it was put back stays.
  expect(found).toContainEqual({
    id: before?.id,
    title: 'group 1000007',
    originId: 1_000_007,
    keys: ['e1', 'e2', 'e4'],
  });
  // It goes on under its new name, in additions too, and a second time changes nothing.
  const grown = group(2, 1_000_007, 'area-0', [3], { since: 1, member_count: 4 });
  expect(await send('e2', 1, [grown])).toMatchObject({ accepted: 1, rejected: [] });
  expect(await send('e2', 1, [grown])).toMatchObject({ accepted: 0, duplicates: 1 });
  expect((await groups()).find(({ id }) => id === before?.id)?.keys).toEqual(['e1', 'e2', 'e3', 'e4']);
});

test('groups without a source key, and those of other sites, are others', async () => {
  await store.sites.add({ instance: 'site-2', tenants: ['acme'] }, T0, 'admin');
  await send('e1', 0, [group(1, 7, null, [1]), group(2, 8, null, [2]), group(3, 9, 'area-0', [3])]);
  const other = { ...head('f1', 0, 1), instance: 'site-2' };
  const items = [group(1, 9, 'area-0', [])];
  expect(await store.receiver.storeChanges(other, items, [], stampAt(T0, clock))).toMatchObject({
    accepted: 1,
  });
  expect(await groups()).toHaveLength(4);
});
