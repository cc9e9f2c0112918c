// What a caller sends is bounded before work is done on it, in both programs: bytes, members, depth, faults
// told, and the sum of all bodies.
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { rawExchange } from '../support/raw.ts';
import { type Answer, expectStatus, jsonOf, request, until } from '../support/request.ts';

const MIB = 1024 * 1024;
const EVENTS = '/api/core/events';
const LOGIN = '/api/core/session/login';
const EVENT = '"type":"vehicle.intrusion"';

interface Here {
  url: string;
  call: Call;
  node: SigningKey;
}

interface Refusal {
  error: string;
  message: string;
  details: { path: string; message: string }[];
}

let scene: Scene;
const programs = new Map<string, Here>();
let siteKey: SigningKey;

beforeAll(async () => {
  scene = new Scene();
  const { site, call, node } = await startSiteHere(scene);
  programs.set('site', { url: site.url, call, node: await node('gate') });
  const hub = await startHubHere(scene);
  const made = await hub.call('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'gate' });
  programs.set('hub', {
    url: hub.hub.url,
    call: hub.call,
    node: jsonOf<SigningKey>(expectStatus(made, 201)),
  });
  siteKey = jsonOf<SigningKey>(
    expectStatus(await hub.call('POST', '/api/core/sites', { instance: 'site-1', tenants: ['acme'] }), 201),
  );
});
afterAll(() => scene.close());

const names = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"z${index}":1`).join(',');
const brackets = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const listOf = (count: number, entry: string): string =>
  `[${Array.from({ length: count }, () => entry).join(',')}]`;

describe.each(['site', 'hub'])('the %s', (name) => {
  let here: Here;
  beforeAll(() => {
    here = programs.get(name) as Here;
  });

  const json = (path: string, body: string): Promise<Answer> =>
    request({ url: here.url, method: 'POST', path, body, headers: { 'content-type': 'application/json' } });
  const post = (body: string): Promise<Answer> =>
    request({
      url: here.url,
      method: 'POST',
      path: EVENTS,
      body,
      headers: {
        'content-type': 'application/json',
        ...signedHeaders(here.node, Date.now(), 'POST', EVENTS, body),
      },
    });

  test('refuses an event of 400,000 unknown members, and counts 10,000 of which it names 50', async () => {
    expect(
      jsonOf<Refusal>(expectStatus(await post(`{"idempotency_key":"a",${EVENT},${names(400_000)}}`), 413))
        .error,
    ).toBe('body_too_large');
    const answer = expectStatus(await post(`{"idempotency_key":"a",${EVENT},${names(10_000)}}`), 201);
    const { ignored, ignoredMore } = jsonOf<{ ignored: string[]; ignoredMore: number }>(answer);
    expect([ignored.length, ignored[0], ignoredMore, answer.text.length < 2_000]).toEqual([
      50,
      'z0',
      9_950,
      true,
    ]);
  });

  test('names 50 faults of a login and counts the others', async () => {
    const answer = expectStatus(await json(LOGIN, `{${names(1_200)}}`), 400);
    const { details } = jsonOf<Refusal>(answer);
    expect(details).toHaveLength(51);
    expect(details[50]?.message).toMatch(/^and 1\d\d\d more$/);
    expect(answer.text.length).toBeLessThan(8_000);
  });

  test.each([
    ['a login of 80,000 members', 413, () => json(LOGIN, `{${names(80_000)}}`)],
    ['a login above 16 KiB', 413, () => json(LOGIN, `{"admin_key":"${'x'.repeat(16 * 1024)}"}`)],
    ['a login of 16 KiB of brackets', 400, () => json(LOGIN, brackets(8_000))],
    ['an event of brackets', 400, () => post(`{"idempotency_key":"a",${EVENT},"zz":${brackets(3_000_000)}}`)],
    ['a batch of 300,000 members', 413, () => post(`{"events":${listOf(300_000, '1')}}`)],
    ['one event of more than a payload can have', 413, () => post(`{"events":[${listOf(50_000, '1')}]}`)],
    [
      'a text of more than 1 MiB',
      413,
      () => post(`{"idempotency_key":"a",${EVENT},"title":"${'x'.repeat(MIB)}"}`),
    ],
    [
      'an entry of more than 2 MiB',
      413,
      () =>
        post(
          `{"events":[{"a":"${'x'.repeat(MIB - 9)}","b":"${'x'.repeat(MIB - 9)}","c":"${'x'.repeat(99)}"}]}`,
        ),
    ],
    [
      'a body where none is taken',
      413,
      () => request({ url: here.url, method: 'GET', path: '/healthz', body: 'x'.repeat(5_000) }),
    ],
  ] as [string, number, () => Promise<Answer>][])(
    'refuses %s with few words',
    async (_what, status, send) => {
      const answer = await send();
      expect([answer.status, answer.text.length < 1_000]).toEqual([status, true]);
    },
  );

  test('does not look at the entries of a list that is too long', async () => {
    const { details } = jsonOf<Refusal>(
      expectStatus(await post(`{"idempotency_key":"a",${EVENT},"evidence":${listOf(30_000, '1')}}`), 400),
    );
    expect(details).toMatchObject([
      { path: 'evidence', message: 'must have at most 20 entries; it has 30000' },
    ]);
    const types = expectStatus(
      await here.call('POST', '/api/core/events/subscribe', {
        consumer: 'a',
        event_types: Array.from({ length: 5_000 }, () => 7),
      }),
      400,
    );
    expect(jsonOf<Refusal>(types).details).toMatchObject([
      { path: 'event_types', message: 'must have at most 200 entries; it has 5000' },
    ]);
  });

  test('answers a batch of nothing but faults in less than 64 KiB', async () => {
    const bad = `{"type":7,"kind":7,"judged":{"type":1,"confidence":9},"evidence":${listOf(20, '{"name":"/","size":-1}')}}`;
    const whole = expectStatus(await post(`{"events":${listOf(500, bad)}}`), 400);
    expect([jsonOf<Refusal>(whole).details.length, whole.text.length < 64 * 1024]).toEqual([51, true]);
  });

  test('takes a full batch that is parsed in pieces as if it were parsed at once', async () => {
    const event = (at: number, more = ''): string =>
      `{"idempotency_key":"p${at}",${EVENT},"payload":{"at":${at},"text":"${'中x'.repeat(3_000)}"${more}}}`;
    const batch = (last: string): string =>
      `{"events":[7],"beside":1,"events":[${Array.from({ length: 200 }, (_, at) => event(at)).join(' ,\n')},${last}]}`;
    const { items, ignored } = jsonOf<{ items: { id: number; idempotencyKey: string }[]; ignored: string[] }>(
      expectStatus(await post(batch(event(200, ',"big":12345678901234567890'))), 201),
    );
    expect([items.map((item) => item.idempotencyKey), ignored]).toEqual([
      Array.from({ length: 201 }, (_, at) => `p${at}`),
      ['beside'],
    ]);
    expect((await here.call('GET', `${EVENTS}/${items[200]?.id}`)).text).toContain(
      `"big":12345678901234567890`,
    );
    expect(jsonOf<Refusal>(expectStatus(await post(batch('{"a" 1}')), 400))).toMatchObject({
      error: 'malformed_json',
      message: expect.stringContaining('entries of "events"') as string,
    });
    expect(jsonOf<Refusal>(expectStatus(await post(batch('{"a":"\\u0000"}')), 400)).details).toMatchObject([
      { path: 'events.200.a', message: 'must be well-formed Unicode without NUL' },
    ]);
    expect(jsonOf<Refusal>(expectStatus(await post(batch(`${event(1)},`)), 400)).error).toBe(
      'malformed_json',
    );
    expect(jsonOf<Refusal>(expectStatus(await post(batch('1').slice(0, -2)), 400)).error).toBe(
      'malformed_json',
    );
  });

  test(
    'holds bodies of strangers up to a sum, refuses those beyond before they are read, and lets those in ' +
      'who proved who they are',
    async () => {
      // As many as one address may have, less than one more.
      const count = name === 'site' ? 1 : 17;
      const [size, sent] = [7 * MIB, 5.5 * MIB];
      const claim = {
        'x-core-key': here.node.keyId,
        'x-core-timestamp': String(Math.floor(Date.now() / 1000)),
        'x-core-signature': `v1=${'0'.repeat(64)}`,
      };
      const head = `POST ${EVENTS} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n${Object.entries(
        claim,
      )
        .map(([key, value]) => `${key}: ${value}\r\n`)
        .join('')}\r\n`;
      const slow = Array.from({ length: count }, () => {
        const socket = net.connect(Number(new URL(here.url).port), '127.0.0.1');
        socket.on('error', () => socket.destroy());
        socket.write(head);
        socket.write(Buffer.alloc(sent, 0x20));
        return socket;
      });
      try {
        await until('the bodies are held', async () => (await heldBytes()) === count * sent);
        const refused = await rawExchange(here.url, head, false);
        expect(refused).toMatchObject({ status: 503, body: { error: 'overloaded' } });
        expectStatus(
          await here.call('POST', '/api/core/events/subscribe', { consumer: `held-${name}` }),
          201,
        );
        expectStatus(await post(`{"idempotency_key":"meanwhile",${EVENT}}`), 201);
      } finally {
        for (const socket of slow) socket.destroy();
      }
      await until('they are given back', async () => (await heldBytes()) === 0);
      expectStatus(await post(`{"idempotency_key":"later",${EVENT}}`), 201);
      expect(await figure('fieldline_bodies_refused_total')).toBeGreaterThan(0);
    },
  );

  const figure = async (which: string): Promise<number> =>
    Number(new RegExp(`^${which} (\\S+)$`, 'm').exec((await here.call('GET', '/metrics')).text)?.[1]);
  const heldBytes = (): Promise<number> => figure('fieldline_bodies_held_bytes');

  test.each([
    ['GET', '/healthz', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/api/core/version', 200],
    ['GET', '/metrics', name === 'site' ? 200 : 401],
    ['GET', '/no/such', 404],
    ['PUT', '/healthz', 405],
    ['OPTIONS', '/healthz', 200],
    ['BREW', '/healthz', 400],
    ['GET', '/api/core/events/list', 401],
    ['POST', LOGIN, 415],
  ])('lets nobody keep or guess at what it answers to %s %s', async (method, path, status) => {
    const answer = method === 'BREW' ? null : await request({ url: here.url, method, path });
    const headers = answer
      ? answer.headers
      : await rawHeaders(here.url, `${method} ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    if (answer) expect(answer.status).toBe(status);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  test('tells its release and its name to those alone who have credentials', async () => {
    const bare = jsonOf<object>(await request({ url: here.url, method: 'GET', path: '/api/core/version' }));
    expect(Object.keys(bare).sort()).toEqual(['kbQueryEmbed', 'protocol', 'role', 'service']);
    expect(jsonOf<object>(await here.call('GET', '/api/core/version'))).toMatchObject({
      version: expect.any(String) as string,
      instance: expect.any(String) as string,
      epoch: expect.any(String) as string,
    });
    const signed = await request({
      url: here.url,
      method: 'GET',
      path: '/api/core/version',
      headers: signedHeaders(here.node, Date.now(), 'GET', '/api/core/version', ''),
    });
    expect(jsonOf<object>(signed)).toHaveProperty('commit');
    expectStatus(
      await request({
        url: here.url,
        method: 'GET',
        path: '/api/core/version',
        headers: { 'x-admin-key': 'wrong' },
      }),
      401,
    );
  });
});

/** Headers of the answer to bytes that no client would send. */
function rawHeaders(url: string, bytes: string): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('error', reject);
    socket.on('data', (part) => (text += part.toString('latin1')));
    socket.on('close', () => {
      const lines = (text.split('\r\n\r\n')[0] ?? '')
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(': ') as [string, string]);
      resolve(Object.fromEntries(lines.map(([name, value]) => [name.toLowerCase(), value])));
    });
    socket.write(bytes);
  });
}

describe('an uplink', () => {
  const target = '/api/core/uplink/events';
  const batch = (items: string): string =>
    `{"protocol":1,"version":"1","instance":"site-1","epoch":"e","head":9,"oldest":1,"cursor":{"from":0,"to":9},"items":${items}}`;
  const send = (body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
    request({
      url: (programs.get('hub') as Here).url,
      method: 'POST',
      path: target,
      body,
      headers: {
        'content-type': 'application/json',
        ...headers,
        ...signedHeaders(siteKey, Date.now(), 'POST', target, body),
      },
    });

  test('is refused when it unfolds into more than there is room for, or has too many members', async () => {
    expectStatus(await send(gzipSync(Buffer.alloc(64 * MIB, 0x20)), { 'content-encoding': 'gzip' }), 413);
    expectStatus(await send(batch(listOf(500_000, '1'))), 413);
  });

  test('sets an item aside that has a list without end, and takes a compressed batch in pieces', async () => {
    const item = (at: number, doc: string): string =>
      `{"origin_id":${at},"received_at":1,"tenant_code":"acme","idempotency_key":"u${at}",${EVENT},"kind":"alert","source":"video","is_test":false,"doc":${doc}}`;
    const items = [
      item(1, `{"evidence":${listOf(30_000, '1')}}`),
      ...Array.from({ length: 8 }, (_, at) => item(at + 2, `{"payload":{"a":"${'x'.repeat(60_000)}"}}`)),
    ];
    const answer = jsonOf<{ accepted: number; rejected: { originId: number; message: string }[] }>(
      expectStatus(await send(gzipSync(batch(`[${items.join(',')}]`)), { 'content-encoding': 'gzip' }), 200),
    );
    expect(answer).toMatchObject({
      accepted: 8,
      rejected: [{ originId: 1, message: 'doc.evidence: must have at most 20 entries; it has 30000' }],
    });
  });
});

describe('the figures of a site', () => {
  const bare = (headers: Record<string, string> = {}): Promise<Answer> =>
    request({ url: (programs.get('site') as Here).url, method: 'GET', path: '/metrics', headers });

  test('are for this machine, not for whom a proxy on it brings, and not for a wrong key', async () => {
    expectStatus(await bare(), 200);
    expectStatus(await bare({ 'x-forwarded-for': '192.0.2.7' }), 401);
    expectStatus(await bare({ forwarded: 'for=192.0.2.7' }), 401);
    expectStatus(await bare({ 'x-admin-key': 'wrong' }), 401);
  });

  test('are for whom CORE_METRICS_NETWORKS names', async () => {
    const own = new Scene();
    try {
      const { site, call } = await startSiteHere(own, { env: { CORE_METRICS_NETWORKS: 'none' } });
      expectStatus(await request({ url: site.url, method: 'GET', path: '/metrics' }), 401);
      expectStatus(await call('GET', '/metrics'), 200);
    } finally {
      await own.close();
    }
  });
});
