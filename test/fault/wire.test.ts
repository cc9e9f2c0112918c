// Bad input at a site: each kind gets its own answer, nothing of it is stored, and none is the server's
// fault.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signatureOf, signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { ADMIN_KEY, type SiteHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { rawExchange } from '../support/raw.ts';
import { type Answer, expectStatus, jsonOf, request, signedCall } from '../support/request.ts';

const EVENTS = '/api/core/events';
const GOOD = { idempotency_key: 'k', type: 'vehicle.intrusion' };

let scene: Scene;
let here: SiteHere;
let node: SigningKey;
let consumer: SigningKey;

beforeAll(async () => {
  scene = new Scene();
  here = await startSiteHere(scene);
  node = await here.node('gate');
  expectStatus(
    await here.call('POST', '/api/core/events/subscribe', { consumer: 'agent', start_cursor: 0 }),
    201,
  );
  consumer = jsonOf<SigningKey>(
    expectStatus(await here.call('POST', '/api/core/consumers/agent/keys', {}), 201),
  );
  expectStatus(
    await post(
      JSON.stringify({
        events: [
          { ...GOOD, idempotency_key: 'one' },
          { ...GOOD, idempotency_key: 'two' },
        ],
      }),
    ),
    201,
  );
});
afterAll(() => scene.close());

const head = (method: string, path: string, headers: Record<string, string>): string =>
  `${[`${method} ${path} HTTP/1.1`, 'host: site', 'content-type: application/json', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`;

interface PostOptions {
  key?: SigningKey;
  now?: number;
  headers?: Record<string, string>;
  path?: string;
}

/** A signed post of raw text; `headers` replace what is usual. */
function post(
  body: string | Buffer,
  { key = node, now = Date.now(), headers = {}, path = EVENTS }: PostOptions = {},
): Promise<Answer> {
  return request({
    url: here.site.url,
    method: 'POST',
    path,
    body,
    headers: {
      'content-type': 'application/json',
      ...signedHeaders(key, now, 'POST', path, body),
      ...headers,
    },
  });
}

const event = (over: Record<string, unknown>): Promise<Answer> => post(JSON.stringify({ ...GOOD, ...over }));
const admin = (method: string, path: string, body?: unknown): Promise<Answer> =>
  here.call(method, path, body);
const bare = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> =>
  request({ url: here.site.url, method, path, headers, ...(body === undefined ? {} : { body }) });
const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce((inner) => ({ a: inner }), 1);
const inSeconds = (offset: number): number => Date.now() + offset * 1000;

type Row = [name: string, status: number, error: string, send: () => Promise<Answer>];

const BODIES: Row[] = [
  ['malformed JSON', 400, 'malformed_json', () => post('{"a":')],
  ['an empty body', 400, 'malformed_json', () => post('')],
  ['a byte order mark', 400, 'malformed_json', () => post('\uFEFF{}')],
  ['a body that is a list', 400, 'validation_failed', () => post('[]')],
  ['a body that is a number', 400, 'validation_failed', () => post('1')],
  ['a body that is null', 400, 'validation_failed', () => post('null')],
  ['bytes that are no UTF-8', 400, 'malformed_json', () => post(Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
  [
    'another content type',
    415,
    'unsupported_media_type',
    () => post('{}', { headers: { 'content-type': 'text/plain' } }),
  ],
  [
    'a compressed body where none is taken',
    415,
    'unsupported_media_type',
    () => post(Buffer.from('1f8b0800000000000003', 'hex'), { headers: { 'content-encoding': 'gzip' } }),
  ],
  ['deep nesting of lists', 400, 'validation_failed', () => post('['.repeat(100_000) + ']'.repeat(100_000))],
  [
    'deep nesting with an escape',
    400,
    'validation_failed',
    () => post(`{"payload":${'['.repeat(5_000)}"\\u0041"${']'.repeat(5_000)}}`),
  ],
  ['a body over 8 MiB', 413, 'body_too_large', () => post(Buffer.alloc(8 * 1024 * 1024 + 1, 0x20))],
  ['no events', 400, 'validation_failed', () => post('{"events":[]}')],
  ['events that are no list', 400, 'validation_failed', () => post('{"events":{}}')],
  [
    '501 events',
    400,
    'validation_failed',
    () =>
      post(
        JSON.stringify({
          events: Array.from({ length: 501 }, (_, i) => ({ ...GOOD, idempotency_key: `x${i}` })),
        }),
      ),
  ],
  ['a batch of which nothing is good', 400, 'validation_failed', () => post('{"events":[1,null,{}]}')],
];

const FIELDS: Row[] = (
  [
    ['a key that is a number', { idempotency_key: 5 }],
    ['an empty key', { idempotency_key: '' }],
    ['a key of 129 characters', { idempotency_key: 'x'.repeat(129) }],
    ['no type', { type: undefined }],
    ['an undotted type', { type: 'Vehicle Intrusion' }],
    ['an unknown severity', { severity: 'fatal' }],
    ['an unknown kind', { kind: 'rumour' }],
    ['an unknown source', { source: 'radar' }],
    ['a test flag in words', { is_test: 'yes' }],
    ['a time in words', { occurred_at: 'yesterday' }],
    ['a day that is not', { occurred_at: '2026-02-30T00:00:00Z' }],
    ['a time without zone', { occurred_at: '2026-02-03T00:00:00' }],
    ['a payload that is a list', { payload: [] }],
    ['a payload that is null', { payload: null }],
    ['a payload of 64 KiB and 1', { payload: { a: 'x'.repeat(64 * 1024 + 1 - '{"a":""}'.length) } }],
    ['a payload 33 deep', { payload: nested(33) }],
    ['evidence that is no list', { evidence: {} }],
    [
      'evidence twice',
      {
        evidence: [0, 1].map(() => ({
          name: 'a.jpg',
          content_type: 'image/jpeg',
          size: 1,
          sha256: 'a'.repeat(64),
        })),
      },
    ],
    [
      'evidence with a path',
      { evidence: [{ name: '../a', content_type: 'image/jpeg', size: 1, sha256: 'a'.repeat(64) }] },
    ],
    [
      'a size past 2^53',
      { evidence: [{ name: 'a', content_type: 'image/jpeg', size: 2 ** 53, sha256: 'a'.repeat(64) }] },
    ],
    ['a confidence of 2', { judged: { confidence: 2 } }],
    ['a judgement that is null', { judged: null }],
    ['feedback to a file', { feedback_url: 'file:///etc/passwd' }],
    ['feedback with a password', { feedback_url: 'http://a:b@10.0.0.1/' }],
    ['NUL in a title', { title: 'a\u0000b' }],
    ['half a pair', { title: '\ud800' }],
    ['half a pair in a key', { idempotency_key: '\udc00' }],
    ['NUL in a member name', { payload: { 'a\u0000': 1 } }],
    ['a tenant that is a number', { tenant_code: 7 }],
  ] as [string, Record<string, unknown>][]
).map(([name, over]) => [name, 400, 'validation_failed', () => event(over)]);

const CALLERS: Row[] = [
  ['no credentials', 401, 'unauthorized', () => bare('GET', '/api/core/events/list')],
  [
    'a wrong admin key',
    401,
    'unauthorized',
    () => bare('GET', '/api/core/events/list', { 'x-admin-key': 'wrong' }),
  ],
  [
    'an empty admin key',
    401,
    'unauthorized',
    () => bare('GET', '/api/core/events/list', { 'x-admin-key': '' }),
  ],
  ['an unknown key', 401, 'bad_signature', () => post('{}', { key: { keyId: 'nobody', secret: 'x' } })],
  [
    'a wrong secret',
    401,
    'bad_signature',
    () => post(JSON.stringify(GOOD), { key: { ...node, secret: 'x' } }),
  ],
  [
    'a body that was changed',
    401,
    'bad_signature',
    () => post(JSON.stringify(GOOD), { headers: signedHeaders(node, Date.now(), 'POST', EVENTS, '{}') }),
  ],
  [
    'a signature of another path',
    401,
    'bad_signature',
    () => post('{}', { headers: signedHeaders(node, Date.now(), 'POST', '/other', '{}') }),
  ],
  [
    'a signature of another method',
    401,
    'bad_signature',
    () => post('{}', { headers: signedHeaders(node, Date.now(), 'PUT', EVENTS, '{}') }),
  ],
  [
    'a signature in capitals',
    401,
    'bad_signature',
    () =>
      post('{}', {
        headers: {
          'x-core-signature': signatureOf(node.secret, {
            timestamp: Math.floor(Date.now() / 1000),
            method: 'POST',
            target: EVENTS,
            body: '{}',
          }).toUpperCase(),
        },
      }),
  ],
  [
    'no signature',
    401,
    'unauthorized',
    () => bare('POST', EVENTS, { 'x-core-key': node.keyId, 'content-type': 'application/json' }, '{}'),
  ],
  ['a timestamp in words', 401, 'unauthorized', () => post('{}', { headers: { 'x-core-timestamp': 'now' } })],
  ['a stale timestamp', 401, 'clock_skew', () => post(JSON.stringify(GOOD), { now: inSeconds(-302) })],
  ['a timestamp to come', 401, 'clock_skew', () => post(JSON.stringify(GOOD), { now: inSeconds(360) })],
  ["another tenant's event", 403, 'tenant_mismatch', () => event({ tenant_code: 'globex' })],
  ['the admin key for intake', 403, 'forbidden', () => admin('POST', EVENTS, GOOD)],
  ['a consumer key for intake', 403, 'forbidden', () => post(JSON.stringify(GOOD), { key: consumer })],
  [
    'a node key for a pull',
    403,
    'forbidden',
    () =>
      signedCall({
        url: here.site.url,
        key: node,
        method: 'GET',
        path: '/api/core/events/since?consumer=agent',
      }),
  ],
  [
    'a node key for a verdict',
    403,
    'forbidden',
    () => post('{"verdict":"confirmed","by":"li"}', { path: '/api/core/events/1/verdict' }),
  ],
  [
    'a consumer key for another consumer',
    403,
    'forbidden',
    () =>
      signedCall({
        url: here.site.url,
        key: consumer,
        method: 'GET',
        path: '/api/core/events/since?consumer=other',
      }),
  ],
  [
    'a consumer key to acknowledge for another',
    403,
    'forbidden',
    () => post('{"consumer":"other","cursor":1}', { key: consumer, path: '/api/core/events/ack' }),
  ],
];

const since = (query: string): Promise<Answer> => admin('GET', `/api/core/events/since?${query}`);
const verdict = (id: string, body: unknown): Promise<Answer> =>
  admin('POST', `/api/core/events/${id}/verdict`, body);
const BY = { verdict: 'confirmed', by: 'li' };

const READERS: Row[] = [
  ['an id past 2^53', 400, 'validation_failed', () => admin('GET', '/api/core/events/9007199254740993')],
  [
    'an id of many digits',
    400,
    'validation_failed',
    () => admin('GET', `/api/core/events/${'9'.repeat(400)}`),
  ],
  ['the id 0', 400, 'validation_failed', () => admin('GET', '/api/core/events/0')],
  ['a negative id', 400, 'validation_failed', () => admin('GET', '/api/core/events/-1')],
  ['half an id', 400, 'validation_failed', () => admin('GET', '/api/core/events/1.5')],
  ['an id in letters', 400, 'validation_failed', () => admin('GET', '/api/core/events/abc')],
  ['an id that nothing has', 404, 'not_found', () => admin('GET', '/api/core/events/999999')],
  ["another tenant's id", 404, 'not_found', () => admin('GET', '/api/core/events/1?tenant_code=globex')],
  ['an unknown consumer', 404, 'not_found', () => since('consumer=nobody')],
  ['no consumer', 400, 'validation_failed', () => since('')],
  ['a consumer twice', 400, 'validation_failed', () => since('consumer=agent&consumer=agent')],
  ['an unknown parameter', 400, 'validation_failed', () => since('consumer=agent&cursor=1')],
  ['a limit of 0', 400, 'validation_failed', () => since('consumer=agent&limit=0')],
  ['a limit of 1001', 400, 'validation_failed', () => since('consumer=agent&limit=1001')],
  ['a limit in words', 400, 'validation_failed', () => since('consumer=agent&limit=all')],
  [
    'NUL in a parameter',
    400,
    'validation_failed',
    () => admin('GET', '/api/core/events/list?tenant_code=a%00b'),
  ],
  ['NUL in a path', 400, 'validation_failed', () => admin('DELETE', '/api/core/nodes/a%00b')],
  ['a broken escape in a path', 400, 'validation_failed', () => admin('DELETE', '/api/core/nodes/%E0%A4%A')],
  ['half a pair in a path', 400, 'validation_failed', () => admin('DELETE', '/api/core/nodes/%ED%A0%80')],
  ['another epoch', 409, 'cursor_epoch_changed', () => since('consumer=agent&epoch=other')],
  ['an id in hexadecimal digits', 400, 'validation_failed', () => admin('GET', `${EVENTS}/0x1`)],
  ['an id with an exponent', 400, 'validation_failed', () => admin('GET', `${EVENTS}/1e0`)],
  ['an empty limit', 400, 'validation_failed', () => admin('GET', `${EVENTS}/list?limit=`)],
  ['a limit with a sign', 400, 'validation_failed', () => admin('GET', `${EVENTS}/list?limit=%2B5`)],
  ['a limit with a fraction', 400, 'validation_failed', () => since('consumer=agent&limit=5.0')],
  [
    'a foreign list cursor',
    400,
    'validation_failed',
    () => admin('GET', '/api/core/events/list?cursor=bm9uc2Vuc2U'),
  ],
  [
    'a list cursor of another list',
    400,
    'validation_failed',
    () => admin('GET', `/api/core/events/list?cursor=${encoded([1, 'audit', 1, 'x'])}`),
  ],
  [
    'an audit cursor with NUL',
    400,
    'validation_failed',
    () => admin('GET', `/api/core/audit?cursor=${encoded([1, 'audit', 1, 'a\u0000'])}`),
  ],
  [
    'an acknowledgement ahead',
    400,
    'cursor_ahead',
    () => admin('POST', '/api/core/events/ack', { consumer: 'agent', cursor: 3 }),
  ],
  [
    'an acknowledgement past 2^53',
    400,
    'validation_failed',
    () => admin('POST', '/api/core/events/ack', { consumer: 'agent', cursor: 2 ** 53 }),
  ],
  [
    'an acknowledgement for nobody',
    404,
    'not_found',
    () => admin('POST', '/api/core/events/ack', { consumer: 'nobody', cursor: 1 }),
  ],
  [
    'a start cursor ahead',
    400,
    'cursor_ahead',
    () => admin('POST', '/api/core/events/subscribe', { consumer: 'new', start_cursor: 9 }),
  ],
  [
    'a secret for a reference',
    400,
    'validation_failed',
    () =>
      admin('POST', '/api/core/events/subscribe', {
        consumer: 'new',
        push_url: 'http://10.0.0.1/',
        secret_ref: 'hunter2',
      }),
  ],
  [
    'an unknown member',
    400,
    'validation_failed',
    () => admin('POST', '/api/core/events/subscribe', { consumer: 'new', strat_cursor: 0 }),
  ],
  [
    'members named __proto__',
    400,
    'validation_failed',
    () =>
      bare(
        'POST',
        '/api/core/events/subscribe',
        { 'x-admin-key': ADMIN_KEY, 'content-type': 'application/json' },
        '{"consumer":"new","__proto__":{"enabled":false}}',
      ),
  ],
  ['an unknown verdict', 400, 'validation_failed', () => verdict('1', { ...BY, verdict: 'maybe' })],
  [
    'a false alarm without a note',
    400,
    'validation_failed',
    () => verdict('1', { ...BY, verdict: 'false_alarm' }),
  ],
  [
    'a blank note',
    400,
    'validation_failed',
    () => verdict('1', { ...BY, verdict: 'false_alarm', note: ' ' }),
  ],
  ['merged into nothing', 400, 'validation_failed', () => verdict('1', { ...BY, verdict: 'merged' })],
  [
    'merged into itself',
    400,
    'validation_failed',
    () => verdict('1', { ...BY, verdict: 'merged', merged_into: 1 }),
  ],
  [
    'merged into what is not there',
    400,
    'validation_failed',
    () => verdict('1', { ...BY, verdict: 'merged', merged_into: 77 }),
  ],
  [
    'merged past 2^53',
    400,
    'validation_failed',
    () => verdict('1', { ...BY, verdict: 'merged', merged_into: 2 ** 53 }),
  ],
  ['a verdict on nothing', 404, 'not_found', () => verdict('77', BY)],
  [
    'a verdict for another tenant',
    403,
    'tenant_mismatch',
    () => verdict('1', { ...BY, tenant_code: 'globex' }),
  ],
  [
    'a correction of nothing',
    409,
    'no_verdict',
    () => admin('POST', '/api/core/events/1/corrections', { ...BY, note: 'looked again' }),
  ],
  ['a method that the path does not take', 405, 'method_not_allowed', () => admin('DELETE', EVENTS)],
  ['a path that is not there', 404, 'not_found', () => admin('GET', '/api/core/nothing')],
  ['a path in other letters', 404, 'not_found', () => admin('GET', '/API/core/events/list')],
  ['a path of dots', 404, 'not_found', () => bare('GET', '/../../etc/passwd')],
];

function encoded(position: unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

describe.each([
  ['bodies', BODIES],
  ['fields', FIELDS],
  ['callers', CALLERS],
  ['readers', READERS],
] as [string, Row[]][])('%s', (_group, rows) => {
  test.each(rows)('%s: %i %s', async (_name, status, error, send) => {
    const before = await here.site.store.events.bounds();
    const answer = await send();
    const body = jsonOf<{ error: string; message: string }>(answer);
    expect([answer.status, body.error]).toEqual([status, error]);
    expect(body.message.length).toBeGreaterThan(5);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(await here.site.store.events.bounds()).toEqual(before);
    expect(await here.site.store.verdicts.newestChangeNo()).toBe(0);
  });
});

describe('beside the table', () => {
  test('a stale timestamp is answered with the time of the server', async () => {
    const { serverTime } = jsonOf<{ serverTime: string }>(await post('{}', { now: inSeconds(-1000) }));
    expect(Math.abs(Date.parse(serverTime) - Date.now())).toBeLessThan(60_000);
  });

  test('a method that the path does not take is told which it takes', async () => {
    const answer = await admin('DELETE', EVENTS);
    expect([answer.headers.allow, jsonOf<{ message: string }>(answer).message]).toEqual([
      'POST',
      'This path takes POST; see /openapi.json.',
    ]);
  });

  test('a number in a payload that JavaScript cannot hold is kept as it was written', async () => {
    const payload =
      '{"alert":12345678901234567891,"list":[-9007199254740993,1e400],"small":0.5,"text":"12345678901234567891"}';
    const answer = expectStatus(
      await post(`{"idempotency_key":"digits","type":"a.b","payload":${payload}}`),
      201,
    );
    const [stored] = jsonOf<{ items: { id: number }[] }>(answer).items;
    expect((await admin('GET', `${EVENTS}/${stored?.id}`)).text).toContain(`"payload":${payload}`);
    const refused = await post(
      '{"idempotency_key":"k","type":"a.b","judged":{"confidence":12345678901234567891}}',
    );
    expect(jsonOf<{ details: unknown }>(refused).details).toMatchObject([
      { path: 'judged.confidence', message: 'is too large a number' },
    ]);
  });

  test('members beside a batch are named as ignored', async () => {
    const answer = expectStatus(
      await post(JSON.stringify({ events: [{ ...GOOD, idempotency_key: 'beside' }], tenant: 'acme' })),
      201,
    );
    expect(jsonOf<{ ignored: string[] }>(answer).ignored).toEqual(['tenant']);
  });

  test('a number that is not written in digits is named as such', async () => {
    const { details } = jsonOf<{ details: unknown }>(await admin('GET', `${EVENTS}/list?limit=&type=Bad`));
    expect(details).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'limit', message: 'must be a whole number' }),
        expect.objectContaining({ path: 'type' }),
      ]),
    );
  });

  test('of a batch that is good in part, the good part is stored and the rest is named', async () => {
    const answer = expectStatus(
      await post(
        JSON.stringify({
          events: [
            { ...GOOD, idempotency_key: 'part' },
            { ...GOOD, severity: 'fatal' },
            { ...GOOD, tenant_code: 'globex' },
          ],
        }),
      ),
      201,
    );
    const { items, rejected } = jsonOf<{
      items: { idempotencyKey: string }[];
      rejected: { index: number; error: string }[];
    }>(answer);
    expect([
      items.map((item) => item.idempotencyKey),
      rejected.map(({ index, error }) => [index, error]),
    ]).toEqual([
      ['part'],
      [
        [1, 'validation_failed'],
        [2, 'tenant_mismatch'],
      ],
    ]);
  });

  test('members named __proto__ change nothing and nobody', async () => {
    const answer = expectStatus(
      await post(
        '{"idempotency_key":"proto","type":"a.b","__proto__":{"severity":"low"},"payload":{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}}}}',
      ),
      201,
    );
    const [stored] = jsonOf<{ items: { id: number }[] }>(answer).items;
    expect(jsonOf<{ severity: null }>(await admin('GET', `${EVENTS}/${stored?.id}`)).severity).toBeNull();
    expect(({} as Record<string, unknown>).x ?? ({} as Record<string, unknown>).y).toBeUndefined();
  });

  test('a payload of 64 KiB is taken', async () => {
    expectStatus(
      await event({ idempotency_key: 'full', payload: { a: 'x'.repeat(64 * 1024 - '{"a":""}'.length) } }),
      201,
    );
  });

  test('a body that breaks off stores nothing', async () => {
    const before = await here.site.store.events.bounds();
    const body = JSON.stringify({ ...GOOD, idempotency_key: 'cut' });
    const answer = await rawExchange(
      here.site.url,
      head('POST', EVENTS, {
        ...signedHeaders(node, Date.now(), 'POST', EVENTS, body),
        'content-length': '1000',
      }) + body,
      true,
    );
    expect([
      answer.status,
      ['body_incomplete', 'malformed_request'].includes(answer.body?.error ?? ''),
    ]).toEqual([400, true]);
    expect(await here.site.store.events.bounds()).toEqual(before);
  });

  test('what is no HTTP, and too many headers, are refused with a reason', async () => {
    expect(await rawExchange(here.site.url, 'HELLO\r\n\r\n', false)).toMatchObject({
      status: 400,
      body: { error: 'malformed_request' },
    });
    expect(
      await rawExchange(here.site.url, head('GET', '/healthz', { 'x-filler': 'x'.repeat(20_000) }), false),
    ).toMatchObject({ status: 431, body: { error: 'headers_too_large' } });
  });
});
