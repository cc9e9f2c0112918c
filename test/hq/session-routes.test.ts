// A customer walks every route of the hub against things of another tenant, which, as those of the whole
// installation, have "bravo" in them; no answer may show it. Who adds a route says here what a stranger gets.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayAt } from '../../common/core/model-call/decide.ts';
import { Browser } from '../support/browser.ts';
import { SECOND } from '../support/clock.ts';
import { type Answer, expectStatus, jsonOf } from '../support/request.ts';
import { bare, openSessionRig, type SessionRig } from './session-rig.ts';
import { dutyTable, makeDuty, type TenantDuty } from './tenant-duty.ts';
import { integrationTable, makeIntegration } from './tenant-integration.ts';
import { makePlan, planTable } from './tenant-plan.ts';
import { type Fleet, fleetTable, makeFleet } from './tenant-release.ts';
import { SIGN_IN } from './tenant-sign-in.ts';
import { SUBSCRIPTIONS } from './tenant-subscriptions.ts';
import {
  batch,
  correction,
  CUSTOMER_PERMISSIONS,
  events,
  type Expected,
  group,
  knowledge,
  OWN_ROUTES,
  rule,
  settingsTable,
  STATISTICS,
  task,
  verdict,
} from './tenant-things.ts';

let rig: SessionRig;
let customer: Browser;
let foreign: number[];
let own: number[];
let foreignIntegration: Awaited<ReturnType<typeof makeIntegration>>;
let foreignDuty: TenantDuty;
let foreignPlan: string;
let foreignFleet: Fleet;
let foreignSession: string;
let foreignTask: number;
let foreignGroup: number;
let ownGroup: number;
let foreignKnowledge: number;
let foreignDoc: number;
let foreignAnswer: number;
let operations: { method: string; path: string; open: boolean }[];

const MISSING = 999_999;

beforeAll(async () => {
  rig = await openSessionRig();
  const {
    admin,
    hub: { store },
  } = rig;
  await rig.addUser('chief');
  await rig.addUser('alpha-user', {
    role: 'customer',
    tenant_code: 'alpha',
    permissions: CUSTOMER_PERMISSIONS,
  });
  await rig.addUser('alpha-bare', { role: 'customer', tenant_code: 'alpha', permissions: [] });
  await rig.addUser('bravo-user', { role: 'customer', tenant_code: 'bravo' });
  foreign = await rig.post('bravo', events('bravo', 4));
  own = await rig.post('alpha', events('alpha', 3));
  foreign.push(...(await rig.post('bravo', events('bravo_later', 2))));
  for (const [consumer, tenant] of [
    ['alpha-c', 'alpha'],
    ['bravo-c', 'bravo'],
    ['bravo-all', undefined],
  ]) {
    expectStatus(
      await admin('POST', '/api/core/events/subscribe', {
        consumer,
        start_cursor: 0,
        ...(tenant ? { tenant_code: tenant } : {}),
      }),
      201,
    );
  }
  for (const tenantCode of ['alpha', 'bravo'])
    await store.modelCalls.take({ tenantCode, day: dayAt(rig.clock.now()), kind: 'summary' }, 5);
  for (const [key, tenantCode] of [
    ['alpha-alarm', 'alpha'],
    ['bravo-alarm', 'bravo'],
    ['bravo-disk', null],
  ] as const) {
    await store.alarms.raise(
      { key, instance: 'hq', tenantCode, severity: 'warning', message: key },
      rig.clock.now(),
    );
  }
  const both = { instance: 'quarry', tenants: ['alpha', 'bravo'] };
  for (const site of [both, { instance: 'bravo-site', tenants: ['bravo'] }])
    expectStatus(await admin('POST', '/api/core/sites', site), 201);
  foreignFleet = await makeFleet(rig, 'bravo-site');
  expectStatus(
    await admin('POST', `/api/core/events/${foreign[0]}/verdict`, {
      verdict: 'confirmed',
      by: 'bravo-judge',
    }),
    200,
  );
  foreignTask = jsonOf<{ id: number }>(
    expectStatus(
      await admin('POST', '/api/core/objects/tasks', {
        ...task('bravo'),
        event_id: foreign[0],
        body: { bravo: 1 },
      }),
      201,
    ),
  ).id;
  expectStatus(await admin('POST', '/api/core/objects/tasks', { ...task('alpha'), event_id: own[0] }), 201);
  foreignGroup = jsonOf<{ id: number }>(
    expectStatus(await admin('POST', '/api/core/incidents/upsert', group('bravo', foreign[1])), 201),
  ).id;
  ownGroup = jsonOf<{ id: number }>(
    expectStatus(await admin('POST', '/api/core/incidents/upsert', group('alpha', own[0])), 201),
  ).id;
  const made = async (path: string, body: object) =>
    jsonOf<Record<string, number>>(expectStatus(await admin('POST', path, body), 200, 201));
  for (const tenant of ['alpha', 'bravo']) {
    foreignKnowledge = (await made('/api/core/objects/knowledge', knowledge(tenant))).coreId ?? 0;
    foreignDoc =
      (
        await made('/api/core/kb/docs', {
          tenant_code: tenant,
          src_system: 'manual',
          src_key: tenant,
          title: tenant,
          version: '1',
        })
      ).docId ?? 0;
    foreignAnswer =
      (
        await made('/api/core/kb/qa_log', {
          tenant_code: tenant,
          subject: `${tenant}-user`,
          question: tenant,
          answer: tenant,
        })
      ).qaId ?? 0;
  }
  for (const tenant of ['alpha', 'bravo'])
    expectStatus(await admin('POST', '/api/core/objects/rules', rule(tenant)), 201);
  await makeIntegration(rig, 'alpha');
  foreignIntegration = await makeIntegration(rig, 'bravo');
  await makeDuty(rig, 'alpha', 'alpha-user');
  foreignDuty = await makeDuty(rig, 'bravo', 'bravo-user');
  await makePlan(rig, 'alpha', 'quarry');
  foreignPlan = await makePlan(rig, 'bravo', 'quarry');
  foreignSession =
    jsonOf<{ items: { id: string }[] }>(
      await (await rig.browser('bravo-user')).call('GET', '/api/core/sessions'),
    ).items[0]?.id ?? '';
  customer = await rig.browser('alpha-user');
  const description = jsonOf<{ paths: Record<string, Record<string, { security: object[] }>> }>(
    await admin('GET', '/openapi.json'),
  );
  operations = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path,
      open: security.some((way) => 'session' in way) && security.every((way) => Object.keys(way).length > 0),
    })),
  );
  rig.clock.advance(5 * SECOND);
});
afterAll(() => rig.close());

const item = <T>(answer: Answer): T[] => jsonOf<{ items: T[] }>(answer).items;
const notForCustomers: Expected = { status: 403 };
const forbidden = (target: string): Expected => ({ ...notForCustomers, target: () => target });
const ownOnly = (target: string): Expected => ({
  target: () => target,
  status: 200,
  check: (answer) => {
    expect(item<object>(answer)).toMatchObject([{ tenantCode: 'alpha' }]);
    expect(jsonOf(answer)).toMatchObject({ hasMore: false, nextCursor: null });
  },
});
const byTask = (rest = '', body?: object): Expected => ({
  target: () => `/api/core/objects/tasks/${foreignTask}${rest}`,
  missing: { target: () => `/api/core/objects/tasks/${MISSING}${rest}` },
  status: 404,
  ...(body ? { body: () => ({ tenant_code: 'alpha', by: 'me', ...body }) } : {}),
});
const byGroup = (rest = '', body?: object): Expected => ({
  target: () => `/api/core/incidents/${foreignGroup}${rest}`,
  missing: { target: () => `/api/core/incidents/${MISSING}${rest}` },
  status: 404,
  ...(body ? { body: () => ({ by: 'me', ...body }) } : {}),
});
const byId = (rest = '') => ({
  target: () => `/api/core/events/${foreign[0]}${rest}`,
  missing: { target: () => `/api/core/events/${MISSING}${rest}` },
  status: 404,
});

const TABLE: Record<string, Expected> = {
  'GET /healthz': { status: 200 },
  'GET /readyz': { status: 200 },
  'GET /openapi.json': { status: 200 },
  'GET /docs': { status: 200 },
  'GET /docs/start.js': { status: 200 },
  'GET /docs/page.css': { status: 200 },
  'GET /docs/viewer.js': { status: 200 },
  'GET /docs/viewer.css': { status: 200 },
  'GET /metrics': notForCustomers,
  'GET /api/core/version': { status: 200 },
  'POST /api/core/events': notForCustomers,
  'GET /api/core/events/list': {
    target: () => `/api/core/events/list?limit=${own.length}&include_test=true`,
    status: 200,
    check: (answer) => {
      expect(item<{ id: number }>(answer).map(({ id }) => id)).toEqual([...own].reverse());
      // As many as there are: a count of other tenants' events would say that more remain.
      expect(jsonOf(answer)).toMatchObject({ hasMore: false, nextCursor: null });
    },
  },
  // No row names anything of another tenant.
  'GET /api/core/events/unjudged': {
    status: 200,
    target: () => '/api/core/events/unjudged?include_test=true',
  },
  'GET /api/core/events/{id}': byId(),
  'GET /api/core/events/{id}/earlier': byId('/earlier'),
  'POST /api/core/events/{id}/verdict': { ...byId('/verdict'), body: verdict },
  'GET /api/core/events/{id}/verdict': byId('/verdict'),
  'GET /api/core/verdicts/since': {
    target: () => '/api/core/verdicts/since?cursor=0',
    status: 200,
    check: (answer) => {
      for (const one of item<{ tenantCode: string }>(answer)) expect(one.tenantCode).toBe('alpha');
    },
  },
  'POST /api/core/events/{id}/corrections': { ...byId('/corrections'), body: correction },
  'GET /api/core/events/{id}/evidence': byId('/evidence'),
  'GET /api/core/events/{id}/evidence/{name}': byId('/evidence/a.jpg'),
  'PUT /api/core/events/{id}/evidence/{name}': {
    ...notForCustomers,
    target: () => `/api/core/events/${own[0]}/evidence/a.jpg`,
  },
  'GET /api/core/evidence/jobs': { status: 200, check: (answer) => expect(item<object>(answer)).toEqual([]) },
  'POST /api/core/objects/tasks': { ...notForCustomers, body: () => task('bravo') },
  'GET /api/core/objects/tasks': {
    target: () => '/api/core/objects/tasks?limit=1',
    status: 200,
    check: (answer) => {
      expect(item<object>(answer)).toMatchObject([{ tenantCode: 'alpha' }]);
      expect(jsonOf(answer)).toMatchObject({ hasMore: false, nextCursor: null });
    },
  },
  'GET /api/core/objects/tasks/{id}': byTask(),
  'POST /api/core/objects/tasks/{id}/transition': byTask('/transition', { to: 'taken_over' }),
  'POST /api/core/objects/tasks/{id}/steps': byTask('/steps', { kind: 'note', text: 'mine' }),
  'POST /api/core/objects/tasks/{id}/body': byTask('/body', { body: { mine: 1 } }),
  'POST /api/core/objects/tasks/{id}/edge_note': byTask('/edge_note', { text: 'mine' }),
  'POST /api/core/objects/tasks/batch_transition': {
    body: () => batch('alpha', foreign[0]),
    missing: { body: () => batch('alpha', MISSING) },
    status: 404,
  },
  'POST /api/core/objects/rules': { body: () => rule('bravo'), status: 403 },
  'POST /api/mind/rules': { body: () => rule('bravo'), status: 403 },
  'DELETE /api/core/objects/rules': forbidden('/api/core/objects/rules?tenant_code=bravo&kind=prompt&name=b'),
  'GET /api/core/objects/rules': ownOnly('/api/core/objects/rules?limit=1'),
  'GET /api/core/objects/rules/history': {
    target: () => '/api/core/objects/rules/history?kind=response&name=bravo-rule',
    missing: { target: () => '/api/core/objects/rules/history?kind=response&name=none-rule' },
    status: 404,
  },
  'GET /api/core/objects/rules/difference': {
    target: () => '/api/core/objects/rules/difference?kind=response&name=bravo-rule&from=1&to=1',
    missing: { target: () => '/api/core/objects/rules/difference?kind=response&name=none-rule&from=1&to=1' },
    status: 404,
  },
  'GET /api/agent/rules': ownOnly('/api/agent/rules'),
  'POST /api/agent/rules/reload': { status: 200 },
  'GET /api/agent/status': {
    status: 200,
    check: (answer) => expect(jsonOf(answer)).toMatchObject({ rules: 1, badRules: [] }),
  },
  'POST /api/agent/rules/explain': {
    body: () => ({ event_id: foreign[0] }),
    missing: { body: () => ({ event_id: MISSING }) },
    status: 404,
  },
  'POST /api/agent/rules/rehearse': {
    body: () => ({ rules: [rule('bravo')], since: '2020-01-01T00:00:00Z' }),
    status: 403,
  },
  'GET /api/agent/rules/event-types': {
    status: 200,
    check: (answer) => expect(jsonOf(answer)).toMatchObject({ tenantCode: 'alpha', version: null }),
  },
  'GET /api/agent/rules/thresholds': {
    status: 200,
    check: (answer) => expect(jsonOf(answer)).toMatchObject({ tenantCode: 'alpha', version: null }),
  },
  'POST /api/core/incidents/upsert': {
    body: () => group('alpha', foreign[0]),
    missing: { body: () => group('alpha', MISSING) },
    status: 400,
  },
  'GET /api/core/incidents': {
    target: () => '/api/core/incidents?limit=1&include_test=true',
    status: 200,
    check: (answer) => {
      expect(item<object>(answer)).toMatchObject([{ id: ownGroup, tenantCode: 'alpha' }]);
      expect(jsonOf(answer)).toMatchObject({ hasMore: false, nextCursor: null });
    },
  },
  'GET /api/core/incidents/{id}': byGroup(),
  'POST /api/core/incidents/{id}/confirm': byGroup('/confirm', {}),
  'POST /api/core/incidents/{id}/split': byGroup('/split', { event_ids: [1] }),
  'POST /api/core/incidents/{id}/merge': {
    target: () => `/api/core/incidents/${ownGroup}/merge`,
    body: () => ({ by: 'me', incident_ids: [foreignGroup] }),
    missing: { body: () => ({ by: 'me', incident_ids: [MISSING] }) },
    status: 404,
  },
  'POST /api/core/incidents/{id}/unmerge': byGroup('/unmerge', {}),
  ...SUBSCRIPTIONS,
  'GET /api/core/events/subscriptions': {
    status: 200,
    check: (answer) => expect(item<object>(answer)).toMatchObject([{ consumer: 'alpha-c', lag: own.length }]),
  },
  'GET /api/core/alarms': {
    target: () => '/api/core/alarms?limit=1&include_cleared=true',
    status: 200,
    check: (answer) => {
      expect(item<object>(answer)).toMatchObject([{ key: 'alpha-alarm' }]);
      expect(jsonOf(answer)).toMatchObject({ hasMore: false });
    },
  },
  'GET /api/core/alarms/count': {
    status: 200,
    check: (answer) => expect(jsonOf(answer)).toEqual({ total: 1, critical: 0, warning: 1 }),
  },
  'POST /api/core/alarms/clear': { ...notForCustomers, body: () => ({ key: 'bravo-alarm', instance: 'hq' }) },
  'POST /api/core/alarms/take': {
    ...notForCustomers,
    body: () => ({ key: 'bravo-alarm', instance: 'hq', by: 'x' }),
  },
  'GET /api/core/model-calls': {
    status: 200,
    check: (answer) => expect(item<object>(answer)).toMatchObject([{ tenantCode: 'alpha', calls: 1 }]),
  },
  'GET /api/core/audit': {
    status: 200,
    check: (answer) =>
      expect(new Set(item<{ tenantCode: string }>(answer).map((entry) => entry.tenantCode))).toEqual(
        new Set(['alpha']),
      ),
  },
  'GET /api/core/uplink/status': notForCustomers,
  'GET /api/core/uplink/sites': notForCustomers,
  'GET /api/core/uplink/zones': {
    status: 200,
    // `quarry` is of both tenants and has told nothing.
    check: (answer) => expect(item<object>(answer)).toEqual([]),
  },
  'GET /api/core/uplink/status/{instance}': forbidden('/api/core/uplink/status/bravo-site'),
  'GET /api/core/uplink/states': {
    status: 200,
    check: (answer) => expect(item<object>(answer)).toMatchObject([{ instance: 'quarry', state: 'silent' }]),
  },
  'GET /api/core/uplink/status/{instance}/hours': forbidden('/api/core/uplink/status/bravo-site/hours'),
  'GET /api/core/uplink/conflicts': notForCustomers,
  'GET /api/core/uplink/orders': notForCustomers,
  'GET /api/core/events/{id}/timeline': byId('/timeline?tenant_code=alpha'),
  'GET /api/core/stats/window': {
    target: () =>
      '/api/core/stats/window?tenant_code=alpha&since=2026-01-01T00:00:00Z&until=2026-04-01T00:00:00Z',
    status: 200,
    check: (answer) => {
      const { tasks } = jsonOf<{ tasks: { count: number }[] }>(answer);
      expect(tasks.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(1);
    },
  },
  ...STATISTICS,
  'POST /api/core/objects/knowledge': { ...notForCustomers, body: () => knowledge('alpha') },
  'GET /api/core/objects/knowledge': ownOnly('/api/core/objects/knowledge?limit=1'),
  'GET /api/core/objects/knowledge/{core_id}': {
    target: () => `/api/core/objects/knowledge/${foreignKnowledge}?tenant_code=alpha`,
    missing: { target: () => `/api/core/objects/knowledge/${MISSING}?tenant_code=alpha` },
    status: 404,
  },
  'GET /api/core/objects/knowledge/{core_id}/history': {
    target: () => `/api/core/objects/knowledge/${foreignKnowledge}/history?tenant_code=alpha`,
    missing: { target: () => `/api/core/objects/knowledge/${MISSING}/history?tenant_code=alpha` },
    status: 404,
  },
  'POST /api/core/objects/knowledge/{core_id}/revise': {
    ...notForCustomers,
    body: () => ({ tenant_code: 'alpha', sections: { a: 'x' }, by: 'me' }),
  },
  'POST /api/core/kb/docs': { ...notForCustomers, body: () => ({}) },
  'POST /api/core/kb/docs/upload': notForCustomers,
  'GET /api/core/kb/tenants': {
    target: () => '/api/core/kb/tenants',
    status: 200,
    check: (answer) => expect(jsonOf(answer)).toEqual({ tenants: ['alpha'] }),
  },
  'GET /api/core/kb/docs': ownOnly('/api/core/kb/docs?limit=1'),
  'GET /api/core/kb/docs/pending': notForCustomers,
  'GET /api/core/kb/docs/{doc_id}': {
    target: () => `/api/core/kb/docs/${foreignDoc}`,
    missing: { target: () => `/api/core/kb/docs/${MISSING}` },
    status: 404,
  },
  'POST /api/core/kb/docs/{doc_id}/file': notForCustomers,
  'GET /api/core/kb/docs/{doc_id}/file': {
    target: () => `/api/core/kb/docs/${foreignDoc}/file`,
    missing: { target: () => `/api/core/kb/docs/${MISSING}/file` },
    status: 404,
  },
  'GET /api/core/kb/readings': notForCustomers,
  'POST /api/core/kb/docs/{doc_id}/read': { ...notForCustomers, body: () => ({}) },
  'POST /api/core/kb/docs/{doc_id}/chunks': { ...notForCustomers, body: () => ({}) },
  'POST /api/core/kb/docs/{doc_id}/state': { ...notForCustomers, body: () => ({}) },
  'POST /api/core/kb/chunks/embed': { ...notForCustomers, body: () => ({}) },
  'POST /api/core/kb/search': {
    body: () => ({ tenant_code: 'bravo', subject: 'bravo-user', query: 'bravo' }),
    status: 403,
  },
  'GET /api/core/kb/synonyms': { target: () => '/api/core/kb/synonyms?tenant_code=bravo', status: 403 },
  'PUT /api/core/kb/synonyms': { ...notForCustomers, body: () => ({ tenant_code: 'alpha', groups: [] }) },
  'GET /api/core/kb/questions': notForCustomers,
  'DELETE /api/core/kb/questions/{question_id}': notForCustomers,
  'GET /api/core/kb/questions/wrong': notForCustomers,
  'DELETE /api/core/kb/questions/wrong/{qa_id}': notForCustomers,
  'POST /api/core/kb/chunks/verify': {
    body: () => ({ chunk_ids: [1] }),
    status: 200,
    check: (answer) => expect(item<object>(answer)).toMatchObject([{ reason: 'not_found' }]),
  },
  'GET /api/core/kb/sites': notForCustomers,
  'GET /api/core/kb/index': notForCustomers,
  'POST /api/core/kb/index/rebuild': notForCustomers,
  'POST /api/core/kb/clearance': {
    ...notForCustomers,
    body: () => ({ tenant_code: 'alpha', subject: 'alpha-user', level: 'secret' }),
  },
  'GET /api/core/kb/clearance': notForCustomers,
  'POST /api/core/kb/qa_log': {
    ...notForCustomers,
    body: () => ({ tenant_code: 'alpha', subject: 'alpha-user', question: 'q', answer: 'a' }),
  },
  'GET /api/core/kb/qa_log': {
    target: () => '/api/core/kb/qa_log?limit=1',
    status: 200,
    check: (answer) =>
      expect(item<object>(answer)).toMatchObject([{ tenantCode: 'alpha', asker: 'alpha-user' }]),
  },
  'GET /api/core/kb/qa_log/{qa_id}': {
    target: () => `/api/core/kb/qa_log/${foreignAnswer}`,
    missing: { target: () => `/api/core/kb/qa_log/${MISSING}` },
    status: 404,
  },
  'POST /api/core/kb/qa_log/{qa_id}/feedback': {
    target: () => `/api/core/kb/qa_log/${foreignAnswer}/feedback`,
    missing: { target: () => `/api/core/kb/qa_log/${MISSING}/feedback` },
    body: () => ({ feedback: 'wrong' }),
    status: 404,
  },
  'POST /api/core/kb/tenant_deletion/preview': { ...notForCustomers, body: () => ({ tenant_code: 'bravo' }) },
  'POST /api/core/kb/tenant_deletion': {
    ...notForCustomers,
    body: () => ({ tenant_code: 'bravo', confirm: 'bravo' }),
  },
  'GET /api/core/retention/scopes': notForCustomers,
  'POST /api/core/retention/scopes': {
    ...notForCustomers,
    body: () => ({ tenant_code: 'alpha', scope: 'qa_log', days: 1 }),
  },
  'DELETE /api/core/retention/scopes': forbidden('/api/core/retention/scopes?tenant_code=alpha&scope=qa_log'),
  'GET /api/core/notifications': {
    target: () => '/api/core/notifications',
    status: 200,
    check: (answer) => expect(item<object>(answer)).toEqual([]),
  },
  'GET /api/agent/decisions': {
    target: () => '/api/agent/decisions',
    status: 200,
    check: (answer) => expect(item<object>(answer)).toEqual([]),
  },
  'GET /api/core/secrets': notForCustomers,
  'PUT /api/core/secrets/{name}': { ...notForCustomers, body: () => ({}) },
  'DELETE /api/core/secrets/{name}': notForCustomers,
  'GET /api/agent/channels': notForCustomers,
  'POST /api/agent/channels': { ...notForCustomers, body: () => ({}) },
  'PATCH /api/agent/channels/{id}': { ...notForCustomers, body: () => ({}) },
  'DELETE /api/agent/channels/{id}': notForCustomers,
  'POST /api/agent/channels/{id}/test': notForCustomers,
  'GET /api/core/retention': notForCustomers,
  'GET /api/core/unplanned-ends': notForCustomers,
  'GET /api/core/last-backup': notForCustomers,
  'POST /api/core/retention/confirm': notForCustomers,
  'POST /api/core/uplink/events': notForCustomers,
  'POST /api/core/uplink/verdicts': notForCustomers,
  'POST /api/core/uplink/inbox': notForCustomers,
  'POST /api/core/uplink/library': notForCustomers,
  'POST /api/core/uplink/notifications': notForCustomers,
  'POST /api/core/uplink/evidence/states': notForCustomers,
  'PUT /api/core/uplink/evidence/previews': notForCustomers,
  'PUT /api/core/uplink/evidence/{want_id}': notForCustomers,
  'GET /api/core/nodes': notForCustomers,
  'POST /api/core/nodes': notForCustomers,
  'POST /api/core/nodes/{key_id}/rotate': notForCustomers,
  'DELETE /api/core/nodes/{key_id}': notForCustomers,
  'GET /api/core/admin_keys': notForCustomers,
  'POST /api/core/admin_keys': notForCustomers,
  'POST /api/core/admin_keys/{name}/rotate': notForCustomers,
  'DELETE /api/core/admin_keys/{name}': notForCustomers,
  'POST /api/core/consumers/{consumer}/keys': notForCustomers,
  'GET /api/core/consumer-keys': notForCustomers,
  'POST /api/core/consumer-keys/{key_id}/rotate': notForCustomers,
  'DELETE /api/core/consumer-keys/{key_id}': notForCustomers,
  ...integrationTable(() => foreignIntegration),
  ...dutyTable({ of: () => foreignDuty, event: () => foreign[0] ?? 0 }),
  ...planTable(() => foreignPlan),
  'GET /api/subscribe/v1/datasets': notForCustomers,
  'GET /api/subscribe/v1/datasets/{key}': notForCustomers,
  'GET /api/core/sites': notForCustomers,
  'POST /api/core/sites': notForCustomers,
  'POST /api/core/sites/{instance}/codes': notForCustomers,
  ...fleetTable(() => foreignFleet),
  'PUT /api/core/uplink/requests/{request_id}/file': notForCustomers,
  'GET /api/core/uplink/releases/{sha256}': notForCustomers,
  'POST /api/core/sites/join': { status: 401, body: () => ({ code: '7K2M-Q9TD' }) },
  'PATCH /api/core/sites/{instance}': notForCustomers,
  'GET /api/core/site-groups': {
    target: () => '/api/core/site-groups',
    status: 200,
    check: (answer) => expect(item<object>(answer)).toEqual([]),
  },
  'POST /api/core/site-groups': notForCustomers,
  ...settingsTable,
  'DELETE /api/core/sites/{instance}': notForCustomers,
  'POST /api/core/sites/{instance}/keys': notForCustomers,
  'DELETE /api/core/sites/{instance}/keys/{key_id}': notForCustomers,
  'POST /api/core/sites/{instance}/keys/{key_id}/rotate': notForCustomers,
  'GET /api/core/permissions': notForCustomers,
  'GET /api/core/users': notForCustomers,
  'POST /api/core/users': {
    ...notForCustomers,
    body: () => ({ name: 'new', role: 'operator', password: 'long enough 1' }),
  },
  'PATCH /api/core/users/{name}': {
    ...notForCustomers,
    target: () => '/api/core/users/bravo-user',
    body: () => ({ disabled: true }),
  },
  'GET /api/core/session': {
    status: 200,
    check: (answer) =>
      expect(jsonOf(answer)).toMatchObject({ name: 'alpha-user', role: 'customer', tenantCode: 'alpha' }),
  },
  'GET /api/core/sessions': {
    status: 200,
    check: (answer) =>
      expect(new Set(item<{ name: string }>(answer).map((one) => one.name))).toEqual(new Set(['alpha-user'])),
  },
  'DELETE /api/core/sessions/{id}': {
    target: () => `/api/core/sessions/${foreignSession}`,
    missing: { target: () => `/api/core/sessions/${MISSING}` },
    status: 404,
  },
  'POST /api/core/session/login': {
    body: () => ({ name: 'bravo-user', password: 'a wrong one' }),
    missing: { body: () => ({ name: 'nobody', password: 'a wrong one' }) },
    status: 401,
  },
  'POST /api/core/session/password': {
    body: () => ({ current_password: 'a wrong one', new_password: 'long enough 1' }),
    status: 403,
  },
  ...SIGN_IN,
  // Last, since it ends the session.
  'POST /api/core/session/logout': { status: 200 },
  'POST /api/core/session/provider/logout': { status: 401 },
};

describe('a customer of alpha', () => {
  test('finds every route in the table, and the table names no other', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      Object.keys(TABLE).sort(),
    );
  });

  test.each(Object.entries(TABLE))('%s', async (name, expected) => {
    const [method = '', path = ''] = name.split(' ');
    const call = (way: { target?: (() => string) | undefined; body?: (() => unknown) | undefined }) =>
      customer.call(method, way.target?.() ?? expected.target?.() ?? path.replace(/\{\w+\}/g, 'bravo-1'), {
        body: way.body?.() ?? expected.body?.(),
      });
    const answer = await call({});
    expect(answer.status, answer.text).toBe(expected.status);
    expect(bare(answer)).not.toContain('bravo');
    await expected.check?.(answer);
    if (!expected.missing) return;
    const nothing = await call(expected.missing);
    expect([nothing.status, bare(nothing)]).toEqual([answer.status, bare(answer)]);
  });
});

describe('a customer of alpha, further', () => {
  beforeAll(async () => {
    customer = await rig.browser('alpha-user');
  });

  test('what it did to the things of others had no effect', async () => {
    const event = jsonOf<{ verdict: string; correctedTo: null }>(
      await rig.admin('GET', `/api/core/events/${foreign[0]}`),
    );
    expect(event).toMatchObject({ verdict: 'confirmed', correctedTo: null });
    expect(item<object>(await rig.admin('GET', `/api/core/audit?subject=event:${foreign[0]}`))).toHaveLength(
      1,
    );
    expect(item<object>(await rig.admin('GET', '/api/core/sessions?user=bravo-user'))).toHaveLength(1);
    expect(jsonOf(await rig.admin('GET', `/api/core/objects/tasks/${foreignTask}`))).toMatchObject({
      state: 'open',
      stepCount: 0,
      body: { bravo: 1, history: [{}], edge_notes: [] },
    });
    expect(jsonOf(await rig.admin('GET', `/api/core/incidents/${foreignGroup}`))).toMatchObject({
      state: 'auto',
      memberCount: 1,
      mergedInto: null,
    });
  });

  test('may not name another tenant', async () => {
    for (const path of ['events/list', 'events/unjudged', 'alarms', 'audit', 'objects/tasks', 'incidents'])
      expect((await customer.call('GET', `/api/core/${path}?tenant_code=bravo`)).status).toBe(403);
    for (const id of [own[0], foreign[0], MISSING]) {
      const answer = await customer.call('POST', `/api/core/events/${id}/verdict`, {
        body: { ...verdict(), tenant_code: 'bravo' },
      });
      expect([answer.status, jsonOf<{ error: string }>(answer).error]).toEqual([403, 'tenant_mismatch']);
    }
    expect((await customer.call('GET', '/api/core/sessions?user=bravo-user')).status).toBe(403);
    // With the tenant that the task really has, it is none the less not there.
    for (const body of [batch('bravo', foreign[0]), { ...batch('bravo', undefined), event_id: own[0] }]) {
      expect((await customer.call('POST', '/api/core/objects/tasks/batch_transition', { body })).status).toBe(
        404,
      );
    }
    for (const id of [foreignTask, MISSING]) {
      expect(
        (
          await customer.call('POST', `/api/core/objects/tasks/${id}/transition`, {
            body: { tenant_code: 'bravo', to: 'taken_over', by: 'me' },
          })
        ).status,
      ).toBe(404);
    }
    for (const event of [own[1], foreign[0], MISSING])
      expect(
        (await customer.call('POST', '/api/core/incidents/upsert', { body: group('bravo', event) })).status,
      ).toBe(403);
    // Its own task may not be put on an event of theirs.
    expect(
      (
        await customer.call('POST', '/api/core/objects/tasks', {
          body: { ...task('alpha'), event_id: foreign[0] },
        })
      ).status,
    ).toBe(400);
  });

  test("merges into another tenant's event as into one that does not exist", async () => {
    const merge = (target: number | undefined) =>
      customer.call('POST', `/api/core/events/${own[1]}/verdict`, {
        body: { verdict: 'merged', by: 'me', merged_into: target },
      });
    const [theirs, nobodys] = [await merge(foreign[0]), await merge(MISSING)];
    expect(theirs.status).toBe(400);
    expect([theirs.status, bare(theirs)]).toEqual([nobodys.status, bare(nobodys)]);
    expect((await merge(own[2])).status).toBe(200);
  });

  test('pulls and confirms its own subscription, and none that is for every tenant', async () => {
    const batch = await customer.call('GET', '/api/core/events/since?consumer=alpha-c');
    expect(item<{ id: number }>(batch).map(({ id }) => id)).toEqual(own);
    expect(batch.text).not.toContain('bravo');
    expect(
      (await customer.call('POST', '/api/core/events/ack', { body: { consumer: 'alpha-c', cursor: own[0] } }))
        .status,
    ).toBe(200);
    expect(item<object>(await customer.call('GET', '/api/core/events/subscriptions'))).toMatchObject([
      { lag: own.length - 1 },
    ]);
    expect((await customer.call('GET', '/api/core/events/since?consumer=bravo-all')).status).toBe(404);
    expect(
      (await customer.call('POST', '/api/core/events/ack', { body: { consumer: 'bravo-all', cursor: 0 } }))
        .status,
    ).toBe(404);
  });

  test('judges its own events', async () => {
    expect(
      (
        await customer.call('POST', `/api/core/events/${own[0]}/verdict`, {
          body: { ...verdict(), tenant_code: 'alpha' },
        })
      ).status,
    ).toBe(200);
    expect(
      (await customer.call('POST', `/api/core/events/${own[0]}/corrections`, { body: correction() })).status,
    ).toBe(201);
  });
});

describe('every route that is open to sessions', () => {
  test('refuses a change without the header, also to an operator', async () => {
    const chief = await rig.browser('chief');
    for (const { method, path } of operations.filter((one) => one.open && one.method !== 'GET')) {
      const answer = await chief.call(method, path.replace(/\{\w+\}/g, '1'), { headers: {}, body: {} });
      expect([path, answer.status, jsonOf<{ error: string }>(answer).error]).toEqual([path, 403, 'csrf']);
    }
    expect((await chief.call('GET', '/api/core/session', { headers: {} })).status).toBe(200);
  });

  test('names a permission, and refuses who does not have it', async () => {
    const bareUser = await rig.browser('alpha-bare');
    const own = new Set(OWN_ROUTES);
    for (const { method, path } of operations.filter((one) => one.open && !own.has(one.path))) {
      const answer = await bareUser.call(method, path.replace(/\{\w+\}/g, '1'), { body: {} });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.text).toContain('This call needs the permission');
    }
  });

  test('is closed without a session, and with one that does not exist', async () => {
    const nobody = new Browser(rig.hub.url);
    const ended = new Browser(rig.hub.url);
    ended.cookies.set('fieldline_session', `flx_${'A'.repeat(43)}`);
    for (const { method, path } of operations.filter((one) => one.open)) {
      for (const browser of [nobody, ended])
        expect([path, (await browser.call(method, path.replace(/\{\w+\}/g, '1'))).status]).toEqual([
          path,
          401,
        ]);
    }
  });
});
