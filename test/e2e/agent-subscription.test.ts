// The response rules read events as the consumer `agent`. Nobody else takes that name while they are at work:
// its filters would keep events from the rules, and its acknowledgements would pass events that have no task
// yet.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

const AT_WORK = { AGENT_ENABLED: 'true' };
const SIDES = {
  site: async (env: Record<string, string>) => {
    const { site, call } = await startSiteHere(scene, { env });
    return { call, url: site.url };
  },
  hub: async (env: Record<string, string>) => {
    const { hub, call } = await startHubHere(scene, undefined, env);
    return { call, url: hub.url };
  },
};

interface Seen {
  tenantCode: string | null;
  eventTypes: string[] | null;
  enabled: boolean;
}

const subscribe = (call: Call, more: object) =>
  call('POST', '/api/core/events/subscribe', { consumer: 'agent', ...more });
const seen = async (call: Call): Promise<Seen | undefined> =>
  jsonOf<{ items: (Seen & { consumer: string })[] }>(
    expectStatus(await call('GET', '/api/core/events/subscriptions'), 200),
  ).items.find(({ consumer }) => consumer === 'agent');
const registered = (call: Call) => until('the agent has registered', () => seen(call));
const faultAt = (answer: Awaited<ReturnType<Call>>): string[] =>
  jsonOf<{ details: { path: string; message: string }[] }>(expectStatus(answer, 400)).details.map(
    ({ path, message }) => `${path}: ${message}`,
  );

async function event(url: string, call: Call, tenant: string): Promise<number> {
  const node = { tenant_code: tenant, name: `${tenant}-gate` };
  const key = jsonOf<SigningKey>(expectStatus(await call('POST', '/api/core/nodes', node), 201));
  const body = JSON.stringify({ idempotency_key: `${tenant}-1`, type: 'vehicle.intrusion', site_ref: 's' });
  const answer = await signedCall({ url, key, method: 'POST', path: '/api/core/events', body });
  return jsonOf<{ items: { id: number }[] }>(expectStatus(answer, 201)).items[0]?.id ?? 0;
}

const decided = async (call: Call): Promise<number[]> =>
  jsonOf<{ items: { eventId: number }[] }>(
    expectStatus(await call('GET', '/api/agent/decisions'), 200),
  ).items.map(({ eventId }) => eventId);

test.each(Object.keys(SIDES) as (keyof typeof SIDES)[])(
  '%s: nobody narrows it or confirms for it, and it is paused and set going by hand',
  async (side) => {
    const { call, url } = await SIDES[side](AT_WORK);
    await registered(call);
    const filters = [
      { tenant_code: 'bravo' },
      { event_types: ['fire.*'] },
      { min_severity: 'critical' },
      { start_cursor: 0 },
      { push_url: 'http://10.0.0.1/' },
    ];
    for (const more of filters)
      expect(faultAt(await subscribe(call, more))).toEqual([
        expect.stringMatching(/^consumer: .*response rules.*another name/),
      ]);
    const confirmed = await call('POST', '/api/core/events/ack', { consumer: 'agent', cursor: 0 });
    expect(faultAt(confirmed)).toEqual([expect.stringMatching(/^consumer: .*response rules/)]);
    const key = await call('POST', '/api/core/consumers/agent/keys', { tenant_code: 'acme' });
    expect(faultAt(key)).toEqual([expect.stringMatching(/^consumer: .*response rules/)]);

    expectStatus(await subscribe(call, { enabled: false }), 200);
    expect(await seen(call)).toMatchObject({ enabled: false });
    expectStatus(await subscribe(call, { enabled: true }), 200);
    const id = await event(url, call, 'acme');
    await until('the rules have run on it', async () => (await decided(call)).includes(id));
  },
);

test('what had the name before the rules were at work keeps no event from them', async () => {
  const before = await startSiteHere(scene);
  const narrow = { tenant_code: 'bravo', event_types: ['fire.*'], min_severity: 'critical' };
  expectStatus(await subscribe(before.call, narrow), 201);
  await before.site.stop();
  const { call, url } = await SIDES.site(AT_WORK);
  const id = await event(url, call, 'acme');
  await until('the rules have run on it', async () => (await decided(call)).includes(id));
  expect(await seen(call)).toMatchObject({ tenantCode: null, eventTypes: null, enabled: true });
});

test('where the rules are not at work the name is free', async () => {
  const { call } = await SIDES.site({});
  expectStatus(await subscribe(call, { tenant_code: 'acme', start_cursor: 0 }), 201);
  expectStatus(await call('POST', '/api/core/events/ack', { consumer: 'agent', cursor: 0 }), 200);
});
