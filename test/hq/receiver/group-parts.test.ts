// A large incident group of a site comes up in parts: headquarters shows one whole state of it at a time.
import { beforeEach, expect, test } from 'vitest';
import type { GroupItem } from '../../../common/uplink/change/group.ts';
import type { BatchHead } from '../../../hq/receiver/port.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { firstOf } from '../../support/campaign.ts';
import { seededRandom } from '../../support/random.ts';
import { hubStores, stampAt, T0, testClock, uplinked } from '../store/hub.ts';

const hub = hubStores();
const clock = testClock();
const EVENTS = 60;
let store: HubStore;
let sent: number;

beforeEach(async () => {
  store = await hub.open((await hub.database()).url, clock);
  await store.sites.add({ instance: 'site-1', tenants: ['acme'] }, T0, 'admin');
  const events = Array.from({ length: EVENTS }, (_, index) => uplinked(`e${index + 1}`, index + 1));
  await store.receiver.storeEvents(head(0, EVENTS), events, [], T0);
  sent = 0;
});

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

interface State {
  title: string;
  /** Ids of events at the site. */
  members: readonly number[];
}

interface Part {
  since: number | null;
  more: boolean;
  members: readonly number[];
}

function itemOf({ title, members }: State, { since, more, members: named }: Part): GroupItem {
  return {
    change_no: sent + 1,
    kind: 'group',
    tenant_code: 'acme',
    id: 7,
    created_at: T0,
    group: {
      source_key: 'one',
      layer: 'L1',
      site_ref: 's',
      point_ref: null,
      title,
      state: 'auto',
      state_before: null,
      merged_into: null,
      split_from: null,
      first_at: T0,
      last_at: T0 + members.length,
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
      since,
      more,
      members: named.map((id) => ({
        event: { key: `e${id}`, id },
        at: T0 + id,
        type: 'smoke',
        source: 'video',
        severity: 'high',
        is_test: false,
        live: true,
        added_at: T0,
      })),
    },
  };
}

/** @param times more than 1: an answer was lost, and the site sends it again */
async function send(state: State, part: Part, times = 1): Promise<number> {
  const item = itemOf(state, part);
  for (let time = 0; time < times; time += 1) {
    const batch = head(sent, sent + 1);
    const outcome = await store.receiver.storeChanges(batch, [item], [], stampAt(T0 + sent, clock));
    expect(outcome).toMatchObject({ kind: 'stored', rejected: [] });
  }
  return (sent += 1);
}

async function shown(): Promise<State | null> {
  const [group] = await store.incidents.list({ tenantCode: 'acme', includeTest: true }, null, 10);
  if (!group) return null;
  const detail = await store.incidents.detail(group.id, null, 1_000);
  const members = (detail?.members ?? []).map(({ event }) => Number(event?.idempotencyKey.slice(1)));
  expect(group.memberCount).toBe(members.length);
  return { title: group.title ?? '', members: members.sort((a, b) => a - b) };
}

test('a group that is new here is not there before its last part', async () => {
  const state = { title: 'fire', members: [1, 2, 3, 4, 5] };
  const first = await send(state, { since: null, more: true, members: [1, 2] });
  expect(await shown()).toBeNull();
  const second = await send(state, { since: first, more: true, members: [3, 4] });
  expect(await shown()).toBeNull();
  await send(state, { since: second, more: false, members: [5] });
  expect(await shown()).toEqual(state);
});

test('a member whose event is deleted here while the parts come is left out', async () => {
  const state = { title: 'fire', members: [1, 2, 3] };
  const first = await send(state, { since: null, more: true, members: [1, 2] });
  const [event] = await store.events.page(0, 1);
  await store.pool.query('delete from events where id = $1', [event?.id]);
  await send(state, { since: first, more: false, members: [3] });
  expect(await shown()).toEqual({ title: 'fire', members: [2, 3] });
});

test.each(firstOf([1, 2, 3, 4]))(
  'what is shown is the last state that came whole (seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    let state: State = { title: 'begin', members: [] };
    let whole: State | null = null;
    /** The last change that was sent, and the members that were still to follow. */
    let chain: { no: number; left: number[] } | null = null;
    let next = 1;
    for (let step = 0; step < 40 && next < EVENTS - 4; step += 1) {
      const grown = Array.from({ length: random.whole(1, 4) }, () => next++);
      state = { title: `step ${step}`, members: [...state.members, ...grown] };
      const base: { no: number; left: number[] } | null = chain;
      // A change in more than its members, or a site that does not know what came, sends it whole.
      const on = random.chance(0.6) ? base : null;
      let left: number[] = on ? [...on.left, ...grown] : [...state.members];
      let since: number | null = on?.no ?? null;
      do {
        const named = left.slice(0, random.whole(1, 6));
        left = left.slice(named.length);
        const more = left.length > 0;
        since = await send(state, { since, more, members: named }, random.chance(0.3) ? 2 : 1);
        if (!more) whole = state;
        expect(await shown()).toEqual(whole);
        // The group changes, or the site ends, before the rest has gone up.
      } while (left.length > 0 && random.chance(0.7));
      chain = { no: since, left };
    }
    expect(whole).not.toBeNull();
  },
);
