// From an event to a task and messages, over HTTP, at a site and at headquarters.
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../common/clock.ts';
import { signatureMatches, type SigningKey } from '../../common/http/signing/signature.ts';
import { type Heard, HttpPeer } from '../support/http-peer.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

let scene: Scene;
let peer: HttpPeer;
beforeEach(async () => {
  scene = new Scene();
  peer = await new HttpPeer().open();
  scene.onClose(() => peer.close());
});
afterEach(() => scene.close());

interface Told {
  id: string;
  eventId: number;
  channel: string;
  channelId: string | null;
  state: string;
  lastError: string | null;
  message: string;
  attempts: number;
}

const items = async <T>(call: Call, target: string): Promise<T[]> =>
  jsonOf<{ items: T[] }>(expectStatus(await call('GET', target), 200)).items;
const told = (call: Call): Promise<Told[]> => items<Told>(call, '/api/core/notifications');
const at = (path: string): Heard[] => peer.heard.filter(({ target }) => target.startsWith(path));
const bodyOf = ({ body }: Heard): Record<string, unknown> =>
  JSON.parse(body.toString()) as Record<string, unknown>;

const rule = (call: Call, action: object): Promise<unknown> =>
  call('POST', '/api/core/objects/rules', {
    tenant_code: 'acme',
    name: 'tell',
    kind: 'response',
    body: {
      priority: 1,
      enabled: true,
      match: {},
      action: { kind: 'notify', message: '{camera} {type_code}', ...action },
    },
  }).then((answer) => expectStatus(answer, 201));

async function add(call: Call, body: object): Promise<string> {
  return jsonOf<{ id: string }>(
    expectStatus(
      await call('POST', '/api/agent/channels', { tenant_code: 'acme', channel: 'chat', ...body }),
      201,
    ),
  ).id;
}

async function raise(url: string, key: SigningKey, more: object = {}): Promise<number> {
  const body = JSON.stringify({
    idempotency_key: 'k',
    type: 'vehicle.intrusion',
    site_ref: 's',
    camera_ref: 'c1',
    ...more,
  });
  return (
    jsonOf<{ items: { id: number }[] }>(
      expectStatus(await signedCall({ url, key, method: 'POST', path: '/api/core/events', body }), 201),
    ).items[0]?.id ?? 0
  );
}

test(
  'each format as its robot wants it; a failure is tried again under the same id; an address that is ' +
    'not allowed is not called',
  { timeout: 120_000 },
  async () => {
    let refusals = 1;
    peer.respond = ({ target }) => {
      if (target === '/hook' && refusals > 0) {
        refusals -= 1;
        return { status: 503 };
      }
      return { body: '{"errcode":0,"code":0}' };
    };
    const { site, call, node } = await startSiteHere(scene, {
      env: { AGENT_ENABLED: 'true', AGENT_CHANNEL_NETWORKS: '127.0.0.1/32' },
    });
    await add(call, { name: 'w', format: 'wecom', url: `${peer.url}/wecom?key=k` });
    await add(call, {
      name: 'd',
      format: 'dingtalk',
      url: `${peer.url}/ding?access_token=t`,
      secret: 'SEC1',
    });
    await add(call, { name: 'f', format: 'feishu', url: `${peer.url}/feishu`, secret: 'fs' });
    const hook = await add(call, { name: 'h', format: 'webhook', url: `${peer.url}/hook`, secret: 'hs' });
    const inner = await add(call, { name: 'x', format: 'webhook', url: 'http://127.0.0.2:1/x' });
    await add(call, {
      name: 's',
      channel: 'sms',
      format: 'sms_gateway',
      url: `${peer.url}/sms`,
      secret: 'tok',
      recipients: ['13800000000', '13900000000'],
      content_type: 'application/x-www-form-urlencoded',
      body_template: 'to={phones}&text={text}',
    });
    await rule(call, { channels: ['chat', 'sms', 'inbox'] });
    const eventId = await raise(site.url, await node('gate'));
    await until(
      'all but the closed one are sent',
      async () => (await told(call)).filter(({ state }) => state === 'sent').length === 6,
    );

    const text = 'c1 vehicle.intrusion';
    expect(at('/wecom').map(bodyOf)).toEqual([{ msgtype: 'text', text: { content: text } }]);
    const [ding] = at('/ding');
    const query = new URL(ding?.target ?? '', peer.url).searchParams;
    expect(query.get('sign')).toBe(
      createHmac('sha256', 'SEC1')
        .update(`${query.get('timestamp')}\nSEC1`)
        .digest('base64'),
    );
    const [feishu] = at('/feishu').map(bodyOf);
    expect(feishu).toEqual({
      timestamp: expect.any(String) as string,
      sign: createHmac('sha256', `${String(feishu?.timestamp)}\nfs`).digest('base64'),
      msg_type: 'text',
      content: { text },
    });
    expect(at('/hook')).toHaveLength(2);
    expect(new Set(at('/hook').map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    for (const { headers, body } of at('/hook')) {
      const parts = { timestamp: Number(headers['x-core-timestamp']), method: 'POST', target: '/hook', body };
      expect([
        headers['x-core-key'],
        signatureMatches(['hs'], parts, String(headers['x-core-signature'])),
      ]).toEqual([hook, true]);
    }
    expect(at('/sms').map(({ body, headers }) => [body.toString(), headers.authorization])).toEqual([
      [`to=13800000000%2C13900000000&text=${encodeURIComponent(text)}`, 'Bearer tok'],
    ]);
    const closed = (await told(call)).find(({ channelId }) => channelId === inner);
    expect(closed).toMatchObject({
      state: 'pending',
      lastError: expect.stringContaining('AGENT_CHANNEL_NETWORKS') as string,
    });

    const timeline = expectStatus(
      await call('GET', `/api/core/events/${eventId}/timeline?tenant_code=acme`),
      200,
    ).text;
    expect(timeline).toContain('Notified by sms');
    for (const secret of ['13800000000', 'SEC1', 'access_token']) {
      expect(
        [
          timeline,
          (await call('GET', '/api/agent/channels')).text,
          (await call('GET', '/api/core/notifications')).text,
          (await call('GET', '/api/core/audit')).text,
        ].join(),
      ).not.toContain(secret);
    }
  },
);

test('a model that hangs delays neither task nor notification; after a failure it is asked again later', async () => {
  let answer: (() => void) | null = null;
  peer.respond = () => new Promise((resolve) => (answer = () => resolve({ status: 500 })));
  const { site, call, node } = await startSiteHere(scene, {
    env: { AGENT_ENABLED: 'true', AGENT_LLM_URL: `${peer.url}/v1`, AGENT_LLM_MODEL: 'm' },
  });
  await rule(call, { channels: ['inbox'] });
  const eventId = await raise(site.url, await node('gate'));
  await peer.hears(1);
  expect((await told(call)).map(({ state }) => state)).toEqual(['sent']);
  expect(await items(call, '/api/core/objects/tasks')).toHaveLength(1);
  const summary = async (): Promise<unknown> =>
    (await items<{ summary: unknown }>(call, `/api/agent/decisions?event_id=${eventId}`))[0]?.summary;
  expect(await summary()).toBe('pending');
  (answer as (() => void) | null)?.();
  await until('the failure is counted', async () =>
    (await call('GET', '/metrics')).text.includes('fieldline_agent_summaries_total{outcome="retried"} 1'),
  );
  expect(await summary()).toBe('pending');
  expect((await call('GET', '/api/core/objects/tasks/1')).text).not.toContain('"summary"');
});

test('a rule that changes touches nothing under way; repeated events of a point become a group', async () => {
  const { site, call, node } = await startSiteHere(scene, { env: { AGENT_ENABLED: 'true' } });
  await rule(call, { channels: ['inbox'], due_minutes: 30 });
  const key = await node('gate');
  const ids = [await raise(site.url, key), await raise(site.url, key, { idempotency_key: 'l' })];
  await until('tasks are made', async () => (await items(call, '/api/core/objects/tasks')).length === 2);
  const before = await items(call, '/api/core/objects/tasks');
  await rule(call, { kind: 'dispatch', channels: ['inbox'], due_minutes: 1 });
  await until(
    'the group is written back',
    async () => (await items(call, '/api/core/incidents?layer=L1')).length === 1,
  );
  expect(await items(call, '/api/core/incidents')).toMatchObject([
    { layer: 'L1', memberCount: 2, state: 'auto' },
  ]);
  expect(await items(call, '/api/core/objects/tasks')).toEqual(before);
  expect((await told(call)).map(({ eventId }) => eventId).sort()).toEqual(ids);
});

test('headquarters acts on events that arose there', async () => {
  const { hub, call } = await startHubHere(scene, systemClock, { AGENT_ENABLED: 'true' });
  await rule(call, { kind: 'dispatch', assignee_org: 'team-a', channels: ['inbox'] });
  const key = jsonOf<SigningKey>(
    expectStatus(await call('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'gate' }), 201),
  );
  await raise(hub.url, key);
  await raise(hub.url, key, { idempotency_key: 'l' });
  await until('tasks are made', async () => (await items(call, '/api/core/objects/tasks')).length === 2);
  expect(await items(call, '/api/core/objects/tasks')).toMatchObject(
    [1, 2].map(() => ({ type: 'disposal', assigneeOrg: 'team-a', createdBy: 'agent' })),
  );
  await until(
    'the group is written back',
    async () => (await items(call, '/api/core/incidents')).length === 1,
  );
  expect(jsonOf(await call('GET', '/api/agent/status'))).toMatchObject({ state: 'working', lag: 0 });
});
