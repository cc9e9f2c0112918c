// Viewing, reading and acknowledging are three things, and no permission shows what another one is for.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissionNames } from '../../common/http/access.ts';
import { SECOND } from '../support/clock.ts';
import { type Answer, expectStatus, jsonOf } from '../support/request.ts';
import { openSessionRig, type SessionRig } from './session-rig.ts';
import { events, knowledge, task } from './tenant-things.ts';

let rig: SessionRig;
let ids: number[];
beforeAll(async () => {
  rig = await openSessionRig();
  ids = await rig.post('alpha', events('alpha', 3));
  const secret = { tenant_code: 'alpha', use: 'push', host: 'c.example', secret: 'signs-pushes-to-c' };
  expectStatus(await rig.admin('PUT', '/api/core/secrets/push-c', secret), 201);
  expectStatus(
    await rig.admin('POST', '/api/core/events/subscribe', {
      consumer: 'c',
      tenant_code: 'alpha',
      start_cursor: 0,
      push_url: 'https://c.example/push?token=opens',
      secret_ref: 'push-c',
      enabled: true,
    }),
    201,
  );
  expectStatus(
    await rig.admin('POST', '/api/core/objects/knowledge', {
      ...knowledge('alpha'),
      kind: 'postmortem_report',
      source_ref: { event_id: ids[0] },
    }),
    200,
    201,
  );
  expectStatus(
    await rig.admin('POST', '/api/core/objects/tasks', { ...task('alpha'), event_id: ids[0] }),
    201,
  );
  rig.clock.advance(5 * SECOND);
});
afterAll(() => rig.close());

const customer = async (name: string, permissions?: string[]) => {
  await rig.addUser(name, {
    role: 'customer',
    tenant_code: 'alpha',
    ...(permissions ? { permissions } : {}),
  });
  return rig.browser(name);
};
const itemsOf = <T>(answer: Answer): T[] => jsonOf<{ items: T[] }>(expectStatus(answer, 200)).items;
const cursor = async () =>
  itemsOf<{ cursor: number }>(await rig.admin('GET', '/api/core/events/subscriptions'))[0]?.cursor;

describe('a subscription', () => {
  test('is looked at by who may view it, who neither reads its events nor moves its cursor', async () => {
    const viewer = await customer('viewer', ['subscriptions.view']);
    expect(itemsOf<object>(await viewer.call('GET', '/api/core/events/subscriptions'))).toMatchObject([
      { consumer: 'c', cursor: 0, lag: 3 },
    ]);
    expect((await viewer.call('GET', '/api/core/events/since?consumer=c')).status).toBe(403);
    expect(
      (await viewer.call('POST', '/api/core/events/ack', { body: { consumer: 'c', cursor: ids[2] } })).status,
    ).toBe(403);
    expect(await cursor()).toBe(0);
  });

  test(
    'is read by who may view events, who does not move its cursor; no customer may unless it was given ' +
      'to them',
    async () => {
      for (const browser of [await customer('reader', ['events.view']), await customer('standard')]) {
        expect(itemsOf<object>(await browser.call('GET', '/api/core/events/since?consumer=c'))).toHaveLength(
          3,
        );
        expect(
          (await browser.call('POST', '/api/core/events/ack', { body: { consumer: 'c', cursor: ids[2] } }))
            .status,
        ).toBe(403);
      }
      expect(await cursor()).toBe(0);
    },
  );

  test('is acknowledged by a person with that permission, and the audit says who took what from the consumer', async () => {
    const acknowledger = await customer('acknowledger', ['subscriptions.acknowledge']);
    expect((await acknowledger.call('GET', '/api/core/events/since?consumer=c')).status).toBe(403);
    expectStatus(
      await acknowledger.call('POST', '/api/core/events/ack', { body: { consumer: 'c', cursor: ids[1] } }),
      200,
    );
    rig.clock.advance(1);
    expectStatus(await rig.admin('POST', '/api/core/events/ack', { consumer: 'c', cursor: ids[2] }), 200);
    const entries = itemsOf<{ actor: string }>(
      await rig.admin('GET', '/api/core/audit?action=subscription.acknowledged'),
    );
    expect(entries).toMatchObject([
      {
        actor: 'admin from 127.0.0.1',
        subject: 'subscription:c',
        tenantCode: 'alpha',
        before: { cursor: ids[1] },
        after: { cursor: ids[2] },
      },
      {
        actor: 'user:acknowledger from 127.0.0.1',
        subject: 'subscription:c',
        tenantCode: 'alpha',
        before: { cursor: 0 },
        after: { cursor: ids[1] },
      },
    ]);
  });

  test('is paused and resumed by a person with that permission, and sent elsewhere by none', async () => {
    const pausing = await customer('pausing', ['subscriptions.manage', 'events.view']);
    const change = (body: object) => pausing.call('PATCH', '/api/core/subscriptions/c', { body });
    const paused = jsonOf<object>(expectStatus(await change({ enabled: false }), 200));
    expect(paused).toMatchObject({ enabled: false, pushUrl: 'https://c.example/push', secretRef: null });
    expect((await pausing.call('GET', '/api/core/events/since?consumer=c')).status).toBe(409);
    rig.clock.advance(1);
    expectStatus(await change({ enabled: true }), 200);
    for (const more of [{ push_url: 'https://mine.example/' }, { tenant_code: 'alpha', enabled: true }])
      expect((await change(more)).status).toBe(403);
    const changes = await rig.admin('GET', '/api/core/audit?action=subscription.changed');
    expect(itemsOf<object>(changes)).toMatchObject([
      { actor: 'user:pausing from 127.0.0.1', before: { enabled: false }, after: { enabled: true } },
      { actor: 'user:pausing from 127.0.0.1', before: { enabled: true }, after: { enabled: false } },
    ]);
    const standard = await customer('not-pausing');
    const refused = await standard.call('PATCH', '/api/core/subscriptions/c', { body: { enabled: false } });
    expect(refused.status).toBe(403);
  });

  test('shows a customer neither what the push address may open nor where the secret is', async () => {
    const [seen] = itemsOf<object>(
      await (await rig.browser('viewer')).call('GET', '/api/core/events/subscriptions'),
    );
    expect(seen).toMatchObject({ pushUrl: 'https://c.example/push', secretRef: null });
    const [whole] = itemsOf<object>(await rig.admin('GET', '/api/core/events/subscriptions'));
    expect(whole).toMatchObject({ pushUrl: 'https://c.example/push?token=opens', secretRef: 'push-c' });
  });
});

describe('what another permission is for', () => {
  interface Shown {
    steps: { kind: string }[];
    withheld: string[];
  }
  const timeline = async (name: string) => {
    const shown = jsonOf<Shown>(
      expectStatus(
        await (await rig.browser(name)).call('GET', `/api/core/events/${ids[0]}/timeline?tenant_code=alpha`),
        200,
      ),
    );
    return [shown.steps.some(({ kind }) => kind === 'postmortem_report'), shown.withheld];
  };

  test('is left out of a timeline, which says so', async () => {
    expect(await timeline('standard')).toEqual([true, []]);
    expect(await timeline('reader')).toEqual([false, ['notifications', 'knowledge']]);
  });

  test('is not told by the explanation of the rules', async () => {
    const rules = await customer('rules', ['rules.view']);
    expect(
      (await rules.call('POST', '/api/agent/rules/explain', { body: { event_id: ids[0] } })).status,
    ).toBe(403);
    const event = { tenant_code: 'alpha', type: 'alpha.intrusion' };
    expectStatus(await rules.call('POST', '/api/agent/rules/explain', { body: { event } }), 200);
    const period = { since: '2026-01-01T00:00:00Z' };
    expect((await rules.call('POST', '/api/agent/rules/rehearse', { body: period })).status).toBe(403);
  });
});

test('no permission to view opens a call that writes, but the two that the specification gives to viewers', async () => {
  const writes: string[] = [];
  const viewing = permissionNames.filter((name) => name.endsWith('.view'));
  const { paths } = jsonOf<{ paths: Record<string, Record<string, { description?: string }>> }>(
    await rig.admin('GET', '/openapi.json'),
  );
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { description = '' }] of Object.entries(item)) {
      if (method !== 'get' && viewing.some((name) => description.includes(`needs the permission ${name},`)))
        writes.push(path);
    }
  }
  // Explaining, rehearsing, searching and verifying ask with a body and change nothing.
  expect(writes.sort()).toEqual([
    '/api/agent/rules/explain',
    '/api/agent/rules/rehearse',
    '/api/agent/rules/reload',
    '/api/core/kb/chunks/verify',
    '/api/core/kb/qa_log/{qa_id}/feedback',
    '/api/core/kb/search',
  ]);
});
