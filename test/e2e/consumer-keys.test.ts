// A consumer's key of one tenant walks every route of both programs: it opens what its scopes name, of its
// own tenant, and nothing else.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stores } from '../../common/core/stores.ts';
import { type Scope, scopes } from '../../common/http/access.ts';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { batch, correction, events, group, STATISTICS, task, verdict } from '../hq/tenant-things.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

interface Rig {
  url: string;
  call: Call;
  store: Stores;
  operations: { method: string; path: string; scopes: string[]; open: boolean }[];
  /** Of alpha, with every scope. */
  full: SigningKey;
  own: number[];
  foreign: number[];
  foreignTask: number;
  foreignGroup: number;
}

const SIDES = ['site', 'hub'] as const;
const rigs = {} as Record<(typeof SIDES)[number], Rig>;
let scene: Scene;
const MISSING = 999_999;

const ask = (rig: Rig, key: SigningKey, method: string, path: string, body?: unknown): Promise<Answer> =>
  signedCall({
    url: rig.url,
    key,
    method,
    path,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const issue = async (call: Call, consumer: string, body: object): Promise<SigningKey> =>
  jsonOf<SigningKey>(expectStatus(await call('POST', `/api/core/consumers/${consumer}/keys`, body), 201));
const itemsOf = <T>(answer: Answer): T[] => jsonOf<{ items: T[] }>(expectStatus(answer, 200)).items;

async function fill(url: string, call: Call, store: Stores): Promise<Rig> {
  const post = async (tenant: string, count: number): Promise<number[]> => {
    const key = jsonOf<SigningKey>(
      expectStatus(
        await call('POST', '/api/core/nodes', { tenant_code: tenant, name: `${tenant}-camera` }),
        201,
      ),
    );
    const answer = await signedCall({
      url,
      key,
      method: 'POST',
      path: '/api/core/events',
      body: JSON.stringify({ events: events(tenant, count) }),
    });
    return itemsOf<{ id: number }>({ ...expectStatus(answer, 201), status: 200 }).map(({ id }) => id);
  };
  const made = async (path: string, body: object): Promise<number> =>
    jsonOf<{ id: number }>(expectStatus(await call('POST', path, body), 201)).id;
  const foreign = await post('bravo', 3);
  const own = await post('alpha', 3);
  for (const [consumer, tenant] of [
    ['agent', 'alpha'],
    ['bravo-c', 'bravo'],
    ['all', undefined],
  ]) {
    expectStatus(
      await call('POST', '/api/core/events/subscribe', {
        consumer,
        start_cursor: 0,
        ...(tenant ? { tenant_code: tenant } : {}),
      }),
      201,
    );
  }
  const foreignTask = await made('/api/core/objects/tasks', { ...task('bravo'), event_id: foreign[0] });
  const foreignGroup = await made('/api/core/incidents/upsert', group('bravo', foreign[1]));
  for (const at of [foreign[0], foreign[2]])
    expectStatus(
      await call('POST', `/api/core/events/${at}/verdict`, { verdict: 'confirmed', by: 'bravo-judge' }),
      200,
    );
  const full = await issue(call, 'agent', { tenant_code: 'alpha', scopes });
  const { paths } = jsonOf<{
    paths: Record<string, Record<string, { security: Record<string, string[]>[] }>>;
  }>(await call('GET', '/openapi.json'));
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path,
      scopes: security.flatMap((way) => way.consumerSignature ?? []),
      open: security.length === 0,
    })),
  );
  return { url, call, store, operations, full, own, foreign, foreignTask, foreignGroup };
}

beforeAll(async () => {
  scene = new Scene();
  const [here, hub] = [await startSiteHere(scene), await startHubHere(scene)];
  rigs.site = await fill(here.site.url, here.call, here.site.store);
  rigs.hub = await fill(hub.hub.url, hub.call, hub.hub.store);
});
afterAll(() => scene.close());

interface Expected {
  target?: (rig: Rig) => string;
  body?: (rig: Rig) => unknown;
  status: number;
  check?: (answer: Answer, rig: Rig) => void;
}
const byEvent = (rest = ''): Expected => ({
  target: ({ foreign }) => `/api/core/events/${foreign[0]}${rest}`,
  status: 404,
});
const byTask = (rest: string, body?: object): Expected => ({
  target: ({ foreignTask }) => `/api/core/objects/tasks/${foreignTask}${rest}`,
  status: 404,
  ...(body ? { body: () => ({ tenant_code: 'alpha', by: 'me', ...body }) } : {}),
});
const empty: Expected['check'] = (answer) =>
  expect(jsonOf(answer)).toMatchObject({ items: [], hasMore: false });

/** What a stranger to bravo gets who asks for something of bravo's. */
const OPEN: Record<string, Expected> = {
  'GET /api/core/events/since': { target: () => '/api/core/events/since?consumer=bravo-c', status: 403 },
  'GET /api/core/events/stream': { target: () => '/api/core/events/stream?consumer=bravo-c', status: 403 },
  'POST /api/core/events/ack': { body: () => ({ consumer: 'bravo-c', cursor: 1 }), status: 403 },
  'GET /api/core/events/list': {
    target: ({ own }) => `/api/core/events/list?limit=${own.length}&include_test=true`,
    status: 200,
    check: (answer, { own }) => {
      expect(itemsOf<{ id: number }>(answer).map(({ id }) => id)).toEqual([...own].reverse());
      expect(jsonOf(answer)).toMatchObject({ hasMore: false, nextCursor: null });
    },
  },
  'GET /api/core/events/unjudged': {
    target: () => '/api/core/events/unjudged?include_test=true',
    status: 200,
    check: (answer, { own }) =>
      expect(own).toEqual(
        expect.arrayContaining(itemsOf<{ ids: number[] }>(answer).flatMap(({ ids }) => ids)),
      ),
  },
  'GET /api/core/events/{id}': byEvent(),
  'GET /api/core/events/{id}/timeline': byEvent('/timeline?tenant_code=alpha'),
  'GET /api/core/events/{id}/earlier': byEvent('/earlier'),
  'GET /api/core/events/{id}/evidence': byEvent('/evidence'),
  'GET /api/core/events/{id}/evidence/{name}': byEvent('/evidence/a.jpg'),
  'GET /api/core/evidence/jobs': { status: 200, check: empty },
  'GET /api/core/events/{id}/verdict': byEvent('/verdict'),
  'GET /api/core/verdicts/since': {
    target: () => '/api/core/verdicts/since?cursor=0',
    status: 200,
    check: empty,
  },
  'POST /api/core/events/{id}/verdict': { ...byEvent('/verdict'), body: verdict },
  'POST /api/core/events/{id}/corrections': { ...byEvent('/corrections'), body: correction },
  'POST /api/core/objects/tasks': { body: () => task('bravo'), status: 403 },
  'GET /api/core/objects/tasks': { status: 200, check: empty },
  'GET /api/core/objects/tasks/{id}': byTask(''),
  'POST /api/core/objects/tasks/{id}/transition': byTask('/transition', { to: 'taken_over' }),
  'POST /api/core/objects/tasks/{id}/steps': byTask('/steps', { kind: 'note', text: 'mine' }),
  'POST /api/core/objects/tasks/{id}/body': byTask('/body', { body: { mine: 1 } }),
  'POST /api/core/objects/tasks/{id}/edge_note': byTask('/edge_note', { text: 'mine' }),
  'POST /api/core/objects/tasks/batch_transition': {
    body: ({ foreign }) => batch('alpha', foreign[0]),
    status: 404,
  },
  'POST /api/core/incidents/upsert': { body: ({ foreign }) => group('alpha', foreign[1]), status: 400 },
  'GET /api/core/incidents': {
    target: () => '/api/core/incidents?include_test=true',
    status: 200,
    check: empty,
  },
  'GET /api/core/incidents/{id}': {
    target: ({ foreignGroup }) => `/api/core/incidents/${foreignGroup}`,
    status: 404,
  },
  'GET /api/core/stats/window': {
    target: () =>
      '/api/core/stats/window?tenant_code=bravo&since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z',
    status: 403,
  },
  ...STATISTICS,
  'POST /api/core/kb/search': {
    body: () => ({ tenant_code: 'bravo', query: 'wind' }),
    status: 403,
  },
  'POST /api/core/kb/chunks/verify': {
    body: () => ({ tenant_code: 'bravo', chunk_ids: [1] }),
    status: 403,
  },
  'POST /api/core/kb/qa_log': {
    body: () => ({ tenant_code: 'bravo', question: 'q', answer: 'a' }),
    status: 403,
  },
  'GET /api/core/version': { status: 200 },
  'GET /api/subscribe/v1/datasets': { status: 200 },
  'GET /api/subscribe/v1/datasets/{key}': {
    target: () => '/api/subscribe/v1/datasets/tasks?tenant=bravo',
    status: 403,
  },
};
const ONLY_HUB = new Set([
  ...Object.keys(STATISTICS),
  'POST /api/core/kb/chunks/verify',
  'POST /api/core/kb/qa_log',
  'GET /api/subscribe/v1/datasets',
  'GET /api/subscribe/v1/datasets/{key}',
]);

describe.each(SIDES)('at a %s a key of alpha', (side) => {
  test('opens the routes of this table and no other', () => {
    const open = rigs[side].operations
      .filter((one) => one.scopes.length > 0)
      .map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual(
      Object.keys(OPEN)
        .filter((name) => side === 'hub' || !ONLY_HUB.has(name))
        .sort(),
    );
  });

  test('is refused by every other route, with every scope', async () => {
    const rig = rigs[side];
    const closed = rig.operations.filter(({ scopes: named, open }) => named.length === 0 && !open);
    expect(closed.length).toBeGreaterThan(30);
    for (const { method, path } of closed) {
      const answer = await ask(
        rig,
        rig.full,
        method,
        path.replace(/\{\w+\}/g, '1'),
        method === 'GET' ? undefined : {},
      );
      expect([method, path, answer.status]).toEqual([method, path, 403]);
    }
  });

  test('gets nothing of bravo, and no other answer than for what does not exist', async () => {
    const rig = rigs[side];
    const missing: Rig = {
      ...rig,
      foreign: [MISSING, MISSING, MISSING],
      foreignTask: MISSING,
      foreignGroup: MISSING,
    };
    const bare = (answer: Answer) =>
      answer.text
        .replace(/"requestId":"[^"]*"/, '')
        .replace(/([Ee]vent|Task|Incident|事件|任务|事件组) \d+/g, '$1 X');
    for (const [name, { target, body, status, check }] of Object.entries(OPEN)) {
      if (side === 'site' && ONLY_HUB.has(name)) continue;
      const [method = '', path = ''] = name.split(' ');
      const send = (of: Rig) => ask(rig, rig.full, method, target?.(of) ?? path, body?.(of));
      const [answer, nothing] = [await send(rig), await send(missing)];
      expect([name, answer.status], answer.text).toEqual([name, status]);
      expect([nothing.status, bare(nothing)]).toEqual([answer.status, bare(answer)]);
      expect(bare(answer).replace('bravo-c', '')).not.toContain('bravo');
      check?.(answer, rig);
    }
    expect(jsonOf(await rig.call('GET', `/api/core/objects/tasks/${rig.foreignTask}`))).toMatchObject({
      state: 'open',
      stepCount: 0,
    });
    expect(jsonOf(await rig.call('GET', `/api/core/events/${rig.foreign[0]}`))).toMatchObject({
      verdict: 'confirmed',
      correctedTo: null,
    });
  });

  test.each(scopes)('with the scope %s alone opens the routes that name it', async (scope: Scope) => {
    const rig = rigs[side];
    const key = await issue(rig.call, 'agent', { tenant_code: 'alpha', scopes: [scope] });
    for (const { method, path, scopes: named } of rig.operations.filter((one) => one.scopes.length > 0)) {
      const answer = await ask(
        rig,
        key,
        method,
        path.replace('{key}', 'none').replace(/\{\w+\}/g, String(MISSING)),
        method === 'GET' ? undefined : {},
      );
      const refused = answer.status === 403 && answer.text.includes('needs a key with the scope');
      expect([method, path, refused], answer.text).toEqual([method, path, !named.includes(scope)]);
    }
  });

  test('works on what is its own, and is named as who did it', async () => {
    const rig = rigs[side];
    const { full: key, own } = rig;
    const good = async (method: string, path: string, body?: unknown, status = 200) =>
      expectStatus(await ask(rig, key, method, path, body), status);
    const [first, second] = own;
    const batchOf = await until('the events are old enough to be pulled', async () => {
      const pulled = jsonOf<{ items: { id: number }[]; nextCursor: number }>(
        await good('GET', '/api/core/events/since?consumer=agent'),
      );
      return pulled.items.length === own.length && pulled;
    });
    expect(batchOf.items.map(({ id }) => id)).toEqual(own);
    await good('POST', '/api/core/events/ack', { consumer: 'agent', cursor: batchOf.nextCursor });
    await good('GET', `/api/core/events/${first}`);
    await good('POST', `/api/core/events/${first}/verdict`, { verdict: 'confirmed', by: 'model 7' });
    await good('POST', `/api/core/events/${second}/verdict`, {
      verdict: 'confirmed',
      by: 'li',
      by_kind: 'human',
    });
    await good(
      'POST',
      `/api/core/events/${second}/corrections`,
      { verdict: 'false_alarm', by: 'model 7', note: 'a shadow' },
      201,
    );
    const { id } = jsonOf<{ id: number }>(
      await good('POST', '/api/core/objects/tasks', { ...task('alpha'), event_id: first }, 201),
    );
    await good('POST', `/api/core/objects/tasks/${id}/transition`, {
      tenant_code: 'alpha',
      to: 'taken_over',
      by: 'model 7',
    });
    await good('POST', '/api/core/incidents/upsert', group('alpha', first), 201);
    const steps = async (event: number | undefined) =>
      jsonOf<{ steps: { kind: string; basis?: string }[] }>(
        await good('GET', `/api/core/events/${event}/timeline?tenant_code=alpha`),
      )
        .steps.filter(({ kind }) => kind === 'verdict')
        .map(({ basis }) => basis);
    expect([await steps(first), await steps(second)]).toEqual([['machine'], ['human', 'machine']]);
    const audited = itemsOf<{ actor: string; action: string }>(
      await rig.call('GET', '/api/core/audit?actor=consumer:agent&tenant_code=alpha'),
    );
    expect(new Set(audited.map(({ actor }) => actor))).toEqual(new Set(['consumer:agent from 127.0.0.1']));
    expect(audited.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['verdict.written', 'verdict.corrected', 'task.created', 'incident.created']),
    );
    expect(audited.map(({ action }) => action)).not.toContain('subscription.acknowledged');
  });

  test('that pulls is for the tenant of its subscription, and cannot be bound to another', async () => {
    const rig = rigs[side];
    const wanted = (consumer: string, body: object) =>
      rig.call('POST', `/api/core/consumers/${consumer}/keys`, body);
    for (const consumer of ['all', 'bravo-c']) {
      const answer = expectStatus(await wanted(consumer, { tenant_code: 'alpha' }), 400);
      expect(jsonOf<{ details: { path: string }[] }>(answer).details).toMatchObject([
        { path: 'tenant_code' },
      ]);
      expectStatus(await wanted(consumer, { tenant_code: 'alpha', scopes: ['tasks.read'] }), 201);
    }
    expectStatus(await wanted('agent', { scopes: ['events.fly'] }), 400);
    const inherited = await issue(rig.call, 'bravo-c', { scopes: ['events.read'] });
    expect(
      itemsOf<{ tenantCode: string }>(await ask(rig, inherited, 'GET', '/api/core/events/list')).every(
        ({ tenantCode }) => tenantCode === 'bravo',
      ),
    ).toBe(true);
    const early = await issue(rig.call, 'later', { tenant_code: 'alpha' });
    expectStatus(await rig.call('POST', '/api/core/events/subscribe', { consumer: 'later' }), 201);
    const answer = expectStatus(await ask(rig, early, 'GET', '/api/core/events/since?consumer=later'), 404);
    expect(answer.text).toContain('registered for the tenant of this key');
  });

  test('of every tenant reads them all', async () => {
    const rig = rigs[side];
    const key = await issue(rig.call, 'all', { scopes: ['events.read'] });
    expect(itemsOf<object>(await ask(rig, key, 'GET', '/api/core/events/list'))).toHaveLength(
      rig.own.length + rig.foreign.length,
    );
    expect(
      itemsOf<object>(await ask(rig, key, 'GET', '/api/core/events/list?tenant_code=bravo')),
    ).toHaveLength(rig.foreign.length);
  });

  test('is listed with its scopes, rotated and removed', async () => {
    const rig = rigs[side];
    const key = await issue(rig.call, 'agent', { key_id: 'turning', scopes: ['tasks.read', 'tasks.read'] });
    expect(
      itemsOf<{ keyId: string }>(await rig.call('GET', '/api/core/consumer-keys')).find(
        ({ keyId }) => keyId === 'turning',
      ),
    ).toMatchObject({
      name: 'agent',
      tenantCode: 'alpha',
      scopes: ['tasks.read'],
      previousSecretUntil: null,
    });
    const next = jsonOf<SigningKey>(
      expectStatus(
        await rig.call('POST', '/api/core/consumer-keys/turning/rotate', { overlap_hours: 1 }),
        200,
      ),
    );
    for (const live of [key, next]) expectStatus(await ask(rig, live, 'GET', '/api/core/objects/tasks'), 200);
    expectStatus(await rig.call('POST', '/api/core/nodes/turning/rotate'), 404);
    expectStatus(await rig.call('DELETE', '/api/core/consumer-keys/turning'), 200);
    expectStatus(await ask(rig, next, 'GET', '/api/core/objects/tasks'), 401);
  });
});
