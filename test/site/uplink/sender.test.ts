// What is sent, in which order, and where the cursors stand after each answer.
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { uplinkStatus } from '../../../site/uplink/status.ts';
import { range } from '../../contract/samples.ts';
import { openRig, type Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const ids = (from: number, to: number) => range(to - from + 1, (index) => from + index);

describe('the cursor', () => {
  test('moves through a backlog in full batches, in order', async () => {
    await rig.events(25);
    await rig.drain();
    expect(rig.hub.batches('events')).toEqual([ids(1, 10), ids(11, 20), ids(21, 25)]);
    expect(rig.cursor('events')).toBe(25);
    expect(rig.store.uplink.channel('events')).toMatchObject({
      sentTotal: 25,
      duplicateTotal: 0,
      hubEpoch: 'hub-1',
    });
  });

  test('moves only as far as headquarters answered', async () => {
    await rig.events(10);
    rig.hub.script = ({ positions }) =>
      positions.length === 10
        ? {
            body: {
              protocol: 1,
              epoch: 'hub-1',
              accepted: 4,
              duplicates: 0,
              cursor: 4,
              rejected: [],
              decisions: [],
            },
          }
        : null;
    await rig.round();
    expect(rig.cursor('events')).toBe(4);
    rig.hub.positions.set(`events ${rig.store.epoch()}`, 4);
    await rig.drain();
    expect(rig.hub.batches('events')).toEqual([ids(1, 10), ids(5, 10)]);
    expect(rig.cursor('events')).toBe(10);
  });

  test.each([
    [
      'a cursor before the batch',
      {
        status: 200,
        body: {
          protocol: 1,
          epoch: 'hub-1',
          accepted: 0,
          duplicates: 0,
          cursor: 0,
          rejected: [],
          decisions: [],
        },
      },
    ],
    [
      'a cursor beyond what exists',
      {
        status: 200,
        body: {
          protocol: 1,
          epoch: 'hub-1',
          accepted: 5,
          duplicates: 0,
          cursor: 6,
          rejected: [],
          decisions: [],
        },
      },
    ],
    ['an answer without form', { status: 200, body: '{"accepted": 5' }],
    ['500', { status: 500, body: { error: 'internal', message: '' } }],
    ['404 of something else', { status: 404, body: '<html>' }],
    ['400 of something else', { status: 400, body: '<html>' }],
    ['a wait', { status: 503, body: { error: 'overloaded' }, headers: { 'retry-after': '7' } }],
    ['a cut before the answer', { cut: 'before' as const }],
    ['a cut within the answer', { cut: 'within' as const, body: 'x'.repeat(1000) }],
  ])('stays where it is after %s, and the batch goes again', async (_name, scripted) => {
    await rig.events(5);
    rig.hub.script = () => scripted;
    await rig.round();
    expect(rig.cursor('events')).toBe(0);
    expect(rig.sender.channels.events.attempts.failures + rig.sender.link.attempts.failures).toBe(1);
    expect(rig.sender.link.state).toBe('never');
    rig.hub.script = () => null;
    rig.clock.advance(10_000);
    await rig.drain();
    expect(rig.hub.kept.events).toEqual(ids(1, 5));
    expect(rig.cursor('events')).toBe(5);
    expect(rig.sender.link.state).toBe('up');
  });

  test('after a lost answer counts duplicates and parks what was refused then', async () => {
    await rig.events(10);
    rig.hub.refuse = (_channel, position) =>
      position === 7 ? { error: 'tenant_not_allowed', message: 'no' } : null;
    rig.hub.script = () => ({ store: true, cut: 'before' });
    await rig.round();
    expect(rig.hub.kept.events).toHaveLength(9);
    rig.hub.script = () => null;
    await rig.drain();
    expect(rig.store.uplink.channel('events')).toMatchObject({ cursor: 10, sentTotal: 9, duplicateTotal: 9 });
    expect(rig.parked.list({}, 10)).toMatchObject([
      { channel: 'events', originId: 7, error: 'tenant_not_allowed', count: 1 },
    ]);
  });
});

describe('waiting', () => {
  test('follows Retry-After, and new events do not break it', async () => {
    await rig.events(1);
    rig.hub.script = () => ({
      status: 429,
      body: { error: 'rate_limited' },
      headers: { 'retry-after': '30' },
    });
    await rig.round();
    expect(rig.sender.channels.events.attempts.nextAt - rig.clock.monotonic()).toBe(30_000);
    const sent = rig.hub.requests('events').length;
    rig.sender.notify();
    await rig.drain();
    expect(rig.hub.requests('events')).toHaveLength(sent);
    rig.sender.kick();
    await rig.round();
    expect(rig.hub.requests('events')).toHaveLength(sent + 1);
  });

  test('doubles from half a second up to two minutes', async () => {
    await rig.events(1);
    rig.hub.script = () => ({ status: 500, body: { error: 'internal' } });
    const waits: number[] = [];
    for (let tries = 0; tries < 10; tries += 1) {
      rig.clock.advance(120_000);
      await rig.drain();
      waits.push(rig.sender.channels.events.attempts.nextAt - rig.clock.monotonic());
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 120_000, 120_000]);
  });

  test('with nothing to send makes one empty call an interval', async () => {
    await rig.drain();
    const calls = () => rig.hub.requests('events').length;
    expect(calls()).toBe(1);
    await rig.round();
    expect(calls()).toBe(1);
    rig.clock.advance(3_000);
    await rig.round();
    expect(calls()).toBe(2);
    expect(rig.hub.requests('events').at(-1)?.request.cursor).toEqual({ from: 0, to: 0, at: null });
  });
});

describe('verdicts', () => {
  test('go up only after their event, in their order', async () => {
    const [first = 0, second = 0] = await rig.events(2);
    rig.hub.script = ({ channel }) =>
      channel === 'events' ? { status: 503, body: { error: 'overloaded' } } : null;
    await rig.judge(second);
    await rig.judge(first);
    await rig.drain();
    expect(rig.hub.batches('verdicts')).toEqual([]);
    rig.hub.script = () => null;
    rig.clock.advance(10_000);
    await rig.drain();
    expect(rig.hub.batches('events')).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(rig.hub.batches('verdicts')).toEqual([[1, 2]]);
    expect(rig.store.uplink.channel('verdicts')).toMatchObject({
      cursor: 2,
      cursorAt: expect.any(Number) as number,
    });
  });

  test('get their turn during a long backlog of events', async () => {
    const [first = 0] = await rig.events(200);
    await rig.judge(first);
    await rig.drain();
    const order = rig.hub.received
      .filter(({ positions }) => positions.length > 0)
      .map(({ channel }) => channel);
    expect(order.indexOf('verdicts')).toBeLessThan(6);
    expect(order.lastIndexOf('events')).toBeGreaterThan(order.indexOf('verdicts'));
    expect(rig.cursor('events')).toBe(200);
  });

  test('are not held up by a hub that fails on events', async () => {
    const [first = 0] = await rig.events(1);
    await rig.drain();
    rig.hub.script = ({ channel }) =>
      channel === 'events' ? { status: 500, body: { error: 'internal' } } : null;
    await rig.events(1, 'later');
    await rig.judge(first);
    await rig.drain();
    expect(rig.cursor('events')).toBe(1);
    expect(rig.cursor('verdicts')).toBe(1);
  });
});

test('one batch is under way and at most one more in memory', async () => {
  await rig.events(100);
  let reads = 0;
  const page = rig.store.events.page.bind(rig.store.events);
  rig.store.events.page = (after, limit) => {
    reads += 1;
    return page(after, limit);
  };
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  rig.hub.script = async () => {
    await held;
    return null;
  };
  const round = rig.round();
  await rig.hub.until((received) => received.length === 1);
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(reads).toBe(2);
  expect(rig.sender.channels.events.ahead.isEmpty).toBe(false);
  release();
  await round;
  rig.hub.script = () => null;
  await rig.drain();
  expect(rig.hub.kept.events).toEqual(ids(1, 100));
});

test('also while both channels have a backlog', async () => {
  const stored = await rig.events(200);
  for (const id of stored.slice(0, 40)) await rig.judge(id);
  const most: number[] = [];
  rig.hub.script = async () => {
    for (let turns = 0; turns < 20; turns += 1) await turn();
    most.push(Object.values(rig.sender.channels).filter((channel) => !channel.ahead.isEmpty).length);
    return null;
  };
  await rig.drain();
  expect(Math.max(...most)).toBe(1);
  expect(rig.hub.kept).toEqual({ events: ids(1, 200), verdicts: ids(1, 40) });
});

test('a sender that is stopped in the middle of a request moves nothing', async () => {
  await rig.events(3);
  rig.hub.script = () => new Promise(() => undefined);
  rig.sender.start();
  await rig.hub.until((received) => received.length === 1);
  await rig.sender.stop();
  expect(rig.cursor('events')).toBe(0);
  expect(rig.sender.link.attempts.failures).toBe(0);
});

test(
  'a report is made for a request that carries it, not while nothing is sent, and rarely in a stream of ' +
    'verdicts',
  async () => {
    let reports = 0;
    const rig = await openRig({ report: () => Promise.resolve(JSON.stringify({ at: (reports += 1) })) });
    try {
      for (let seconds = 0; seconds < 600; seconds += 1) await rig.round();
      expect([reports >= 9, reports <= 11]).toEqual([true, true]);
      const [id = 0] = await rig.events(1);
      for (let seconds = 0; seconds < 60; seconds += 1) {
        if (seconds === 5) await rig.judge(id);
        await rig.round();
      }
      expect(reports).toBeLessThan(17);
    } finally {
      await rig.close();
    }
  },
);

test('what waits is counted, not told by numbers that were left out', async () => {
  const rig = await openRig();
  try {
    const [id = 0] = await rig.events(3);
    await rig.judge(id);
    await rig.store.renewEpoch(10_000);
    const waiting = async (): Promise<number[]> => {
      const { channels } = await uplinkStatus({
        store: rig.store,
        sender: rig.sender,
        instance: 'site-1',
        clock: rig.clock,
      });
      return channels.map(({ backlog }) => backlog);
    };
    expect(await waiting()).toEqual([3, 1]);
    expect(await rig.events(2, 'after')).toEqual([10_001, 10_002]);
    expect(await waiting()).toEqual([5, 1]);
    await rig.drain();
    expect(await waiting()).toEqual([0, 0]);
  } finally {
    await rig.close();
  }
});

test('while any channel has a backlog, what travels beside is told so with each answer', async () => {
  const heard: { verdicts: number; draining: boolean }[] = [];
  const beside = await openRig({
    evidence: {
      answered: (draining) => {
        heard.push({ verdicts: beside.hub.requests('verdicts').length, draining: draining() });
      },
    },
  });
  const posted = await beside.events(95);
  // Its event is the last one: until that is sent, the channel of verdicts has nothing to send.
  await beside.judge(posted.at(-1) ?? 0);
  await beside.drain();
  const behind = heard.slice(0, heard.map(({ draining }) => draining).lastIndexOf(true) + 1);
  expect(behind.at(-1)?.verdicts).toBeGreaterThan(0);
  expect(behind.filter(({ draining }) => !draining)).toEqual([]);
  expect(heard.at(-1)?.draining).toBe(false);
  await beside.close();
});

test('a backlog that ends with a full batch is over, and nothing waits its turn behind it any more', async () => {
  const heard: (() => boolean)[] = [];
  const exact = await openRig({
    evidence: { answered: (draining) => void heard.push(draining) },
  });
  try {
    await exact.events(20);
    await exact.drain();
    expect(exact.hub.batches('events').map(({ length }) => length)).toEqual([10, 10]);
    expect(Object.values(exact.sender.channels).map(({ draining }) => draining)).toEqual([false, false]);
    // Whoever was told of the backlog with the last answer learns it too.
    expect(heard.map((draining) => draining())).not.toContain(true);
  } finally {
    await exact.close();
  }
});
