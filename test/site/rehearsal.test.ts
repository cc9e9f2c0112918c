// Rules rehearsed on the recorded events of a period before they are registered, and the thresholds in force.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SiteHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { expectStatus, jsonOf, signedCall } from '../support/request.ts';

let scene: Scene;
let here: SiteHere;
beforeEach(async () => {
  scene = new Scene();
  here = await startSiteHere(scene, { env: { AGENT_TENANTS: 'acme,other' } });
});
afterEach(() => scene.close());

const DAY = '2026-03-01';
const rule = (name: string, match: object, action: object, priority = 100) => ({
  tenant_code: 'acme',
  kind: 'response',
  name,
  body: { priority, match, action },
});

/** A minute of the day for each. */
async function post(events: readonly object[], tenant = 'acme'): Promise<number[]> {
  const key = await here.node(`c-${tenant}`, tenant);
  const body = JSON.stringify({
    events: events.map((event, index) => ({
      idempotency_key: `${tenant}-${index}`,
      occurred_at: `${DAY}T08:0${index}:00Z`,
      ...event,
    })),
  });
  const answer = await signedCall({
    url: here.site.url,
    key,
    method: 'POST',
    path: '/api/core/events',
    body,
  });
  return jsonOf<{ items: { id: number }[] }>(expectStatus(answer, 201)).items.map(({ id }) => id);
}

interface Told {
  rules: { name: string | null; draft: boolean; before: number; after: number }[];
  examples: { eventId: number; before: { ruleName: string | null }; after: { outcome: string } }[];
}
const rehearse = async (body: object): Promise<Told> =>
  jsonOf<Told>(
    expectStatus(
      await here.call('POST', '/api/agent/rules/rehearse', { since: `${DAY}T00:00:00Z`, ...body }),
      200,
    ),
  );

test('a draft beside what is in force: counts by rule, what changes, examples; nothing is registered', async () => {
  expectStatus(
    await here.call(
      'POST',
      '/api/mind/rules',
      rule('vehicles', { event_types: ['vehicle.*'] }, { kind: 'review' }),
    ),
    201,
  );
  const ids = await post([
    { type: 'vehicle.intrusion', severity: 'high', camera_ref: 'c1' },
    { type: 'vehicle.intrusion', severity: 'low', camera_ref: 'c1' },
    { type: 'vehicle.intrusion', severity: 'high', camera_ref: 'c1' },
    { type: 'person.fall', severity: 'high', camera_ref: 'c1' },
    { type: 'vehicle.intrusion', is_test: true },
    { type: 'vehicle.intrusion', occurred_at: '2026-02-01T00:00:00Z' },
  ]);
  await post([{ type: 'vehicle.intrusion' }], 'other');
  const draft = rule('grave', { min_severity: 'high' }, { kind: 'notify', cooldown_s: 3600 }, 10);
  const told = await rehearse({ rules: [draft] });
  expect(told).toMatchObject({
    events: 4,
    complete: true,
    changed: 3,
    before: { notify: 0, review: 4, suppressed: 0, told: 0 },
    // Of two at one camera the second falls into the cooldown of the first; the fall is of another type.
    after: { notify: 2, review: 1, suppressed: 1, observed: 0, told: 2 },
    rules: [
      { tenantCode: 'acme', name: 'grave', draft: true, before: 0, after: 3 },
      { name: 'vehicles', draft: false, before: 3, after: 1 },
      { name: null, draft: false, before: 1, after: 0 },
    ],
  });
  expect(told.examples.map(({ eventId }) => eventId)).toEqual([ids[3], ids[2], ids[0]]);
  expect(told.examples[1]).toMatchObject({
    changed: true,
    before: { ruleName: 'vehicles', kind: 'review', outcome: 'task' },
    after: { ruleName: 'grave', kind: 'notify', outcome: 'suppressed', channels: [] },
  });
  // A draft of the same name takes the place of the rule; the newest events go before older ones.
  const renewed = await rehearse({
    rules: [{ ...rule('vehicles', {}, { kind: 'review' }), body: { enabled: false } }],
    limit: 2,
  });
  expect(renewed).toMatchObject({
    events: 2,
    complete: false,
    rules: [{ name: null, after: 2 }, { after: 0 }],
  });
  // Without a draft it says what is in force.
  expect(await rehearse({ tenant_code: 'other' })).toMatchObject({ events: 1, changed: 0, examples: [] });
  const { items } = jsonOf<{ items: object[] }>(await here.call('GET', '/api/core/objects/rules'));
  expect(items).toMatchObject([{ name: 'vehicles', version: 1 }]);
});

test('what a draft hides and what is wrong with it is told, each fault with its rule', async () => {
  expectStatus(
    await here.call('POST', '/api/mind/rules', rule('gate', { camera_refs: ['c1'] }, { kind: 'review' })),
    201,
  );
  expect(await rehearse({ rules: [rule('all', {}, { kind: 'review' }, 1)] })).toMatchObject({
    shadowed: [{ tenantCode: 'acme', name: 'gate', by: { name: 'all', version: 1 } }],
  });
  const refused = await here.call('POST', '/api/agent/rules/rehearse', {
    since: 'yesterday',
    rules: [rule('good', {}, {}), rule('bad', { min_severity: 'awful' }, { due_minutes: 0 })],
  });
  expect(
    jsonOf<{ details: { path: string }[] }>(expectStatus(refused, 400)).details.map(({ path }) => path),
  ).toEqual(
    expect.arrayContaining(['since', 'rules[1].body.match.min_severity', 'rules[1].body.action.due_minutes']),
  );
});

test('thresholds are told with their ranges, and whether a rule names them', async () => {
  const body = { judge_min_conf: 0.8 };
  const threshold = { tenant_code: 'acme', kind: 'threshold', name: 'threshold.agent', body };
  expectStatus(await here.call('POST', '/api/mind/rules', threshold), 201);
  const told = jsonOf(
    expectStatus(await here.call('GET', '/api/agent/rules/thresholds?tenant_code=acme'), 200),
  );
  expect(told).toMatchObject({ tenantCode: 'acme', version: 1 });
  expect(told).toMatchObject({
    items: expect.arrayContaining([
      {
        name: 'judge_min_conf',
        value: 0.8,
        standard: 0.6,
        minimum: 0,
        maximum: 1,
        whole: false,
        unit: null,
        registered: true,
      },
      expect.objectContaining({
        name: 'traj_link_gap_s',
        value: 900,
        maximum: 86_400,
        unit: 's',
        registered: false,
      }),
    ]) as unknown,
  });
  expectStatus(await here.call('GET', '/api/agent/rules/thresholds'), 400);
});
