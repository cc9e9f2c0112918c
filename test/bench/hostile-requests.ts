// Requests that are made to cost as much as they can: without credentials, and with a key of a node or a
// site.
import { gzipSync } from 'node:zlib';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';

export interface HostileJob {
  port: number;
  program: 'site' | 'hq';
  /** A node's. */
  key: SigningKey;
  /** A site's, at headquarters. */
  siteKey?: SigningKey;
  requests: number;
  /** Connections at a time. */
  clients: number;
}

interface Hostile {
  name: string;
  bytes: () => Buffer;
}

const MIB = 1024 * 1024;
const LOGIN = '/api/core/session/login';
const EVENTS = '/api/core/events';
const JSON_TYPE = { 'content-type': 'application/json' };

function framed(
  method: string,
  target: string,
  headers: Record<string, string>,
  body: Buffer | string = '',
): Buffer {
  const lines = Object.entries({
    host: '127.0.0.1',
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`),
    Buffer.from(body),
  ]);
}

const names = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => `"z${from + index}":1`).join(',');
const brackets = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const listOf = (count: number, entry: string): string =>
  `[${Array.from({ length: count }, () => entry).join(',')}]`;

/** Without credentials. */
function strangers({ program, key }: HostileJob): Hostile[] {
  const login = (name: string, body: string): Hostile => ({
    name,
    bytes: () => framed('POST', LOGIN, JSON_TYPE, body),
  });
  const claimed = (keyId: string): Record<string, string> => ({
    ...JSON_TYPE,
    'x-core-key': keyId,
    'x-core-timestamp': String(Math.floor(Date.now() / 1000)),
    'x-core-signature': `v1=${'0'.repeat(64)}`,
  });
  const blanks = Buffer.alloc(7 * MIB, 0x20);
  return [
    login('login of 80,000 members', `{${names(80_000)}}`),
    login('login of 16 KiB of members', `{${names(1_600)}}`),
    login('login of 1 MiB of brackets', brackets(MIB / 2)),
    login('login of 16 KiB of brackets', brackets(8_000)),
    { name: '7 MiB under a known key id', bytes: () => framed('POST', EVENTS, claimed(key.keyId), blanks) },
    { name: '7 MiB under an unknown key id', bytes: () => framed('POST', EVENTS, claimed('nobody'), blanks) },
    {
      name: 'a query of 15 KiB',
      bytes: () => framed('GET', `/api/core/events/list?${'a&b=1&'.repeat(2_500)}`, {}),
    },
    {
      name: 'cookies and hops of 15 KiB',
      bytes: () =>
        framed('GET', '/api/core/events/list', {
          cookie: 'a=b;'.repeat(1_800),
          'x-forwarded-for': '1,'.repeat(3_500),
        }),
    },
    { name: 'the description', bytes: () => framed('GET', '/openapi.json', {}) },
    ...(program === 'hq'
      ? [
          {
            name: 'a form of 16 KiB of names',
            bytes: () =>
              framed(
                'POST',
                '/open/v1/oauth/token',
                { 'content-type': 'application/x-www-form-urlencoded' },
                Array.from({ length: 3_000 }, (_, index) => `n${index}`).join('&'),
              ),
          },
        ]
      : []),
  ];
}

const EVENT = '"type":"vehicle.intrusion"';

/** Bodies of intake, at the limits and beyond. */
const INTAKE: Record<string, () => string> = {
  '400,000 unknown members': () => `{"idempotency_key":"a",${EVENT},${names(400_000)}}`,
  '11,000 unknown members': () => `{"idempotency_key":"a",${EVENT},${names(11_000)}}`,
  '8 MiB of brackets': () => `{"idempotency_key":"a",${EVENT},"payload":${brackets(4_000_000)}}`,
  '33,000 entries of evidence': () => `{"idempotency_key":"a",${EVENT},"evidence":${listOf(33_000, '1')}}`,
  '500 events of 150 unknown members': () =>
    `{"events":[${Array.from({ length: 500 }, (_, at) => `{"idempotency_key":"a",${EVENT},${names(150, at * 150)}}`).join(',')}]}`,
  '500 events with every fault': () =>
    `{"events":${listOf(500, `{"type":7,"kind":7,"judged":{"type":1,"confidence":9},"evidence":${listOf(20, '{"name":"/","size":-1}')}}`)}}`,
  'numbers past 2^53': () =>
    `{"idempotency_key":"a",${EVENT},"payload":{"a":${listOf(32_000, '1')},"b":1234567890123456789}}`,
  '500 events of 16 KiB': () =>
    `{"events":[${Array.from({ length: 500 }, (_, at) => `{"idempotency_key":"h${at}",${EVENT},"payload":{"a":"${'x'.repeat(16_000)}"}}`).join(',')}]}`,
  '8 MiB of escapes': () =>
    `{"idempotency_key":"a",${EVENT},"payload":{${Array.from({ length: 8 }, (_, at) => `"t${at}":"${'\\u00e9'.repeat(170_000)}"`).join(',')}}}`,
  'an address of 1 MiB': () =>
    `{"idempotency_key":"a",${EVENT},"feedback_url":"http://a/${'x'.repeat(MIB - 50)}"}`,
  'a name of blanks of 1 MiB': () =>
    `{"idempotency_key":"a",${EVENT},"camera_ref":"a${' '.repeat(MIB - 50)}"}`,
};

/** With the key of a node. */
function holders({ key }: HostileJob): Hostile[] {
  return Object.entries(INTAKE).map(([name, body]) => {
    const text = body();
    return {
      name,
      bytes: () =>
        framed(
          'POST',
          EVENTS,
          { ...JSON_TYPE, ...signedHeaders(key, Date.now(), 'POST', EVENTS, text) },
          text,
        ),
    };
  });
}

/** With the key of a site. */
function sites({ siteKey }: HostileJob): Hostile[] {
  if (!siteKey) return [];
  const target = '/api/core/uplink/events';
  const batch = (items: string): string =>
    `{"protocol":1,"version":"1","instance":"hostile","epoch":"e","head":1000,"oldest":1,"cursor":{"from":0,"to":1000},"items":${items}}`;
  const item = (at: number, doc: string): string =>
    `{"origin_id":${at},"received_at":1,"tenant_code":"T","idempotency_key":"k${at}",${EVENT},"kind":"alert","source":"video","is_test":false,"doc":${doc}}`;
  const bodies: [string, string | Buffer, Record<string, string>][] = [
    [
      '1,000 items of 15 KiB',
      batch(
        `[${Array.from({ length: 1_000 }, (_, at) => item(at + 1, `{"payload":{"a":"${'x'.repeat(15_000)}"}}`)).join(',')}]`,
      ),
      {},
    ],
    [
      '1,000 items of 390 values',
      batch(
        `[${Array.from({ length: 1_000 }, (_, at) => item(at + 1, `{"payload":{"a":${listOf(370, '1')}}}`)).join(',')}]`,
      ),
      {},
    ],
    ['4,000,000 values', batch(listOf(4_000_000, '1')), {}],
    ['1 GiB of blanks, compressed', gzipSync(Buffer.alloc(1024 * MIB, 0x20)), { 'content-encoding': 'gzip' }],
    ['35,000 entries of evidence', batch(`[${item(1, `{"evidence":${listOf(35_000, '1')}}`)}]`), {}],
  ];
  return bodies.map(([name, body, headers]) => ({
    name,
    bytes: () =>
      framed(
        'POST',
        target,
        { ...JSON_TYPE, ...headers, ...signedHeaders(siteKey, Date.now(), 'POST', target, body) },
        body,
      ),
  }));
}

/** All of them in turn, signed when they are sent. */
export const hostileRequests = (job: HostileJob): Hostile[] => [
  ...strangers(job),
  ...holders(job),
  ...sites(job),
];
