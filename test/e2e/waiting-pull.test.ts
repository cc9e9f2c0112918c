// Pulls that wait until there is something, and streams, at both programs, with the cursors of plain pulls.
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { request as undiciRequest } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';

interface Rig {
  url: string;
  call: Call;
  post: (key: string, type: string) => Promise<number>;
  stop: () => Promise<void>;
}
interface Batch {
  items: { id: number; type: string }[];
  nextCursor: number;
  hasMore: boolean;
  epoch: string;
}

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

const SIDES: Record<'site' | 'hub', () => Promise<Rig>> = {
  site: async () => {
    const { site, call } = await startSiteHere(scene);
    return rigOf(site, call);
  },
  hub: async () => {
    const { hub, call } = await startHubHere(scene);
    return rigOf(hub, call);
  },
};

async function rigOf(program: { url: string; stop: () => Promise<void> }, call: Call): Promise<Rig> {
  const camera = { tenant_code: 'acme', name: 'gate' };
  const key = jsonOf<SigningKey>(expectStatus(await call('POST', '/api/core/nodes', camera), 201));
  const { url } = program;
  const post = async (name: string, type: string): Promise<number> => {
    const body = JSON.stringify({ idempotency_key: name, type });
    const answer = await signedCall({ url, key, method: 'POST', path: '/api/core/events', body });
    return jsonOf<{ items: { id: number }[] }>(expectStatus(answer, 201)).items[0]?.id ?? 0;
  };
  return { url, call, post, stop: () => program.stop() };
}

/** A consumer that sees intrusions of its tenant alone, with its key. */
async function consumer({ call }: Rig, name: string): Promise<SigningKey> {
  const wanted = { consumer: name, tenant_code: 'acme', event_types: ['zone.*'] };
  expectStatus(await call('POST', '/api/core/events/subscribe', wanted), 201);
  const path = `/api/core/consumers/${name}/keys`;
  return jsonOf<SigningKey>(expectStatus(await call('POST', path, { scopes: ['events.pull'] }), 201));
}

const pull = async ({ url }: Rig, key: SigningKey, query: string): Promise<Batch> =>
  jsonOf<Batch>(
    expectStatus(await signedCall({ url, key, method: 'GET', path: `/api/core/events/since?${query}` }), 200),
  );

const waiting = async ({ call }: Rig): Promise<number> => {
  const { text } = await call('GET', '/metrics');
  return Number(/^fieldline_pulls_waiting\S* (\d+)$/m.exec(text)?.[1]);
};
const untilWaiting = (rig: Rig, count: number): Promise<true> =>
  until(`${count} calls wait`, async () => (await waiting(rig)) === count);

interface Message {
  event: string;
  id: string;
  data: unknown;
}

/** The messages of a stream, one after another. */
class Listener {
  readonly body: Readable;
  #text = '';

  constructor(body: Readable) {
    this.body = body;
    body.setEncoding('utf8').on('data', (part: string) => (this.#text += part));
    // Whether it breaks off is for the test to say.
    body.on('error', () => undefined);
  }

  static async open({ url }: Rig, key: SigningKey, query: string, headers = {}): Promise<Listener> {
    const path = `/api/core/events/stream?${query}`;
    const answer = await undiciRequest(`${url}${path}`, {
      headers: { ...signedHeaders(key, Date.now(), 'GET', path, ''), ...headers },
      bodyTimeout: 0,
    });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    return new Listener(answer.body);
  }

  messages(): Message[] {
    return this.#text
      .split('\n\n')
      .slice(0, -1)
      .filter((one) => one.includes('data: '))
      .map((one) => {
        const of = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(one)?.[1] ?? '';
        return { event: of('event'), id: of('id'), data: JSON.parse(of('data')) as unknown };
      });
  }

  events(): string[] {
    return this.messages()
      .filter(({ event }) => event === 'batch')
      .flatMap(({ data }) => (data as Batch).items.map(({ type }) => type));
  }
}

describe.each(Object.keys(SIDES) as (keyof typeof SIDES)[])('%s', (side) => {
  test('a pull waits for an event that is for it, and past those that are not', async () => {
    const rig = await SIDES[side]();
    const key = await consumer(rig, 'analyst');
    const answer = pull(rig, key, 'consumer=analyst&wait=60');
    await untilWaiting(rig, 1);
    await rig.post('a', 'vehicle.parked');
    const wanted = await rig.post('b', 'zone.intrusion');
    const { items, nextCursor, hasMore } = await answer;
    expect(items.map(({ id, type }) => [id, type])).toEqual([[wanted, 'zone.intrusion']]);
    expect([nextCursor, hasMore]).toEqual([wanted, false]);
    // Nothing was confirmed: the same comes at once, waiting or not.
    expect((await pull(rig, key, 'consumer=analyst&wait=60')).items).toHaveLength(1);
    await untilWaiting(rig, 0);
  });

  test('a pull that nothing comes for is answered when its time is over, with how far was looked', async () => {
    const rig = await SIDES[side]();
    const key = await consumer(rig, 'analyst');
    const passed = await rig.post('a', 'vehicle.parked');
    const looked = await until('it was looked past', async () => {
      const batch = await pull(rig, key, 'consumer=analyst&wait=1');
      return batch.nextCursor === passed && batch;
    });
    expect(looked).toMatchObject({ items: [], hasMore: false });
  });

  test('what a consumer is registered for meanwhile is not passed over', async () => {
    const rig = await SIDES[side]();
    const key = await consumer(rig, 'analyst');
    const answer = pull(rig, key, 'consumer=analyst&wait=5');
    await untilWaiting(rig, 1);
    const more = { event_types: ['zone.*', 'vehicle.*'] };
    expectStatus(await rig.call('PATCH', '/api/core/subscriptions/analyst', more), 200);
    const wanted = await rig.post('a', 'vehicle.parked');
    const { items, nextCursor } = await answer;
    // On a slow machine the time may be over before; the cursor must not be beyond what was not shown.
    expect(items.map(({ id }) => id)).toEqual(nextCursor < wanted ? [] : [wanted]);
  });

  test('who waits too often is refused, and a caller who has gone waits no more', async () => {
    const rig = await SIDES[side]();
    const key = await consumer(rig, 'analyst');
    const path = '/api/core/events/since?consumer=analyst&wait=60';
    const ends = new AbortController();
    const open = Array.from({ length: 4 }, () =>
      undiciRequest(`${rig.url}${path}`, {
        headers: signedHeaders(key, Date.now(), 'GET', path, ''),
        signal: ends.signal,
      }).then(({ body }) => body.text()),
    );
    await untilWaiting(rig, 4);
    const fifth = await signedCall({ url: rig.url, key, method: 'GET', path });
    expect([fifth.status, jsonOf<{ error: string }>(fifth).error]).toEqual([429, 'too_many_waits']);
    expect(fifth.headers['retry-after']).toBe('5');
    ends.abort();
    await Promise.allSettled(open);
    await untilWaiting(rig, 0);
    expect((await pull(rig, key, 'consumer=analyst&wait=1')).items).toEqual([]);
  });

  test('a key that is withdrawn while its call waits hears nothing more', async () => {
    const rig = await SIDES[side]();
    const key = await consumer(rig, 'analyst');
    const listener = await Listener.open(rig, key, 'consumer=analyst');
    const ended = once(listener.body, 'end');
    const answer = pull(rig, key, 'consumer=analyst&wait=60').then(
      () => 'answered',
      () => 'cut off',
    );
    await untilWaiting(rig, 2);
    expectStatus(await rig.call('DELETE', `/api/core/consumer-keys/${key.keyId}`), 200, 204);
    await rig.post('a', 'zone.intrusion');
    expect(await answer).toBe('cut off');
    await ended;
    expect(listener.messages()).toMatchObject([{ event: 'error', data: { error: 'unauthorized' } }]);
  });

  test('a stream brings each batch, moves no cursor, and goes on after what was heard', async () => {
    const rig = await SIDES[side]();
    const key = await consumer(rig, 'analyst');
    const first = await rig.post('a', 'zone.intrusion');
    const listener = await Listener.open(rig, key, 'consumer=analyst');
    await until('the first came', async () => listener.events().length === 1);
    await rig.post('b', 'vehicle.parked');
    const second = await rig.post('c', 'zone.exit');
    await until('the second came', async () => listener.events().length === 2);
    listener.body.destroy();
    const brought = listener.messages().filter(({ data }) => (data as Batch).items.length > 0);
    const ids = brought.map(({ id }) => id);
    const { epoch } = await pull(rig, key, 'consumer=analyst');
    expect(ids).toEqual([`${epoch}.${first}`, `${epoch}.${second}`]);

    const whole = await Listener.open(rig, key, 'consumer=analyst');
    await until('all comes again that was not confirmed', async () => whole.events().length === 2);
    whole.body.destroy();
    const resumed = await Listener.open(rig, key, 'consumer=analyst', { 'last-event-id': ids[0] });
    await until('only the second comes', async () => resumed.events().length === 1);
    expect(resumed.events()).toEqual(['zone.exit']);
    resumed.body.destroy();
    const confirmed = JSON.stringify({ consumer: 'analyst', cursor: second });
    const ack = { url: rig.url, key, method: 'POST', path: '/api/core/events/ack', body: confirmed };
    expectStatus(await signedCall(ack), 200);
    const short = await Listener.open(rig, key, 'consumer=analyst&lasts=1', { 'last-event-id': ids[0] });
    await once(short.body, 'end');
    expect(short.events()).toEqual([]);
    await untilWaiting(rig, 0);
  });

  test('verdicts are waited for as events are, past those of other tenants', async () => {
    const rig = await SIDES[side]();
    const reads = { tenant_code: 'acme', scopes: ['events.read'] };
    const made = await rig.call('POST', '/api/core/consumers/reader/keys', reads);
    const key = jsonOf<SigningKey>(expectStatus(made, 201));
    const path = '/api/core/verdicts/since?cursor=0&wait=60';
    const ask = signedCall({ url: rig.url, key, method: 'GET', path });
    await until('it waits', async () =>
      /^fieldline_verdict_pulls_waiting\S* 1$/m.test((await rig.call('GET', '/metrics')).text),
    );
    const camera = { tenant_code: 'bravo', name: 'gate' };
    const foreign = jsonOf<SigningKey>(expectStatus(await rig.call('POST', '/api/core/nodes', camera), 201));
    const body = JSON.stringify({ idempotency_key: 'x', type: 'zone.exit' });
    const post = { url: rig.url, key: foreign, method: 'POST', path: '/api/core/events', body };
    const theirs = jsonOf<{ items: { id: number }[] }>(expectStatus(await signedCall(post), 201)).items[0]
      ?.id;
    const ours = await rig.post('a', 'zone.intrusion');
    for (const id of [theirs, ours])
      expectStatus(
        await rig.call('POST', `/api/core/events/${id}/verdict`, { verdict: 'confirmed', by: 'li' }),
        200,
      );
    const { items, nextCursor } = jsonOf<{ items: { eventId: number }[]; nextCursor: number }>(
      expectStatus(await ask, 200),
    );
    expect(items.map(({ eventId }) => eventId)).toEqual([ours]);
    const again = `/api/core/verdicts/since?cursor=${nextCursor}&wait=1`;
    const none = await signedCall({ url: rig.url, key, method: 'GET', path: again });
    expect(jsonOf(expectStatus(none, 200))).toMatchObject({ items: [], nextCursor, hasMore: false });
  });

  test('a position that is not of this store is answered before the stream begins', async () => {
    const rig = await SIDES[side]();
    const key = await consumer(rig, 'analyst');
    const path = '/api/core/events/stream?consumer=analyst';
    const ask = async (id: string): Promise<unknown[]> => {
      const headers = { ...signedHeaders(key, Date.now(), 'GET', path, ''), 'last-event-id': id };
      const answer = await request({ url: rig.url, method: 'GET', path, headers });
      return [answer.status, jsonOf<{ error: string }>(answer).error];
    };
    const { epoch } = await pull(rig, key, 'consumer=analyst');
    expect(await ask('17')).toEqual([400, 'validation_failed']);
    expect(await ask('another.1')).toEqual([409, 'cursor_epoch_changed']);
    expect(await ask(`${epoch}.999999`)).toEqual([409, 'cursor_ahead']);
    expect(await waiting(rig)).toBe(0);
  });

  test('a program that stops answers the calls that wait', async () => {
    const rig = await SIDES[side]();
    const key = await consumer(rig, 'analyst');
    const listener = await Listener.open(rig, key, 'consumer=analyst');
    const ended = once(listener.body, 'end');
    const answer = pull(rig, key, 'consumer=analyst&wait=60');
    await untilWaiting(rig, 2);
    await rig.stop();
    expect(await answer).toMatchObject({ items: [], hasMore: false });
    await ended;
    expect(listener.messages()).toEqual([]);
  });
});
