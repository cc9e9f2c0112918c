// The served API description against real answers: every route of both programs, called right and wrong. What
// an answer has must be documented (status, code, content type, every member), and what is documented must be
// had. How to add a route stands in openapi/table.ts.
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageFull } from '../../common/http/error.ts';
import { SIGNATURE_VECTORS } from '../../common/http/signing/signature-vectors.ts';
import type { Operation } from '../support/api-description.ts';
import { long } from '../support/campaign.ts';
import { rawExchange } from '../support/raw.ts';
import { type Answer, jsonOf } from '../support/request.ts';
import type { Line } from './openapi/line.ts';
import { LINES } from './openapi/table.ts';
import { type Ask, type Caller, HELD_UP, openWorlds, type World, type Worlds } from './openapi/world.ts';

let worlds: Worlds;
beforeAll(async () => {
  worlds = await openWorlds();
});
afterAll(() => worlds.close());

const SIDES = ['site', 'hub'] as const;
/** What the console and integrators name in their own programs. */
const CORE_NAMES = [
  ...[
    'Event',
    'JudgedEvent',
    'JudgedEventPage',
    'Verdict',
    'Correction',
    'Task',
    'TaskDetail',
    'TaskPage',
    'Incident',
    'IncidentDetail',
  ],
  ...[
    'Evidence',
    'Alarm',
    'AlarmList',
    'Subscription',
    'Rule',
    'Timeline',
    'Statistics',
    'Session',
    'AuditEntry',
  ],
  ...['Key', 'AdminKey', 'Secret', 'Channel', 'Notification', 'Error', 'Conflict'],
];
const NAMED = {
  site: [...CORE_NAMES, 'UplinkStatus', 'ParkedItem', 'SiteFacts'],
  hub: [
    ...CORE_NAMES,
    ...[
      'Site',
      'FleetStatus',
      'PolicyDocument',
      'PolicyChunk',
      'PolicySearchResult',
      'PolicyAnswer',
      'KnowledgeObject',
    ],
    ...[
      'Webhook',
      'Delivery',
      'Client',
      'Dataset',
      'Source',
      'User',
      'Envelope',
      'ProjectSnapshot',
      'HazardMajor',
    ],
  ],
};

/** Forms of objects of four members and more that stand in the document more than once. */
function repeated(document: object): string[] {
  const seen = new Map<string, number>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, properties } = value as { type?: unknown; properties?: object };
    const form = JSON.stringify(value);
    if (type === 'object' && Object.keys(properties ?? {}).length >= 4)
      seen.set(form, (seen.get(form) ?? 0) + 1);
    Object.values(value).forEach(walk);
  };
  walk(document);
  return [...seen].filter(([, times]) => times > 1).map(([form]) => form.slice(0, 200));
}

/** Statuses that no caller can bring about. */
const OUT_OF_REACH = new Set([408, 500, 503, 507]);

/** Codes of 409 that need another writer, the end of a process, or a secret in the answer. */
const OTHERS_NEEDED = new Set([
  'write_contention',
  'request_under_way',
  'retry_outcome_unknown',
  'answer_not_kept',
]);

const LINES_OF = (side: 'site' | 'hub'): [string, Line][] =>
  Object.entries(LINES)
    .filter(([, line]) => line.only === undefined || line.only === side)
    .map(([name, line]) => [name, side === 'site' ? (line.atSite ?? line) : line]);

/** `npm test` tries at a site what it alone has; what both have is the same, and tried at the hub. */
const TRIED_AT = (side: 'site' | 'hub'): [string, Line][] =>
  LINES_OF(side).filter(([, line]) => long || side === 'hub' || line.only === 'site');

/** One call that is checked against the description; with `wanted`, also for its status and code. */
async function tried(world: World, operation: Operation, ask: Ask, wanted?: string): Promise<Answer> {
  const answer = await world.send(operation, ask);
  const [status, code] = wanted?.split(' ') ?? [];
  const shown = `${operation.name} ${JSON.stringify(ask.body ?? '')} → ${answer.status} ${answer.text.slice(0, 600)}`;
  if (status !== undefined) expect(String(answer.status), shown).toBe(status);
  expect(world.description.faults(operation, answer), shown).toEqual([]);
  if (answer.status >= 400) {
    const { error } = jsonOf<{ error: string }>(answer);
    expect(world.description.codes(operation, answer.status), shown).toContain(error);
    if (code !== undefined) expect(error, shown).toBe(code);
  }
  return answer;
}

/** The credentials that are common to all routes; those of the open interface its own lines bring. */
const waysOf = ({ security }: Pick<Operation, 'security'>): string[] =>
  security
    .flatMap((way) => Object.keys(way))
    .filter((way) => way !== 'accessToken' && way !== 'clientSecret');

/** Who calls when the table does not say. */
function callerOf({ security }: Operation): Caller {
  const ways = waysOf({ security });
  if (ways.length === 0) return 'nobody';
  if (ways.includes('adminKey')) return 'admin';
  if (ways.includes('nodeSignature')) return 'node';
  return ways.includes('siteSignature') ? 'site' : 'session';
}

const withQuery = (target: string, more: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}${more}`;

/** Whoever is wrong for the route. */
function strangersOf(world: World, operation: Operation): [string, Ask][] {
  const ways = waysOf(operation);
  const signed = ways.some((way) => /^(?:node|site|consumer)/.test(way));
  const wrong = ways.includes('nodeSignature') ? 'consumer' : 'node';
  const key = world.keys[wrong];
  const calls: [string, Ask][] = [
    ['401 unauthorized', { headers: { 'x-admin-key': 'wrong', 'x-forwarded-for': world.freshAddress() } }],
    ['429 too_many_attempts', { headers: { 'x-admin-key': 'wrong', 'x-forwarded-for': HELD_UP } }],
    ['401 bad_signature', { key: { ...key, keyId: 'nobody' } }],
    // A call that takes every key has no wrong one.
    ...(ways.includes(`${wrong}Signature`) ? [] : [['403 forbidden', { key }] as [string, Ask]]),
  ];
  const open = operation.security.some((way) => Object.keys(way).length === 0);
  if (ways.length > 0 && !open) calls.push(['401 unauthorized', { as: 'nobody' }]);
  if (signed) {
    const own =
      world.keys[
        ways.includes('nodeSignature') ? 'node' : ways.includes('siteSignature') ? 'site' : 'consumer'
      ];
    calls.push(
      ['401 clock_skew', { key: own, skew: -3_600_000 }],
      ['401 bad_signature', { key: { ...own, secret: 'wrong' } }],
    );
  }
  if (ways.length > 0 && operation.method !== 'GET')
    calls.push(['403 csrf', { browser: world.session, headers: {} }]);
  if (world.bare && operation.description?.includes('needs the permission'))
    calls.push(['403 forbidden', { as: 'bare' }]);
  return calls;
}

/** What is wrong with the request itself. */
function spoilt(operation: Operation, ask: Ask, { anyTarget }: Line): [string, Ask][] {
  if (anyTarget) return [];
  const target = ask.target ?? operation.path;
  const calls: [string, Ask][] = [['400 validation_failed', { target: withQuery(target, 'no_such=1') }]];
  if (operation.path.includes('{')) {
    calls.push(['400 validation_failed', { target: operation.path.replace(/\{\w+\}/g, 'a%00') }]);
    if (operation.responses['404'])
      calls.push([
        '404 not_found',
        {
          target:
            operation.path.replace(/\{(?:\w+_)?id\}/g, '999999').replace(/\{\w+\}/g, 'nobody') +
            (/\?.*/.exec(target)?.[0] ?? ''),
        },
      ]);
  }
  if (!operation.requestBody) return calls;
  const tooLarge: [string, Ask] = ['413 body_too_large', { headers: { 'content-length': String(2 ** 30) } }];
  if (operation.requestBody.content['application/json'] === undefined) return [...calls, tooLarge];
  const json = (text: string) => ({ type: 'application/json', bytes: Buffer.from(text) });
  return [
    ...calls,
    tooLarge,
    ['400 validation_failed', { body: { no_such: 1 } }],
    ['400 malformed_json', { raw: json('{') }],
    ['415 unsupported_media_type', { raw: { type: 'text/plain', bytes: Buffer.from('{}') } }],
  ];
}

describe.each(SIDES)('the description of a %s', (side) => {
  const operationOf = (name: string): Operation => {
    const found = worlds[side].description.operations.find((operation) => operation.name === name);
    if (!found) throw new Error(`${name} is not described by the ${side}`);
    return found;
  };

  test('has nothing that Redocly warns of', async () => {
    const { createConfig, lintFromString } = await import('@redocly/openapi-core');
    const problems = await lintFromString({
      source: JSON.stringify(worlds[side].document),
      config: await createConfig({ extends: ['recommended'] }),
    });
    const told = problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
    expect(told).toEqual([]);
  });

  test('takes a batch in which one event is not right, as the program does', async () => {
    const world = worlds[side];
    const operation = operationOf('POST /api/core/events');
    const body = { events: [world.eventBody(), { ...world.eventBody(), severity: 'no such', type: 7 }] };
    expect(world.description.requestFaults(operation, body)).toEqual([]);
    await tried(world, operation, { as: 'node', body }, '201');
    expect(world.description.requestFaults(operation, { events: [] })).not.toEqual([]);
  });

  test('says of each parameter what it means, with an example that its schema takes', () => {
    const { operations, parameterFaults } = worlds[side].description;
    const described = operations.flatMap((operation) => parameterFaults(operation));
    expect(described).toEqual([]);
  });

  test('says of each member of a body what it means, and shows a body that its schema takes', () => {
    const { operations, bodyFaults } = worlds[side].description;
    expect(operations.flatMap((operation) => bodyFaults(operation))).toEqual([]);
  });

  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(worlds[side].document));
    expect(result).toEqual({ valid: true });
    expect(worlds[side].document.openapi).toBe('3.1.0');
  });

  test('has every route in the table, and the table has no other', () => {
    const described = worlds[side].description.operations.map(({ name }) => name).sort();
    expect(described).toEqual(
      LINES_OF(side)
        .map(([name]) => name)
        .sort(),
    );
  });

  test('names what it describes, and says it once', () => {
    const { document } = worlds[side];
    const text = JSON.stringify(document);
    const { schemas, responses } = document.components as Record<string, object>;
    const names = Object.keys(schemas ?? {});
    expect(names).toEqual(expect.arrayContaining(NAMED[side]));
    const referred = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].map(([, , name]) => name),
    );
    const known = [...names, ...Object.keys(responses ?? {}), 'RequestId', 'RetryAfter'];
    expect([...referred].filter((name) => !known.includes(name ?? ''))).toEqual([]);
    expect(names.filter((name) => !referred.has(name))).toEqual([]);
    expect(repeated(document)).toEqual([]);
  });

  test('says what each call is for', () => {
    const { operations, info } = worlds[side].description;
    expect(
      operations.filter(({ summary, tags }) => !summary || tags.length !== 1).map(({ name }) => name),
    ).toEqual([]);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { name, responses } of operations)
      expect(Object.keys(responses), name).toEqual(
        expect.arrayContaining(['400', '401', '403', '500', '503']),
      );
    for (const { secret, signature } of SIGNATURE_VECTORS)
      expect([info.description.includes(`\`${secret}\``), info.description.includes(signature)]).toEqual([
        true,
        true,
      ]);
  });

  test.each(TRIED_AT(side))('%s', async (name, line) => {
    const world = worlds[side];
    const operation = operationOf(name);
    const as = callerOf(operation);
    const made = async (make: Line['good']): Promise<Ask> => ({ as, ...(await make(world)) });
    const seen = new Set<number>();
    const attempt = async (ask: Ask, wanted?: string): Promise<Answer> => {
      const answer = await tried(world, operation, ask, wanted);
      seen.add(answer.status);
      return answer;
    };

    const key = { 'idempotency-key': crypto.randomUUID() };
    const keyed = operation.parameters.some(({ name: parameter }) => parameter === 'Idempotency-Key');
    const plain = await made(line.good);
    const right = keyed ? { ...plain, headers: { ...plain.headers, ...key } } : plain;
    if (right.body !== undefined) expect(world.description.requestFaults(operation, right.body)).toEqual([]);
    const answer = await attempt(right);
    expect(answer.status, `${name} → ${answer.text.slice(0, 600)}`).toBeLessThan(300);
    if (keyed) {
      const once = await attempt(right);
      expect([answer.status, 409]).toContain(once.status);
      await attempt({ ...right, body: { another: 1 } }, '422 idempotency_key_reused');
    }
    for (const [wanted, make] of Object.entries(line.more ?? {})) await attempt(await made(make), wanted);
    const again = await made(line.good);
    for (const [wanted, changes] of spoilt(operation, again, line))
      await attempt({ ...again, ...changes }, wanted);
    for (const [wanted, changes] of strangersOf(world, operation)) {
      const { browser: _own, as: _as, ...rest } = again;
      await attempt({ ...rest, as: 'nobody', ...changes }, wanted);
    }

    const unseen = Object.keys(operation.responses)
      .map(Number)
      .filter((status) => !seen.has(status) && !OUT_OF_REACH.has(status) && !line.unseen?.[status]);
    // Contention needs other writers, and an outcome that is not known a process that ends.
    expect(
      unseen.filter(
        (status) =>
          status !== 409 || world.description.codes(operation, 409).some((code) => !OTHERS_NEEDED.has(code)),
      ),
    ).toEqual([]);
  });

  test('is kept to when the disk is full, the store fails or the program has a fault', async () => {
    const world = worlds[side];
    const { events, alarms } = world.store;
    const ingest = events.ingest.bind(events);
    const list = alarms.list.bind(alarms);
    events.ingest = () => Promise.reject(storageFull());
    alarms.list = () => Promise.reject(new TypeError('a secret of the inside'));
    try {
      await tried(
        world,
        operationOf('POST /api/core/events'),
        { as: 'node', body: world.eventBody() },
        '507 storage_full',
      );
      const answer = await tried(world, operationOf('GET /api/core/alarms'), {}, '500 internal');
      expect(answer.text).not.toContain('secret of the inside');
    } finally {
      Object.assign(events, { ingest });
      Object.assign(alarms, { list });
    }
  });

  test('answers what is no HTTP as every error is answered', async () => {
    const { status, body } = await rawExchange(worlds[side].url, 'this is no request\r\n\r\n', false);
    expect([status, body]).toEqual([
      400,
      {
        error: 'malformed_request',
        message: expect.stringMatching(/[.]$/) as string,
        requestId: expect.any(String) as string,
      },
    ]);
  });

  test('would find a member, a code and a status that it does not have', async () => {
    const world = worlds[side];
    const operation = operationOf('GET /api/core/version');
    const answer = await world.send(operation, {});
    const changed = (more: object): Answer => ({
      ...answer,
      text: JSON.stringify({ ...jsonOf<object>(answer), ...more }),
    });
    expect(world.description.faults(operation, answer)).toEqual([]);
    expect(world.description.faults(operation, changed({ extra: 1 }))).toHaveLength(1);
    expect(world.description.faults(operation, changed({ protocol: undefined }))).toHaveLength(1);
    expect(world.description.faults(operation, { ...answer, status: 204 })).toHaveLength(1);
    expect(
      world.description.faults(operation, {
        ...answer,
        headers: { ...answer.headers, 'content-type': 'text/html' },
      }),
    ).toHaveLength(1);
    expect(world.description.codes(operation, 401)).toEqual(['unauthorized', 'bad_signature', 'clock_skew']);
  });

  test.each([
    ['GET', '/no/such', 404, 'not_found'],
    ['PUT', '/api/core/version', 405, 'method_not_allowed'],
    ['GET', '/api/core/events/%ff', 400, 'validation_failed'],
  ])('answers %s %s as every error is answered', async (method, path, status, error) => {
    const answer = await worlds[side].send({ method, path }, {});
    expect([answer.status, answer.headers['content-type']]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
    expect(jsonOf<object>(answer)).toMatchObject({
      error,
      message: expect.stringMatching(/[.]$/) as string,
      requestId: answer.headers['x-request-id'],
    });
  });
});
