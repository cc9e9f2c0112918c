// The inbox: what headquarters has for a site comes down at once by the call that it holds, once, in order,
// and also where calls cannot be held.
import { afterEach, describe, expect, test } from 'vitest';
import { MAX_HOLD_MS } from '../../../common/uplink/inbox.ts';
import { createHttpClient } from '../../../site/http-client.ts';
import { SECOND } from '../../support/clock.ts';
import { openPair, type Pair } from './pair.ts';
import { openRig, type Rig } from './rig.ts';

const signal = new AbortController().signal;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function pairOf(): Promise<Pair> {
  const pollClient = createHttpClient(null, { maxSockets: 1 });
  const pair = await openPair(['acme'], { pollClient, holdMs: MAX_HOLD_MS });
  closing.push(async () => {
    pollClient.close();
    await pair.close();
  });
  await pair.rig.events(3);
  await pair.drain();
  return pair;
}

const HELD = 'fieldline_uplink_calls_held 1';

/** A call of the site that headquarters holds. */
async function heldCall(pair: Pair): Promise<{ answered: Promise<unknown> }> {
  const answered = pair.rig.sender.poll.round(signal);
  const held = async (): Promise<boolean> => {
    const { text } = await metrics(pair.hub.url);
    return text.includes(HELD);
  };
  while (!(await held())) await pair.call('GET', '/api/core/uplink/states');
  return { answered };
}

async function metrics(url: string): Promise<{ text: string }> {
  const answer = await fetch(`${url}/metrics`, {
    headers: { 'x-admin-key': 'fla_key-of-this-one-test-for-its-hub' },
  });
  return { text: await answer.text() };
}

describe('at headquarters', () => {
  test('a verdict answers the held call, and is told once until something else waits', async () => {
    const pair = await pairOf();
    const { rig } = pair;
    const first = await heldCall(pair);
    await pair.call('POST', '/api/core/events/2/verdict', { verdict: 'confirmed', by: 'duty' });
    await first.answered;
    await rig.sender.inbox.round(signal);
    expect(await rig.store.events.get(2)).toMatchObject({ verdict: 'confirmed' });
    expect(rig.sender.link.held).toBe(true);
    // The site has not sent its answer yet: the same decision waits, and does not answer the next call.
    const second = await heldCall(pair);
    await pair.call('POST', '/api/core/events/3/verdict', {
      verdict: 'false_alarm',
      by: 'duty',
      note: 'a dog',
    });
    await second.answered;
    await rig.sender.inbox.round(signal);
    expect(await rig.store.events.get(3)).toMatchObject({ verdict: 'false_alarm' });
    await rig.drain();
    expect(await pair.call('GET', '/api/core/uplink/status')).toMatchObject({
      body: { sites: [{ decisions: { waiting: 0 } }] },
    });
  });

  test('a call whose caller went away holds nothing any more', async () => {
    const pair = await pairOf();
    const broken = new AbortController();
    const answered = pair.rig.sender.poll.round(broken.signal);
    const reads = async (line: string): Promise<boolean> =>
      (await metrics(pair.hub.url)).text.includes(`${line}\n`);
    while (!(await reads(HELD))) await pair.call('GET', '/api/core/uplink/states');
    broken.abort();
    await answered;
    while (!(await reads('fieldline_uplink_calls_held 0'))) await pair.call('GET', '/api/core/uplink/states');
    expect(await reads('fieldline_bodies_held_bytes 0')).toBe(true);
  });

  test('a site whose call is held counts as heard, and what it sends meanwhile waits for nothing', async () => {
    const pair = await pairOf();
    const { rig, clock } = pair;
    clock.advance(100 * SECOND);
    rig.clock.advance(100 * SECOND);
    const held = await heldCall(pair);
    expect(await pair.call('GET', '/api/core/uplink/states')).toMatchObject({
      body: { items: [{ instance: 'site-1', state: 'current' }] },
    });
    await rig.events(1, 'meanwhile');
    await pair.drain();
    expect(rig.cursor('events')).toBe(4);
    await pair.call('POST', '/api/core/events/1/verdict', { verdict: 'confirmed', by: 'duty' });
    await held.answered;
  });

  test('a call of a key that was withdrawn is refused', async () => {
    const pair = await pairOf();
    const { rig } = pair;
    await heldCall(pair).then(async ({ answered }) => {
      await pair.call('POST', '/api/core/events/1/verdict', { verdict: 'confirmed', by: 'duty' });
      await answered;
    });
    expect(rig.sender.link.held).toBe(true);
    // While it is held, and then before it is made.
    const { answered } = await heldCall(pair);
    const { body } = await pair.call('GET', '/api/core/sites');
    const [site] = body['items'] as { keys: { keyId: string }[] }[];
    await pair.call('DELETE', `/api/core/sites/site-1/keys/${site?.keys[0]?.keyId}`);
    await pair.call('POST', '/api/core/events/3/verdict', { verdict: 'confirmed', by: 'duty' });
    await answered;
    expect(rig.sender.link.held).toBe(false);
    expect(await rig.store.events.get(3)).toMatchObject({ verdict: null });
    rig.clock.advance(60 * SECOND);
    await rig.sender.poll.round(signal);
    expect(rig.sender.link.held).toBe(false);
  });

  test('a hub that stops answers the calls that it holds, and ends at once', async () => {
    const pair = await pairOf();
    const { answered } = await heldCall(pair);
    const stopped = pair.hub.stop();
    await answered;
    expect(pair.rig.sender.link.held).toBe(true);
    await stopped;
  });
});

describe('at the site', () => {
  const rigOf = async (): Promise<Rig> => {
    const pollClient = createHttpClient(null, { maxSockets: 1 });
    const rig = await openRig({ pollClient, holdMs: MAX_HOLD_MS });
    closing.push(async () => {
      pollClient.close();
      await rig.close();
    });
    await rig.drain();
    return rig;
  };
  const nothing = { protocol: 1, epoch: 'hub-1', items: [], through: 0, waiting: {}, held: true };

  test('headquarters is not asked while the link is down', async () => {
    const rig = await rigOf();
    const before = rig.hub.polls;
    rig.sender.link.state = 'down';
    await rig.sender.poll.round(signal);
    expect(rig.hub.polls).toBe(before);
  });

  test('while it works the channel of events calls once a minute, and at once when it breaks', async () => {
    const rig = await rigOf();
    rig.hub.polled = () => Promise.resolve(nothing);
    await rig.sender.poll.round(signal);
    const before = rig.hub.requests('events').length;
    rig.clock.advance(30 * SECOND);
    await rig.drain();
    expect(rig.hub.requests('events')).toHaveLength(before);
    rig.clock.advance(31 * SECOND);
    await rig.drain();
    expect(rig.hub.requests('events')).toHaveLength(before + 1);
    rig.hub.polled = () => Promise.resolve(null);
    await rig.sender.poll.round(signal);
    expect(rig.sender.link.held).toBe(false);
    await rig.drain();
    expect(rig.hub.requests('events')).toHaveLength(before + 2);
  });

  test('where something cuts held calls off, shorter ones are tried, with growing pauses', async () => {
    const rig = await rigOf();
    const holds: unknown[] = [];
    rig.hub.polled = (body) => {
      holds.push(body['hold_ms']);
      return Promise.resolve(null);
    };
    for (let tries = 0; tries < 6; tries += 1) {
      rig.clock.advance(60 * SECOND);
      await rig.drain();
      await rig.sender.poll.round(signal);
    }
    expect(holds).toEqual([20_000, 10_000, 5_000, 5_000, 5_000, 5_000]);
    await rig.sender.poll.round(signal);
    expect(holds).toHaveLength(6);
  });

  test('another epoch of headquarters has all positions compared', async () => {
    const rig = await rigOf();
    rig.hub.polled = () => Promise.resolve(nothing);
    await rig.sender.poll.round(signal);
    rig.hub.epoch = 'hub-2';
    rig.hub.polled = () => Promise.resolve({ ...nothing, epoch: 'hub-2' });
    await rig.sender.poll.round(signal);
    await rig.drain();
    expect(await rig.alarm('uplink_hub_epoch_changed')).toBeDefined();
  });

  test('a wanted file that is not understood stays on the disk, is counted and told of', async () => {
    const rig = await rigOf();
    await rig.sender.inbox.take({
      ...nothing,
      features: [],
      items: [{ no: 1, kind: 'want', id: 'w-1', body: { want_id: 'w-1', kind: 'as a film' } }],
      epoch: 'hub-1',
      through: 1,
      waiting: {},
    });
    for (let tries = 0; tries < 5; tries += 1) {
      await rig.sender.inbox.round(signal);
      rig.clock.advance(120 * SECOND);
    }
    expect(rig.store.inbox.count('want')).toMatchObject({ waiting: 1, failing: 1 });
    expect(await rig.alarm('uplink_inbox_failing')).toMatchObject({
      clearedAt: null,
      message: expect.stringContaining('a wanted file is not understood') as string,
    });
  });
});
