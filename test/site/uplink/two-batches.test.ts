// The second batch leaves while the first is on its way: what is sent, and what is made of each pair of
// answers.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BATCH_MISSING } from '../../../common/uplink/wire.ts';
import { range } from '../../contract/samples.ts';
import { Link } from '../../support/proxy.ts';
import { seededRandom } from '../../support/random.ts';
import type { Received, Scripted } from './hub-double.ts';
import { openPair } from './pair.ts';
import { openRig, type Rig } from './rig.ts';

const ids = (from: number, to: number) => range(to - from + 1, (index) => from + index);

const EVENTS = 600;
/** Longer than any backoff. */
const LATER_MS = 130_000;

describe('with headquarters that takes two', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await openRig();
    // The first batch goes alone.
    await rig.drain();
  });
  afterEach(() => rig.close());

  const is = (received: Received, first: number): boolean => received.positions[0] === first;

  /** Holds the answers to batches until the second has come. */
  async function drain(answerTo: (received: Received) => Scripted | null): Promise<void> {
    let came = (): void => undefined;
    const second = new Promise<void>((resolve) => (came = resolve));
    rig.hub.script = async (received) => {
      if (is(received, 11)) await second;
      const scripted = answerTo(received);
      if (is(received, 21)) came();
      return scripted;
    };
    await rig.round();
    await rig.drain();
  }

  test('the next one leaves before the answer, and says what is held', async () => {
    await rig.events(35);
    let missing = 0;
    // The double puts nothing in order.
    await drain((received) =>
      is(received, 21) && ++missing === 1 ? { status: 409, body: { error: BATCH_MISSING, known: 10 } } : null,
    );
    expect(rig.hub.requests('events').map(({ request: { cursor } }) => cursor)).toContainEqual({
      ...{ from: 20, to: 30, held: 10, at: null },
    });
    expect(rig.hub.kept.events).toEqual(ids(1, 35));
    expect(rig.cursor('events')).toBe(35);
  });

  test.each<[string, Scripted]>([
    ['503', { status: 503, body: { error: 'uplink_full' }, headers: { 'retry-after': '30' } }],
    ['400', { status: 400, body: { error: 'validation_failed', message: 'no' } }],
    ['413', { status: 413, body: { error: 'too_large', message: 'no' } }],
    ['cursor_ahead, of an older process', { status: 409, body: { error: 'cursor_ahead', known: 10 } }],
    ['sender_rolled_back', { status: 409, body: { error: 'sender_rolled_back', known: 15 } }],
    ['a cut', { cut: 'before' }],
  ])('the second that is answered %s goes again alone, and nothing is made of it', async (_name, answer) => {
    await rig.events(60);
    const epoch = rig.store.epoch();
    let seconds = 0;
    await drain((received) => {
      if (!is(received, 21)) return null;
      seconds += 1;
      return seconds === 1 ? answer : null;
    });
    expect(seconds).toBe(2);
    expect(rig.hub.batches('events')).toEqual([1, 11, 21, 21, 31, 41, 51].map((from) => ids(from, from + 9)));
    // For a while nothing more is sent ahead.
    const ahead = rig.hub.requests('events').filter(({ request }) => request.cursor.held !== undefined);
    expect(ahead.filter((one) => one.positions[0] === 21)).toHaveLength(1);
    expect(rig.hub.kept.events).toEqual(ids(1, 60));
    expect([rig.store.epoch(), rig.sender.channels.events.attempts.failures]).toEqual([epoch, 0]);
    expect(rig.sender.link.state).toBe('up');
    expect(rig.parked.list({}, 10)).toEqual([]);
    expect(await rig.alarm('uplink_hub_lost_data')).toBeUndefined();
  });

  test.each<[string, Scripted]>([
    ['503', { status: 503, body: { error: 'uplink_full' } }],
    ['a cut after it was stored', { cut: 'before', store: true }],
    ['a cut', { cut: 'before' }],
  ])('when the first is answered %s, both go again', async (_name, answer) => {
    await rig.events(60);
    let firsts = 0;
    await drain((received) => {
      if (!is(received, 11)) return null;
      firsts += 1;
      return firsts === 1 ? answer : null;
    });
    rig.clock.advance(10_000);
    await rig.drain();
    expect(rig.hub.kept.events).toEqual(ids(1, 60));
    expect(rig.cursor('events')).toBe(60);
    expect(rig.parked.list({}, 10)).toEqual([]);
  });

  test('what is refused is found out one batch at a time', async () => {
    await rig.events(40);
    let most = 0;
    let under = 0;
    rig.hub.script = async ({ positions }) => {
      under += 1;
      most = Math.max(most, positions.includes(17) ? under : 0);
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      return positions.includes(17) ? { status: 400, body: { error: 'poison', message: 'no' } } : null;
    };
    await rig.round();
    for (let rounds = 0; rounds < 5; rounds += 1) await rig.drain();
    expect(rig.hub.kept.events).toEqual(ids(1, 40).filter((id) => id !== 17));
    expect(rig.parked.list({}, 10)).toMatchObject([{ originId: 17, error: 'poison' }]);
  });

  test('a sender that is stopped gives up both', async () => {
    await rig.events(40);
    rig.hub.script = (received) => (is(received, 1) ? null : new Promise(() => undefined));
    await rig.round();
    rig.sender.start();
    await rig.hub.until((received) => received.some((one) => is(one, 21)));
    await rig.sender.stop();
    expect(rig.cursor('events')).toBe(10);
  });
});

test('over a link that breaks everything arrives once and in order', { timeout: 120_000 }, async () => {
  let link: Link | null = null;
  const pair = await openPair(['acme'], { batch: 20 }, async (hub) => {
    link = new Link(Number(new URL(hub).port), seededRandom(7));
    await link.listen();
    return link.url;
  });
  const { rig } = pair;
  const way = link as unknown as Link;
  try {
    await rig.drain();
    way.up({ breaksWithin: 6_000 });
    await rig.events(EVENTS);
    for (let tries = 0; rig.cursor('events') < EVENTS && tries < 500; tries += 1) {
      rig.clock.advance(LATER_MS);
      pair.clock.advance(LATER_MS);
      await rig.drain();
    }
    expect(rig.cursor('events')).toBe(EVENTS);
    const held = await pair.hub.store.events.page(0, EVENTS + 1);
    expect(held.map(({ idempotencyKey }) => idempotencyKey)).toEqual(range(EVENTS, (index) => `e${index}`));
    expect(way.counts.broken).toBeGreaterThan(3);
    expect(rig.parked.list({}, 10)).toEqual([]);
    for (const key of ['uplink_hub_lost_data', 'store_restored', 'uplink_hub_epoch_changed'])
      expect(await rig.alarm(key)).toBeUndefined();
    expect((await pair.call('GET', '/api/core/alarms')).body).toMatchObject({ items: [] });
  } finally {
    await pair.close();
    await way.close();
  }
});
