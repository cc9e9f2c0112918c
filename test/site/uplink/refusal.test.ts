// Batches and items that headquarters refuses: found, parked, replayed, given up.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { range } from '../../contract/samples.ts';
import type { Script } from './hub-double.ts';
import { openRig, type Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig({ batch: 16 });
});
afterEach(() => rig.close());

const invalid = { status: 400, body: { error: 'validation_failed', message: 'items[0] is broken' } };
/** Refuses every request that holds one of these. */
const poisonedBy =
  (...bad: number[]): Script =>
  ({ positions }) =>
    positions.some((each) => bad.includes(each)) ? invalid : null;
const rest = (count: number, ...but: number[]) =>
  range(count, (index) => index + 1).filter((id) => !but.includes(id));

describe('an item that headquarters refuses', () => {
  test('alone is parked with the cursor and does not hold up the others', async () => {
    rig.hub.refuse = (_channel, position) =>
      position === 3 ? { error: 'tenant_not_allowed', message: 'not of this site' } : null;
    await rig.events(20);
    await rig.drain();
    expect(rig.hub.kept.events).toEqual(rest(20, 3));
    expect(rig.cursor('events')).toBe(20);
    expect(rig.parked.list({ channel: 'events' }, 10)).toMatchObject([
      { originId: 3, error: 'tenant_not_allowed', message: 'not of this site', state: 'parked', count: 1 },
    ]);
    expect(await rig.alarm('uplink_parked')).toMatchObject({
      clearedAt: null,
      message: expect.stringContaining('refused 1 event;') as string,
      details: {
        events: 1,
        verdicts: 0,
        told: { code: 'uplink_parked', params: { refused: { code: 'parked_events', params: { count: 1 } } } },
      },
    });
  });

  test('and spoils its batch is found by halving', async () => {
    rig.hub.script = poisonedBy(5, 6, 30);
    await rig.events(40);
    await rig.drain();
    expect(rig.hub.kept.events).toEqual(rest(40, 5, 6, 30));
    expect(rig.cursor('events')).toBe(40);
    expect(rig.parked.list({}, 10).map(({ originId, error }) => ({ originId, error }))).toEqual(
      [5, 6, 30].map((originId) => ({ originId, error: 'validation_failed' })),
    );
    expect(rig.hub.requests('events').length).toBeLessThan(40);
  });

  test('without saying which is found in the same way', async () => {
    rig.hub.script = ({ positions, request }) =>
      positions.includes(9)
        ? {
            body: {
              protocol: 1,
              epoch: 'hub-1',
              accepted: positions.length - 1,
              duplicates: 0,
              cursor: request.cursor.to,
              rejected: [{ originId: 0, error: 'validation_failed', message: 'broken' }],
              decisions: [],
            },
            store: true,
          }
        : null;
    await rig.events(16);
    await rig.drain();
    expect(rig.parked.list({}, 10)).toMatchObject([{ originId: 9, error: 'validation_failed' }]);
    expect(rig.cursor('events')).toBe(16);
  });

  test('on the verdicts channel is parked there', async () => {
    const [first = 0] = await rig.events(1);
    await rig.judge(first);
    rig.hub.refuse = (channel) =>
      channel === 'verdicts' ? { error: 'event_unknown', message: 'no such event' } : null;
    await rig.drain();
    expect(rig.parked.list({}, 10)).toMatchObject([
      { channel: 'verdicts', originId: 1, error: 'event_unknown' },
    ]);
    expect(rig.cursor('verdicts')).toBe(1);
  });
});

test('a hub that refuses every request is not believed about the items: nothing is parked', async () => {
  rig.hub.script = () => invalid;
  await rig.events(8);
  await rig.drain();
  expect(rig.parked.list({}, 10)).toEqual([]);
  expect(rig.cursor('events')).toBe(0);
  expect(rig.sender.channels.events.attempts.failures).toBe(1);
  rig.hub.script = () => null;
  await rig.drain();
  expect(rig.hub.kept.events).toEqual(rest(8));
});

describe('too large', () => {
  const above =
    (most: number): Script =>
    ({ positions }) =>
      positions.length > most ? { status: 413, body: 'too large' } : null;

  test('a batch is halved until it fits, and grows again', async () => {
    rig.hub.script = above(5);
    await rig.events(16);
    await rig.drain();
    expect(rig.hub.kept.events).toEqual(rest(16));
    rig.hub.script = () => null;
    await rig.events(40, 'more');
    await rig.drain();
    expect(
      Math.max(
        ...rig.hub
          .batches('events')
          .slice(-3)
          .map((batch) => batch.length),
      ),
    ).toBe(16);
    expect(rig.parked.list({}, 10)).toEqual([]);
  });

  test('an item alone is parked, and the cursor passes it at both ends', async () => {
    rig.hub.script = ({ positions }) => (positions.includes(2) ? { status: 413, body: 'too large' } : null);
    await rig.events(4);
    await rig.drain();
    expect(rig.hub.kept.events).toEqual([1, 3, 4]);
    expect(rig.parked.list({}, 10)).toMatchObject([{ originId: 2, error: 'too_large' }]);
    expect(rig.hub.positions.get(`events ${rig.store.epoch()}`)).toBe(4);
  });
});

describe('parked items', () => {
  beforeEach(async () => {
    rig.hub.refuse = (_channel, position) =>
      position <= 3 ? { error: 'tenant_not_allowed', message: 'no' } : null;
    await rig.events(5);
    await rig.drain();
  });

  test('are replayed as they are now, and no cursor moves', async () => {
    rig.hub.refuse = (_channel, position) =>
      position === 2 ? { error: 'tenant_not_allowed', message: 'still no' } : null;
    const result = await rig.parked.replay({});
    expect(result).toEqual({
      replayed: [
        { channel: 'events', originId: 1 },
        { channel: 'events', originId: 3 },
      ],
      refused: [{ channel: 'events', originId: 2, error: 'tenant_not_allowed', message: 'still no' }],
    });
    expect(rig.hub.requests('events').at(-1)?.request.cursor).toMatchObject({ from: 5, to: 5 });
    expect(rig.cursor('events')).toBe(5);
    expect(rig.parked.list({ state: 'parked' }, 10)).toMatchObject([
      { originId: 2, count: 2, message: 'still no' },
    ]);
    expect(rig.hub.kept.events).toEqual([4, 5, 1, 3]);
    rig.hub.refuse = () => null;
    await rig.parked.replay({ channel: 'events', originIds: [2] });
    expect(await rig.alarm('uplink_parked')).toMatchObject({ clearedAt: expect.any(Number) as number });
  });

  test('that spoil a replay are found by halving', async () => {
    rig.hub.refuse = () => null;
    rig.hub.script = poisonedBy(3);
    const { replayed, refused } = await rig.parked.replay({});
    expect(replayed.map(({ originId }) => originId)).toEqual([1, 2]);
    expect(refused).toMatchObject([{ originId: 3, error: 'validation_failed' }]);
  });

  test('stay parked when headquarters does not answer', async () => {
    rig.hub.script = () => ({ cut: 'before' });
    await expect(rig.parked.replay({})).rejects.toMatchObject({ status: 503, code: 'hub_unavailable' });
    expect(rig.parked.list({ state: 'parked' }, 10)).toMatchObject([
      { count: 1 },
      { count: 1 },
      { count: 1 },
    ]);
  });

  test('are given up once, by name', async () => {
    await rig.parked.discard('events', 1, 'wu');
    await expect(rig.parked.discard('events', 1, 'wu')).rejects.toMatchObject({ status: 404 });
    await expect(rig.parked.replay({ channel: 'events', originIds: [1] })).rejects.toMatchObject({
      status: 404,
    });
    await rig.parked.discard('events', 2, 'wu');
    await rig.parked.discard('events', 3, 'wu');
    expect(await rig.alarm('uplink_parked')).toMatchObject({ clearedAt: expect.any(Number) as number });
    expect(
      await rig.store.audit.list({ tenantCode: null, action: 'uplink.discarded' }, null, 10),
    ).toHaveLength(3);
  });
});
