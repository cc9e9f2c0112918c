// Push to real HTTP consumers, over both stores. Time is the test's.
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../common/clock.ts';
import { Watermark } from '../../common/core/event/watermark.ts';
import { createPost } from '../../common/core/push/post.ts';
import { PushSender } from '../../common/core/push/sender.ts';
import type { Stores } from '../../common/core/stores.ts';
import type { SubscriptionFilters } from '../../common/core/subscription/port.ts';
import { type Networks, outerNetworks, parseNetworks } from '../../common/http/outbound/address.ts';
import type { HttpClient } from '../../common/http/outbound/client.ts';
import { signatureMatches } from '../../common/http/signing/signature.ts';
import { silentLogger } from '../../common/log.ts';
import { SealedVault } from '../../common/secret/secret.ts';
import { createHttpClient } from '../../hq/http-client.ts';
import type { MakeHarness, StoreHarness } from '../contract/harness.ts';
import { docOf, filters, newEvent, range } from '../contract/samples.ts';
import { SECOND, TestClock } from '../support/clock.ts';
import { type Heard, HttpPeer } from '../support/http-peer.ts';
import { hubHarness } from '../support/hub-harness.ts';
import { until } from '../support/request.ts';
import { giveSecret, secretResolver } from '../support/secret-resolver.ts';
import { siteHarness } from '../support/site-harness.ts';

const KEY = Buffer.alloc(32, 7);
const LOOPBACK = outerNetworks(parseNetworks(['127.0.0.0/8']));

interface Body {
  consumer: string;
  items: { id: number; isTest: boolean }[];
  nextCursor: number;
  hasMore: boolean;
  epoch: string;
}
const bodyOf = (heard: Heard): Body => JSON.parse(heard.body.toString('utf8')) as Body;
const idsOf = (peer: HttpPeer): number[] =>
  peer.heard.flatMap((heard) => bodyOf(heard).items.map(({ id }) => id));

describe('site', () => pushing(siteHarness));
describe('headquarters', () => {
  pushing(hubHarness);
  twoProcesses();
});

function senderOn(
  stores: Stores,
  clock: Clock,
  clients: HttpClient[],
  networks: Networks = LOOPBACK,
): PushSender {
  const client = createHttpClient(networks);
  clients.push(client);
  const post = createPost({
    client,
    secretResolver: secretResolver(stores),
    clock,
    log: silentLogger(),
    epoch: () => stores.epoch(),
    self: 'here',
  });
  return new PushSender({
    ...stores,
    watermark: new Watermark(),
    post,
    vault: new SealedVault(KEY),
    clock,
    log: silentLogger(),
    self: 'here',
    random: () => 0.5,
  });
}

function pushing(make: MakeHarness): void {
  let harness: StoreHarness;
  let stores: Stores;
  let clock: TestClock;
  let peer: HttpPeer;
  let sender: PushSender;
  const clients: HttpClient[] = [];
  const peers: HttpPeer[] = [];

  beforeEach(async () => {
    harness = make();
    clock = new TestClock();
    stores = await harness.open(clock);
    peer = await open();
    sender = senderOn(stores, clock, clients);
  });
  afterEach(async () => {
    for (const one of peers.splice(0)) await one.close();
    await sender.stop();
    for (const client of clients.splice(0)) client.close();
    await harness.close();
  });

  const open = async (): Promise<HttpPeer> => {
    const one = await new HttpPeer().open();
    peers.push(one);
    return one;
  };
  const register = (over: Partial<SubscriptionFilters> = {}, consumer = 'c') =>
    stores.subscriptions.register(
      consumer,
      filters({ pushUrl: `${peer.url}/in?x=1`, ...over }),
      0,
      clock.now(),
      'admin',
    );
  const fill = async (
    count: number,
    over: (index: number) => object = () => ({}),
    from = 0,
  ): Promise<void> => {
    await stores.events.ingest(
      range(count, (i) => newEvent(`k${from + i}`, over(i))),
      clock.now(),
    );
  };
  const round = async (): Promise<void> => {
    clock.advance(3 * SECOND);
    await sender.round();
    await sender.settled();
  };
  const state = async (consumer = 'c') =>
    (await stores.push.states()).find((one) => one.consumer === consumer);
  const position = async (consumer = 'c') => (await stores.subscriptions.get(consumer))?.pushCursor;

  test('a round brings at most 100 matching events, never a test event, and moves only the push position', async () => {
    await fill(260, (i) => ({
      isTest: i % 5 === 0,
      type: i % 2 === 0 ? 'vehicle.intrusion' : 'person.fall',
    }));
    await register({ eventTypes: ['vehicle.*'] });
    await round();
    await round();
    await round();
    const wanted = range(260, (i) => i)
      .filter((i) => i % 5 !== 0 && i % 2 === 0)
      .map((i) => i + 1);
    expect(peer.heard.map((heard) => bodyOf(heard).items.length)).toEqual([100, 4]);
    expect(idsOf(peer)).toEqual(wanted);
    const [first] = peer.heard;
    expect(first && bodyOf(first)).toMatchObject({
      consumer: 'c',
      hasMore: true,
      nextCursor: wanted[99],
      epoch: stores.epoch(),
    });
    expect(first?.headers).toMatchObject({ 'x-service-consumer': 'c', 'content-type': 'application/json' });
    expect(first?.headers['x-core-signature']).toBeUndefined();
    expect(await stores.subscriptions.get('c')).toMatchObject({ cursor: 0, pushCursor: 260 });
    expect(await state()).toMatchObject({ failures: 0, lastError: null });
  });

  test('an event that may still be committing waits for the watermark', async () => {
    await register();
    await fill(1);
    clock.advance(1_999);
    await sender.round();
    await sender.settled();
    expect(peer.heard).toEqual([]);
    await round();
    expect(idsOf(peer)).toEqual([1]);
  });

  test('is signed as intake is, with the consumer as key; without its secret it does not go out', async () => {
    await fill(1);
    await giveSecret(stores, 'push', 'shh', { use: 'push', tenantCode: null, host: new URL(peer.url).host });
    await register({ secretRef: 'push' });
    await round();
    const [heard] = peer.heard;
    const parts = {
      timestamp: Number(heard?.headers['x-core-timestamp']),
      method: 'POST',
      target: '/in?x=1',
      body: heard?.body ?? '',
    };
    expect(heard?.headers['x-core-key']).toBe('c');
    expect(parts.timestamp).toBe(Math.floor(clock.now() / 1000));
    expect(signatureMatches(['shh'], parts, String(heard?.headers['x-core-signature']))).toBe(true);
    await fill(1, undefined, 10);
    await register({ secretRef: 'gone' });
    await round();
    expect(peer.heard).toHaveLength(1);
    expect(await state()).toMatchObject({
      failures: 1,
      lastError: 'the push cannot be signed: the secret cannot be used; the log of the program says why',
    });
    expect(await position()).toBe(1);
  });

  test.each<[string, () => { status?: number; headers?: Record<string, string>; body?: string }, RegExp]>([
    ['a refusal', () => ({ status: 503 }), /answered 503/],
    [
      'a redirect',
      () => ({ status: 307, headers: { location: '/elsewhere' } }),
      /307; redirects are not followed/,
    ],
    ['an oversized refusal', () => ({ status: 500, body: 'x'.repeat(2 * 1024 * 1024) }), /larger than/],
  ])('%s leaves the position and is shown', async (_, respond, error) => {
    await fill(3);
    await register();
    peer.respond = respond;
    await round();
    expect(peer.heard).toHaveLength(1);
    expect(await position()).toBe(0);
    expect(await state()).toMatchObject({
      failures: 1,
      lastError: expect.stringMatching(error),
      lastSuccessAt: null,
      nextAt: clock.now() + 3_000,
    });
  });

  test('the backoff doubles to 600 s and no further, never gives up, and ends with a success', async () => {
    await fill(1);
    await register();
    peer.respond = () => ({ status: 500 });
    const waits: number[] = [];
    clock.advance(3 * SECOND);
    for (const index of range(10, (i) => i)) {
      await sender.round();
      await sender.settled();
      const wait = ((await state())?.nextAt ?? 0) - clock.now();
      waits.push(wait);
      clock.advance(wait - 1);
      await sender.round();
      await sender.settled();
      expect(peer.heard).toHaveLength(index + 1);
      clock.advance(1);
    }
    expect(waits).toEqual([3, 6, 12, 24, 48, 96, 192, 384, 600, 600].map((s) => s * SECOND));
    expect(await stores.alarms.list({ tenantCode: null, includeCleared: false }, 10)).toMatchObject([
      { key: 'push_failing:c' },
    ]);
    peer.respond = () => ({});
    await round();
    expect(await state()).toMatchObject({ failures: 0, lastError: null });
    expect(await position()).toBe(1);
    expect(await stores.alarms.list({ tenantCode: null, includeCleared: false }, 10)).toEqual([]);
  });

  test('a new address ends the backoff and goes on from the position', async () => {
    await fill(150);
    await register();
    await round();
    peer.respond = () => ({ status: 500 });
    await round();
    const other = await open();
    await register({ pushUrl: other.url });
    await round();
    expect(idsOf(other)).toEqual(range(50, (i) => 101 + i));
  });

  test('a consumer that does not answer delays nobody, and is not pushed to twice', async () => {
    await fill(1);
    const slow = await open();
    let release: () => void = () => undefined;
    slow.respond = () => new Promise((resolve) => (release = () => resolve({})));
    await register({ pushUrl: slow.url }, 'a-slow');
    await register();
    clock.advance(3 * SECOND);
    await sender.round();
    await slow.hears(1);
    await until('the other push is settled', async () => (await position()) === 1);
    await fill(1, undefined, 10);
    clock.advance(3 * SECOND);
    await sender.round();
    await peer.hears(2);
    expect(slow.heard).toHaveLength(1);
    release();
    await sender.settled();
    expect([await position('a-slow'), await position()]).toEqual([1, 2]);
  });

  test('a stop breaks a push off; it counts as no failure and is made again', async () => {
    await fill(2);
    await register();
    peer.respond = () => null;
    clock.advance(3 * SECOND);
    await sender.round();
    await peer.hears(1);
    await sender.stop();
    expect(await state()).toMatchObject({ failures: 0, lastError: null });
    expect(await position()).toBe(0);
    peer.respond = () => ({});
    sender = senderOn(stores, clock, clients);
    clock.advance(15 * SECOND);
    await round();
    expect(idsOf(peer)).toEqual([1, 2, 1, 2]);
  });

  test.each([
    'http://127.0.0.1:1/',
    'http://localhost:1/',
    'http://[::ffff:169.254.169.254]/latest',
    'http://169.254.169.254/',
  ])('%s is refused at the connection', async (pushUrl) => {
    await fill(1);
    await register({ pushUrl });
    await sender.stop();
    sender = senderOn(stores, clock, clients, outerNetworks(null));
    await round();
    expect(await state()).toMatchObject({
      failures: 1,
      lastError: expect.stringContaining('allow it with CORE_PUSH_NETWORKS'),
    });
  });

  test('disabled or without an address nothing is pushed', async () => {
    await fill(1);
    await register({ enabled: false });
    await register({ pushUrl: null }, 'd');
    await round();
    expect(peer.heard).toEqual([]);
  });

  test('filters that let nothing through cost no write until the position lies far behind', async () => {
    await register({ eventTypes: ['other'] });
    await fill(999);
    await round();
    await round();
    expect(await position()).toBe(0);
    await fill(1, undefined, 2_000);
    await round();
    expect(await position()).toBe(1_000);
    expect(await state()).toMatchObject({ lastSuccessAt: null });
    expect(peer.heard).toEqual([]);
  });

  test('what the receipt asks for is written with the position; what is wrong in it, or too long, is shown', async () => {
    const evidence = [{ name: 'a.jpg', contentType: 'image/jpeg', size: 3, sha256: 'a'.repeat(64) }];
    await fill(2, () => ({ doc: docOf({ evidence }) }));
    await register();
    peer.respond = () => ({
      body: JSON.stringify({
        evidence: [
          { event_id: 2, name: 'a.jpg', put_url: 'http://10.1.1.1/x?sig=1' },
          { event_id: 2, name: '../a', put_url: 'http://10.1.1.1/' },
        ],
      }),
    });
    await round();
    expect(await position()).toBe(2);
    expect(await stores.evidenceJobs.list({ tenantCode: null }, null, 10)).toMatchObject([
      { eventId: 2, name: 'a.jpg', consumer: 'c', state: 'pending' },
    ]);
    expect(await state()).toMatchObject({
      receiptFaults: 1,
      lastReceiptFault: expect.stringContaining('announced no evidence'),
    });
    await fill(1, undefined, 10);
    peer.respond = () => ({ body: 'x'.repeat(2 * 1024 * 1024) });
    await round();
    expect(await position()).toBe(3);
    expect(await state()).toMatchObject({
      failures: 0,
      receiptFaults: 2,
      lastReceiptFault: expect.stringContaining('too large'),
    });
  });

  test('under intake that goes on, every event comes once and in order', async () => {
    await register();
    const intake = (async () => {
      for (const i of range(40, (index) => index)) await fill(7, undefined, i * 10);
    })();
    let done = false;
    const ended = intake.then(() => (done = true));
    while (!done) {
      await round();
      // A round that finds nothing takes no turn of the event loop, which the intake needs.
      await turn();
    }
    await ended;
    for (let more = 0; more < 4; more += 1) await round();
    expect(idsOf(peer)).toEqual(range(280, (i) => i + 1));
    expect(await position()).toBe(280);
  });
}

function twoProcesses(): void {
  test('of two processes one pushes a batch', async () => {
    const harness = hubHarness();
    const clocks = [new TestClock(), new TestClock(undefined, 1)] as const;
    const clients: HttpClient[] = [];
    const stores = [await harness.open(clocks[0]), await harness.peer(clocks[1])] as const;
    const peer = await new HttpPeer().open();
    const senders = stores.map((one, i) => senderOn(one, clocks[i] ?? clocks[0], clients));
    try {
      for (const i of range(20, (index) => index))
        await stores[0].subscriptions.register(
          `c${i}`,
          filters({ pushUrl: peer.url }),
          0,
          clocks[0].now(),
          'admin',
        );
      await stores[0].events.ingest(
        range(250, (i) => newEvent(`k${i}`)),
        clocks[0].now(),
      );
      for (let rounds = 0; rounds < 8; rounds += 1) {
        for (const clock of clocks) clock.advance(3 * SECOND);
        await Promise.all(
          senders.map(async (sender) => {
            await sender.round();
            await sender.settled();
          }),
        );
      }
      const byConsumer = Map.groupBy(peer.heard, (heard) => bodyOf(heard).consumer);
      expect(byConsumer.size).toBe(20);
      for (const heard of byConsumer.values())
        expect(heard.flatMap((one) => bodyOf(one).items.map(({ id }) => id))).toEqual(
          range(250, (i) => i + 1),
        );
    } finally {
      for (const sender of senders) await sender.stop();
      for (const client of clients) client.close();
      await peer.close();
      await harness.close();
    }
  });
}
