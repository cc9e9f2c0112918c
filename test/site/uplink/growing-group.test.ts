// A group that grows goes up with what was added to it, and whole wherever headquarters may lack the rest.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import { openPair, type Pair } from './pair.ts';
import { openRig, type Rig } from './rig.ts';

const MANY = 5_000;
/** Bytes of the largest item. */
const PART_BYTES = 300_000;
/** Bytes that one member more may take, with the facts of its group. */
const ONE_MORE = 2_000;

/** Tells the group `one` these members. @returns ids of the members */
async function grow(rig: Rig, count: number, prefix: string): Promise<number[]> {
  const eventIds = await rig.events(count, prefix);
  const group = { tenantCode: 'acme', sourceKey: 'one', layer: 'L1', siteRef: 's' } as const;
  await rig.store.incidents.upsert(
    { ...group, pointRef: null, title: null, eventIds, actor: 'a' },
    stampOf(rig.clock),
  );
  return eventIds;
}

describe('with headquarters', () => {
  let pair: Pair;
  beforeEach(async () => {
    pair = await openPair(['acme']);
  });
  afterEach(() => pair.close());

  const ends = async () => {
    const of = async (store: Pair['rig']['store'] | Pair['hub']['store']) => {
      const [group] = await store.incidents.list({ tenantCode: 'acme', includeTest: true }, null, 10);
      const detail = group && (await store.incidents.detail(group.id, null, 10_000));
      const { memberCount, firstAt, lastAt, eventTypes, severity } = detail?.incident ?? {};
      const keys = detail?.members.map(({ event }) => event?.idempotencyKey ?? '').sort();
      return { memberCount, firstAt, lastAt, eventTypes, severity, keys };
    };
    return { here: await of(pair.rig.store), there: await of(pair.hub.store) };
  };
  const unsent = () => {
    const { store } = pair.rig;
    const how = { eventsThrough: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER, whole: false };
    return store.changes.read(store.uplink.channel('verdicts').cursor, 10, how).map(({ text }) => text);
  };

  /** While events are drained, the log rests between its requests. */
  const drained = async (): Promise<void> => {
    const { store } = pair.rig;
    const waits = () => store.changes.waiting(store.uplink.channel('verdicts').cursor, 1) > 0;
    for (let times = 0; waits(); times += 1) {
      if (times > 20) throw new Error('the group does not go up');
      await pair.drain();
    }
  };

  test('many members go up in parts, one more is a small item, and both ends are equal', async () => {
    await grow(pair.rig, MANY, 'first');
    await pair.rig.drainEvents();
    expect(unsent()[0]?.length).toBeLessThan(PART_BYTES);
    await drained();
    const first = await ends();
    expect(first.here.memberCount).toBe(MANY);
    expect(first.there).toEqual(first.here);
    await grow(pair.rig, 1, 'more');
    await pair.rig.drainEvents();
    expect(unsent().map(({ length }) => length < ONE_MORE)).toEqual([true]);
    await drained();
    const { here, there } = await ends();
    expect(here.memberCount).toBe(MANY + 1);
    expect(there).toEqual(here);
    expect(pair.rig.parked.list({}, 10)).toEqual([]);
  });

  test('members that come and events that go while the parts go up are neither lost nor kept back', async () => {
    const ids = await grow(pair.rig, MANY, 'first');
    await pair.rig.drain();
    await pair.drain();
    expect(unsent()).not.toEqual([]);
    await grow(pair.rig, 2, 'between');
    await pair.drain();
    await pair.rig.store.incidents.forgetEvents(ids.slice(0, 100), stampOf(pair.rig.clock));
    await grow(pair.rig, 1, 'late');
    await drained();
    const { here, there } = await ends();
    expect(here.memberCount).toBe(MANY + 3 - 100);
    expect(there.keys).toEqual(expect.arrayContaining(here.keys ?? []));
    expect(there.keys).toHaveLength(MANY + 3);
    expect(pair.rig.parked.list({}, 10)).toEqual([]);
  });

  test('what was merged away goes up after all of the group that it went to', async () => {
    await grow(pair.rig, MANY, 'first');
    const eventIds = await pair.rig.events(3, 'other');
    const other = { tenantCode: 'acme', sourceKey: 'other', layer: 'L1', siteRef: 's' } as const;
    const stamp = () => stampOf(pair.rig.clock);
    await pair.rig.store.incidents.upsert(
      { ...other, pointRef: null, title: null, eventIds, actor: 'a' },
      stamp(),
    );
    await drained();
    const merge = { id: 2, tenantCode: null, by: 'li', note: null, actor: 'li', incidentIds: [1] };
    expect(await pair.rig.store.incidents.merge(merge, stamp())).toMatchObject({ kind: 'merged' });
    const idOf = (text: string): number => (JSON.parse(text) as { id: number }).id;
    expect(unsent().map(idOf)).toEqual([2]);
    // Lists leave out what was merged away.
    const there = async () => {
      const groups = [await pair.hub.store.incidents.get(1), await pair.hub.store.incidents.get(2)];
      const of = (key: string) => groups.find((group) => group?.sourceKey === key);
      return { one: of('one'), other: of('other') };
    };
    for (let times = 0; unsent().length > 0; times += 1) {
      expect(times).toBeLessThan(20);
      await pair.drain();
      const { one, other: merged } = await there();
      if (one?.state === 'closed') expect(merged?.memberCount).toBe(MANY + 3);
    }
    const { one, other: merged } = await there();
    expect(merged).toMatchObject({ memberCount: MANY + 3 });
    expect(one).toMatchObject({ state: 'closed', mergedInto: merged?.id });
    expect(pair.rig.parked.list({}, 10)).toEqual([]);
  });

  test('a group that headquarters does not know in that state goes up whole by itself', async () => {
    await grow(pair.rig, 3, 'first');
    await pair.drain();
    await pair.hub.store.pool.query(`update site_work set change_no = 0 where kind = 'group'`);
    await pair.hub.store.pool.query('delete from incident_members');
    await grow(pair.rig, 2, 'more');
    await pair.drain();
    await pair.drain();
    const { here, there } = await ends();
    expect(there).toEqual(here);
    expect(pair.rig.parked.list({}, 10)).toEqual([]);
  });
});

describe('what is sent', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await openRig();
  });
  afterEach(() => rig.close());

  const drain = async () => {
    await rig.drain();
    await rig.drainChanges();
  };
  /** Of the newest item: the change on which it stands, and the ids of its members. */
  const sent = () => {
    const { items = [] } =
      rig.hub.received
        .filter(({ channel, positions }) => channel === 'verdicts' && positions.length > 0)
        .at(-1)?.request ?? {};
    const { change_no: number, group } = items.at(-1) as {
      change_no: number;
      group: { since: number | null; members: { event: { id: number } }[] };
    };
    return { number, since: group.since, ids: group.members.map(({ event }) => event.id) };
  };

  test('changes before the next call go together, on what headquarters has', async () => {
    const first = await grow(rig, 3, 'first');
    await drain();
    const base = sent();
    expect(base).toMatchObject({ since: null, ids: first });
    const more = [...(await grow(rig, 2, 'more')), ...(await grow(rig, 1, 'late'))];
    await drain();
    expect(sent()).toMatchObject({ since: base.number, ids: more });
  });

  test('after headquarters was put back behind it, and after a change of another kind, it goes whole', async () => {
    const first = await grow(rig, 3, 'first');
    await drain();
    const more = await grow(rig, 1, 'more');
    await rig.store.uplink.rewind('verdicts', 0, 'hub-2');
    rig.sender.channels.verdicts.readState();
    await drain();
    expect(sent()).toMatchObject({ since: null, ids: [...first, ...more] });
    const [id = 0] = more;
    const split = { id: 1, tenantCode: null, by: 'li', note: null, actor: 'li', eventIds: [id] };
    await rig.store.incidents.split(split, stampOf(rig.clock));
    const last = await grow(rig, 1, 'last');
    await drain();
    const whole = rig.hub.received
      .flatMap(({ request }) => request.items as { id?: number; group?: { since: number | null } }[])
      .filter((item) => item.id === 1 && item.group)
      .at(-1);
    expect(whole).toMatchObject({ group: { since: null } });
    expect(last).toHaveLength(1);
  });

  test('what headquarters refused is no ground to stand on', async () => {
    const first = await grow(rig, 3, 'first');
    await drain();
    const base = sent();
    rig.hub.refuse = (channel) => (channel === 'verdicts' ? { error: 'event_unknown', message: 'no' } : null);
    const refused = await grow(rig, 1, 'refused');
    await drain();
    rig.hub.refuse = () => null;
    const more = await grow(rig, 1, 'more');
    await drain();
    expect(sent()).toMatchObject({ since: base.number, ids: [...refused, ...more] });
    expect(first).toHaveLength(3);
  });
});
