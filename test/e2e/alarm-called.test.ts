// A critical alarm of a site calls a person at headquarters at once, past the call that is held for 20 s.
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { INBOX_PATH } from '../../common/uplink/inbox.ts';
import { alarm } from '../contract/samples.ts';
import { Balancer, type Passed } from '../support/balancer.ts';
import { INSTANCE, registerSite, startHubProgram, uplinkEnv } from '../support/deployment.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { startSiteHere } from '../support/in-process.ts';
import { createHubDatabase } from '../support/postgres.ts';
import { Scene } from '../support/process.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

const scene = new Scene();
afterEach(() => scene.close());

test('from a site to a channel of the operators, while the held call would still wait', async ({
  annotate,
}) => {
  const database = await createHubDatabase();
  scene.onClose(() => database.drop());
  const hub = await startHubProgram(scene, database.url, 'hq', { AGENT_CHANNEL_NETWORKS: '127.0.0.1/32' });
  const robot = await new HttpPeer().open();
  scene.onClose(() => robot.close());
  robot.respond = () => ({ body: '{"errcode":0}' });
  const channel = { tenant_code: null, name: 'duty', channel: 'chat', format: 'wecom' };
  const taking = { ...channel, url: `${robot.url}/duty`, alarms: { from: 'critical' } };
  expectStatus(await hub.api('POST', '/api/agent/channels', taking), 201);
  // Between the two, to see what is under way.
  const between = await new Balancer([hub.options.port]).open();
  scene.onClose(() => between.close());
  const keyFile = path.join(scene.dir, 'uplink-key');
  await registerSite(hub, keyFile);
  const { site, node } = await startSiteHere(scene, { env: uplinkEnv(between.url, keyFile) });
  const isHeld = ({ target, answer }: Passed): boolean => target === INBOX_PATH && answer === null;
  const heldCall = (after: number): Promise<number> =>
    until('a call is held', () => {
      const at = between.passed.findLastIndex(isHeld);
      return Promise.resolve(at > after ? { at } : null);
    }).then(({ at }) => at);
  const raise = async (key: string): Promise<void> => {
    const began = performance.now();
    const told = { instance: INSTANCE, severity: 'critical' } as const;
    await site.store.alarms.raise(alarm(key, told), Date.now());
    await until('it is at headquarters', async () =>
      (await hub.api('GET', '/api/core/alarms')).text.includes(key),
    );
    await annotate(`${key}: ${Math.round(performance.now() - began)} ms to headquarters`);
  };

  // The first call that is held says nothing for 20 s: a channel brings the alarm, before any more events.
  const first = await heldCall(-1);
  await raise('disk_full');
  await robot.hears(1);
  expect(String(robot.heard[0]?.body)).toContain(`${INSTANCE} · disk_full`);
  expect(between.passed[first]?.answer).toBeNull();

  // Once headquarters is known to hold calls, the one that is held is given up for one that tells it.
  const event = { idempotency_key: 'k', type: 'fire.smoke', site_ref: 's', camera_ref: 'c' };
  const post = { url: site.url, key: await node('gate'), method: 'POST', path: '/api/core/events' };
  expectStatus(await signedCall({ ...post, body: JSON.stringify(event) }), 201);
  const stored = await until('the event is there', async () => {
    const listed = await hub.api('GET', '/api/core/events/list?limit=10');
    return jsonOf<{ items: { id: number }[] }>(expectStatus(listed, 200)).items[0];
  });
  const judged = { verdict: 'confirmed', by: 'duty' };
  expectStatus(await hub.api('POST', `/api/core/events/${stored.id}/verdict`, judged), 200);
  const second = await heldCall(first);
  await raise('store_hurt');
  await heldCall(second);
  expect(between.passed[second]?.answer).toBeNull();
});
