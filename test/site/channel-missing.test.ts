// The alarm that a tenant has no channel of a kind ends when it has one that is on.
import { afterAll, expect, test } from 'vitest';
import { alarms, registerNode, startSiteProgram } from '../support/deployment.ts';
import { Scene } from '../support/process.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

const scene = new Scene();
afterAll(() => scene.close());

test('a channel that is missing is alarmed until there is one that is on', async () => {
  const site = await startSiteProgram(scene, { AGENT_ENABLED: 'true' });
  const post = async (target: string, body: object): Promise<{ id: string }> =>
    jsonOf<{ id: string }>(expectStatus(await site.api('POST', target, body), 201));
  const standing = async (): Promise<string[]> =>
    (await alarms(site, false)).map(({ key }) => key).filter((key) => key.startsWith('channel_missing'));
  await post('/api/core/objects/rules', {
    tenant_code: 'acme',
    name: 'tell',
    kind: 'response',
    body: {
      priority: 1,
      enabled: true,
      match: {},
      action: { kind: 'notify', message: 'm', channels: ['chat', 'sms'] },
    },
  });
  const key = await registerNode(site, 'gate');
  const body = JSON.stringify({ idempotency_key: 'k', type: 'fire.smoke', site_ref: 's', camera_ref: 'c' });
  const sent = await signedCall({ url: site.url, key, method: 'POST', path: '/api/core/events', body });
  expectStatus(sent, 201);
  await until('both are missing', async () => (await standing()).length === 2);

  const channel = { tenant_code: 'acme', channel: 'chat', format: 'wecom', url: 'http://127.0.0.1:1/x' };
  const { id } = await post('/api/agent/channels', { ...channel, name: 'robot', enabled: false });
  await post('/api/agent/channels', { ...channel, name: 'theirs', tenant_code: 'other' });
  expect((await standing()).sort()).toEqual(['channel_missing:acme:chat', 'channel_missing:acme:sms']);
  expectStatus(await site.api('PATCH', `/api/agent/channels/${id}`, { enabled: true }), 200);
  expect(await standing()).toEqual(['channel_missing:acme:sms']);
});
