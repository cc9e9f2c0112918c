// Whatever is sent to whichever route of the served description: never a server error, always JSON that says
// what is wrong.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { campaign } from '../support/campaign.ts';
import { ADMIN_KEY, type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf, request, signedCall } from '../support/request.ts';

const SEED = Number(process.env.FAULT_SEED ?? 20260305);
/** Requests for each route and way of calling; FAULT_PROPERTY_RUNS=60 and more for a campaign. */
const RUNS = campaign('FAULT_PROPERTY_RUNS', 3, 25);

interface Operation {
  method: string;
  path: string;
  parameters: { name: string; in: 'path' | 'query' }[];
  /** Names of the members that the body is known to have. */
  members: string[];
}

interface Side {
  url: string;
  operations: Operation[];
  /** Ways of calling: the admin key, keys of each purpose that there is, and none. */
  callers: Map<string, SigningKey | 'admin' | 'nobody'>;
}

let scene: Scene;
const sides: Partial<Record<'site' | 'hub', Side>> = {};

beforeAll(async () => {
  scene = new Scene();
  const site = await startSiteHere(scene);
  const hub = await startHubHere(scene);
  const consumerKey = async (call: Call): Promise<SigningKey> =>
    jsonOf<SigningKey>(expectStatus(await call('POST', '/api/core/consumers/agent/keys', {}), 201));
  const prepare = async (url: string, call: Call): Promise<Side> => {
    expectStatus(
      await call('POST', '/api/core/events/subscribe', { consumer: 'agent', start_cursor: 0 }),
      201,
    );
    const node = jsonOf<SigningKey>(
      expectStatus(await call('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'gate' }), 201),
    );
    const body = JSON.stringify({
      events: [1, 2, 3].map((one) => ({ idempotency_key: `k${one}`, type: 'vehicle.intrusion' })),
    });
    expectStatus(await signedCall({ url, key: node, method: 'POST', path: '/api/core/events', body }), 201);
    return {
      url,
      operations: operationsOf(expectStatus(await call('GET', '/openapi.json'), 200)),
      callers: new Map<string, SigningKey | 'admin' | 'nobody'>([
        ['admin', 'admin'],
        ['nobody', 'nobody'],
        ['node', node],
        ['consumer', await consumerKey(call)],
      ]),
    };
  };
  sides.site = await prepare(site.site.url, site.call);
  sides.hub = await prepare(hub.hub.url, hub.call);
  sides.hub.callers.set(
    'site',
    jsonOf<SigningKey>(
      expectStatus(await hub.call('POST', '/api/core/sites', { instance: 'site-1', tenants: ['acme'] }), 201),
    ),
  );
});
afterAll(() => scene.close());

type Schema = { properties?: Record<string, Schema>; anyOf?: Schema[]; oneOf?: Schema[]; items?: Schema };

function operationsOf(description: Answer): Operation[] {
  type Described = {
    parameters?: Operation['parameters'];
    requestBody?: { content: { 'application/json'?: { schema: Schema } } };
  };
  const { paths } = jsonOf<{ paths: Record<string, Record<string, Described>> }>(description);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      parameters: described.parameters ?? [],
      members: [...membersOf(described.requestBody?.content['application/json']?.schema)],
    })),
  );
}

function membersOf(schema: Schema | undefined): Set<string> {
  if (!schema) return new Set();
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ];
  return new Set([...Object.keys(schema.properties ?? {}), ...inner.flatMap((one) => [...membersOf(one)])]);
}

const cursorOf = (...position: unknown[]): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** Text that has broken programs before, and text that is nearly right. */
const NASTY = [
  '',
  ' ',
  '0',
  '1',
  '2',
  '-1',
  '1.5',
  '1e400',
  '0x1',
  'NaN',
  '9007199254740993',
  '99999999999999999999',
  'true',
  'null',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\ufeff',
  '%',
  '%00',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(3000),
  "' or 1=1 --",
  '../..',
  'agent',
  'acme',
  'site-1',
  'confirmed',
  'merged',
  'false_alarm',
  'none',
  'verdict',
  'correction',
  'vehicle.intrusion',
  '*',
  '2026-03-01T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
  'http://10.0.0.1/',
  'env:X',
];
const CURSORS = ['events', 'audit', 'tasks'].flatMap((list) =>
  [[-1], ['x'], [], [1.5], [2], [Number.MAX_SAFE_INTEGER, ''], [5, 'a\u0000'], [5, '\ud800'], [5, 'x']].map(
    (position) => cursorOf(1, list, ...position),
  ),
);

const nastyText = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 20 }));
const nastyNumber = fc.constantFrom(
  0,
  1,
  2,
  3,
  -1,
  1.5,
  2 ** 31,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 53,
  1e308,
);
const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  nastyNumber,
  fc.constantFrom<unknown>(true, false, null, [], {}),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(nastyText, { maxLength: 3 }),
);

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Requests that are right; what is sent is one of them with something in it spoilt. */
const RIGHT: Record<string, (unique: string) => Json> = {
  'POST /api/core/events': (unique) => ({
    ...rightEvent(unique),
    payload: { a: [1] },
    judged: { type: 'x', confidence: 0.5 },
    evidence: [{ name: 'a.jpg', content_type: 'image/jpeg', size: 1, sha256: 'a'.repeat(64) }],
  }),
  'POST /api/core/events/{id}/verdict': () => ({
    verdict: 'confirmed',
    by: 'li',
    note: 'seen',
    judged_type: 'x',
    disposition: { type: 'x', severity: 'low' },
  }),
  'POST /api/core/events/{id}/corrections': () => ({
    verdict: 'merged',
    by: 'li',
    note: 'seen',
    merged_into: 2,
  }),
  'POST /api/core/events/subscribe': () => ({
    consumer: 'agent',
    event_types: ['vehicle.*'],
    min_severity: 'low',
    push_url: 'http://10.0.0.1/',
    start_cursor: 0,
  }),
  'PUT /api/core/secrets/name': () => ({
    tenant_code: 'acme',
    use: 'channel_address',
    host: '10.0.0.1:80',
    secret: 'http://10.0.0.1/x',
  }),
  'POST /api/core/events/ack': () => ({ consumer: 'agent', cursor: 1 }),
  'POST /api/core/objects/tasks': () => ({
    tenant_code: 'acme',
    type: 'disposal',
    event_id: 1,
    title: 'look',
    severity: 'low',
    assignee_org: 'o',
    due_at: '2026-03-01T00:00:00Z',
    body: { a: [1] },
  }),
  'POST /api/core/objects/tasks/{id}/transition': () => ({
    tenant_code: 'acme',
    to: 'taken_over',
    by: 'li',
    note: 'x',
    result_code: 'other',
  }),
  'POST /api/core/objects/tasks/{id}/steps': () => ({
    tenant_code: 'acme',
    kind: 'note',
    text: 'x',
    at: '2026-03-01T00:00:00',
    by: 'li',
  }),
  'POST /api/core/objects/tasks/{id}/body': () => ({
    tenant_code: 'acme',
    body: { a: { b: [1] } },
    by: 'li',
  }),
  'POST /api/core/objects/tasks/{id}/edge_note': () => ({ tenant_code: 'acme', text: 'x', by: 'li' }),
  'POST /api/core/objects/tasks/batch_transition': () => ({
    tenant_code: 'acme',
    event_id: 1,
    to: 'cancelled',
    by: 'li',
    note: 'x',
    result_code: 'other',
  }),
  'POST /api/core/nodes': (unique) => ({ tenant_code: 'acme', name: 'gate', key_id: `n${unique}` }),
  'POST /api/core/sites': (unique) => ({ instance: `s${unique}`, tenants: ['acme'] }),
  'POST /api/core/uplink/events': (unique) => ({
    ...envelope(unique),
    items: [
      {
        ...rightEvent(unique),
        origin_id: 1,
        received_at: 1,
        occurred_at: 5,
        is_test: false,
        doc: { title: 'x', payload: { a: 1 }, judged: { confidence: 1 } },
      },
    ],
  }),
  'POST /api/core/uplink/verdicts': (unique) => ({
    ...envelope(unique),
    items: ['verdict', 'correction', 'decision_refused'].map((kind, index) => ({
      change_no: index + 1,
      at: 1,
      tenant_code: 'acme',
      kind,
      body: {
        event_key: 'k1',
        at: 1,
        verdict: 'confirmed',
        by: 'li',
        by_kind: 'human',
        note: 'x',
        merged_into_key: 'k2',
        judged: { type: 'x' },
        disposition: { type: 'x' },
        id: unique,
        decision_id: 'd',
        reason: 'x',
      },
    })),
  }),
};
const rightEvent = (unique: string): Record<string, Json> => ({
  idempotency_key: unique,
  tenant_code: 'acme',
  type: 'vehicle.intrusion',
  kind: 'alert',
  source: 'video',
  severity: 'low',
  occurred_at: '2026-03-01T00:00:00Z',
});
const envelope = (unique: string): Record<string, Json> => ({
  protocol: 1,
  version: '1',
  instance: 'site-1',
  epoch: unique,
  head: 3,
  oldest: 1,
  cursor: { from: 0, to: 3, at: 1 },
});

type Path = readonly string[];

function pathsOf(value: Json, at: Path = []): Path[] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...at, name]))
      : [];
  return [at, ...inner];
}

function valueAt(value: Json, path: Path): Json {
  return path.reduce<Json>((so, name) => (so as Record<string, Json>)[name] as Json, value);
}

function withAt(value: Json, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  const inner = withAt((value as Record<string, Json>)[name] as Json, rest, by);
  return Array.isArray(value)
    ? value.map((one, index) => (String(index) === name ? inner : one))
    : { ...(value as object), [name]: inner };
}

/** One place of a right request, at any depth, holds something else. */
function spoilt(value: Json): fc.Arbitrary<unknown> {
  return fc
    .constantFrom(...pathsOf(value))
    .chain((path) =>
      (typeof valueAt(value, path) === 'number' ? fc.oneof(nastyNumber, nastyValue) : nastyValue).map((by) =>
        withAt(value, path, by),
      ),
    );
}

function bodyOf(operation: Operation): fc.Arbitrary<string | null> {
  const members =
    operation.members.length === 0
      ? nastyValue
      : fc
          .subarray(operation.members)
          .chain((some) => fc.record(Object.fromEntries(some.map((member) => [member, nastyValue]))));
  const right = RIGHT[`${operation.method} ${operation.path}`];
  const nearlyRight = !right
    ? members
    : fc
        .tuple(fc.uuid(), fc.nat(3))
        .chain(([unique, spoil]) => (spoil === 0 ? fc.constant(right(unique)) : spoilt(right(unique))));
  const text = (value: unknown): string => JSON.stringify(value) ?? 'null';
  return fc.oneof(
    { weight: 16, arbitrary: nearlyRight.map(text) },
    { weight: 3, arbitrary: members.map(text) },
    { weight: 1, arbitrary: nastyValue.map(text) },
    { weight: 1, arbitrary: nastyText },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

interface Sent {
  path: string;
  body: string | null;
  headers: Record<string, string>;
}

const seldom = (others: string[], usual: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

function requestOf(operation: Operation): fc.Arbitrary<Sent> {
  const value = nastyText.map((text) => encodeURIComponent(text.toWellFormed()));
  const inPath = operation.parameters.filter((one) => one.in === 'path').map((one) => one.name);
  const inQuery = operation.parameters.filter((one) => one.in === 'query').map((one) => one.name);
  const argument = fc
    .constantFrom(...inQuery, 'other')
    .chain((name) =>
      fc.tuple(
        fc.constant(name),
        name === 'cursor'
          ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...CURSORS) }, { weight: 1, arbitrary: value })
          : value,
      ),
    );
  return fc
    .record({
      params: fc.record(
        Object.fromEntries(
          inPath.map((name) => [
            name,
            fc.oneof(value, fc.constantFrom('1', '2', 'agent', '%E0%A4%A', '%ED%A0%80')),
          ]),
        ),
      ),
      query: fc.oneof(
        { weight: 6, arbitrary: fc.constant<[string, string][]>([]) },
        { weight: 1 + 5 * inQuery.length, arbitrary: fc.array(argument, { minLength: 1, maxLength: 2 }) },
      ),
      body: operation.method === 'GET' ? fc.constant(null) : bodyOf(operation),
      type: seldom(['application/json; charset=utf-8', 'text/plain', ''], 'application/json'),
      encoding: seldom(['gzip', 'zstd', 'br'], ''),
    })
    .map(({ params, query, body, type, encoding }) => ({
      path:
        operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => (params[name] as string) || '1') +
        (query.length > 0 ? `?${query.map(([name, text]) => `${name}=${text}`).join('&')}` : ''),
      body,
      headers: {
        ...(type === '' ? {} : { 'content-type': type }),
        ...(encoding === '' ? {} : { 'content-encoding': encoding }),
      },
    }));
}

function send(
  side: Side,
  caller: SigningKey | 'admin' | 'nobody',
  method: string,
  { path, body, headers }: Sent,
): Promise<Answer> {
  const credentials =
    caller === 'nobody'
      ? {}
      : caller === 'admin'
        ? { 'x-admin-key': ADMIN_KEY }
        : signedHeaders(caller, Date.now(), method, path, body ?? '');
  return request({
    url: side.url,
    method,
    path,
    headers: { ...headers, ...credentials, 'x-try': randomBytes(2).toString('hex') },
    ...(body === null ? {} : { body }),
  });
}

describe.each(['site', 'hub'] as const)('the %s', (name) => {
  test(`answers any request to any route with reason (seed ${SEED})`, { timeout: 600_000 }, async () => {
    const side = sides[name] as Side;
    expect(side.operations.length).toBeGreaterThan(15);
    const faults: string[] = [];
    const statuses = new Map<number, number>();
    for (const operation of side.operations) {
      for (const [who, caller] of side.callers) {
        await fc
          .assert(
            fc.asyncProperty(requestOf(operation), async (sent) => {
              const answer = await send(side, caller, operation.method, sent);
              statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
              const wrong = faultOf(answer);
              if (wrong)
                throw new Error(
                  `${who}: ${operation.method} ${sent.path.slice(0, 300)} ` +
                    `${sent.body?.slice(0, 300) ?? ''} → ${wrong}`,
                );
            }),
            { seed: SEED, numRuns: runsFor(operation, who), endOnFailure: false },
          )
          .catch((error: unknown) => faults.push((error as Error).message.slice(0, 1500)));
      }
    }
    expect(faults).toEqual([]);
    expect(statuses.get(200) ?? 0, 'requests that were right after all').toBeGreaterThan(50);
    // What was taken on the way must not stand in the way of the readers.
    for (const path of [
      '/api/core/events/list?limit=1000&include_test=true',
      '/api/core/audit?limit=1000',
      '/api/core/objects/tasks?limit=1000',
      '/api/core/alarms',
      '/api/core/uplink/status',
      '/metrics',
    ]) {
      expectStatus(await send(side, 'admin', 'GET', { path, body: null, headers: {} }), 200);
    }
  });
});

/** Most go to whom the route is for. */
function runsFor(operation: Operation, who: string): number {
  const signed = { node: 'POST /api/core/events', site: 'POST /api/core/uplink' }[who];
  if (signed && `${operation.method} ${operation.path}`.startsWith(signed) && !operation.path.includes('{'))
    return RUNS * 6;
  return who === 'admin' ? RUNS * 2 : Math.ceil(RUNS / 4);
}

function faultOf(answer: Answer): string | null {
  if (answer.status >= 500) return `${answer.status} ${answer.text.slice(0, 200)}`;
  if (answer.status < 400) return null;
  if (!/^application\/json/.test(answer.headers['content-type'] ?? ''))
    return `${answer.status} without JSON`;
  const { error, message } = jsonOf<{ error?: unknown; message?: unknown }>(answer);
  return typeof error === 'string' && typeof message === 'string' && message !== ''
    ? null
    : `${answer.status} ${answer.text.slice(0, 200)}`;
}
