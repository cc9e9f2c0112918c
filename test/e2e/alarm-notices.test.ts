// Operational alarms reach people by the channels that messages about tasks go out by.
import { afterEach, expect, test } from 'vitest';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { alarm } from '../contract/samples.ts';
import { firstOf } from '../support/campaign.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { type Call, SettableClock, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { expectStatus, jsonOf } from '../support/request.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const ENV = { AGENT_CHANNEL_NETWORKS: '127.0.0.0/8' };
const OWN = { site: 'site-1', hub: 'hq' } as const;

interface Program {
  call: Call;
  alarms: AlarmPort;
  clock: SettableClock;
  robot: () => Promise<Robot>;
}

/** A robot of a chat, and the texts that it was sent. */
interface Robot {
  url: string;
  hears: (count: number) => Promise<string[]>;
}

async function start(name: 'site' | 'hub'): Promise<Program> {
  const scene = new Scene();
  closing.push(() => scene.close());
  const clock = new SettableClock();
  const robot = async (): Promise<Robot> => {
    const peer = await new HttpPeer().open();
    closing.push(() => peer.close());
    peer.respond = () => ({ body: '{"errcode":0}' });
    const texts = (): string[] =>
      peer.heard.map(({ body }) => (JSON.parse(String(body)) as { text: { content: string } }).text.content);
    return { url: `${peer.url}/robot`, hears: (count) => peer.hears(count).then(texts) };
  };
  if (name === 'site') {
    const { site, call } = await startSiteHere(scene, { clock, env: ENV });
    return { call, clock, robot, alarms: site.store.alarms };
  }
  const { hub, call } = await startHubHere(scene, clock, ENV);
  return { call, clock, robot, alarms: hub.store.alarms };
}

const add = async (call: Call, tenant: string | null, url: string, alarms: object | null): Promise<unknown> =>
  jsonOf(
    expectStatus(
      await call('POST', '/api/agent/channels', {
        ...{ tenant_code: tenant, name: `${tenant ?? 'operators'} chat`, channel: 'chat' },
        ...{ format: 'wecom', url, alarms },
      }),
      201,
    ),
  );

test.each(firstOf(['hub', 'site'] as const))(
  'at the %s an alarm is told to the operators, again until taken over, and when it is over',
  async (name) => {
    const { call, alarms, clock, robot } = await start(name);
    const [ours, theirs] = [await robot(), await robot()];
    expect(await add(call, null, ours.url, { from: 'critical', repeat_minutes: 10 })).toMatchObject({
      tenantCode: null,
      alarms: { from: 'critical', repeatMinutes: 10, quiet: null },
    });
    await add(call, 'acme', theirs.url, { from: 'warning' });
    const own = { instance: OWN[name], severity: 'critical' } as const;
    await alarms.raise(alarm('disk_short', { ...own, severity: 'warning' }), clock.now());
    await alarms.raise(alarm('disk_full', own), clock.now());
    expect(await ours.hears(1)).toEqual([expect.stringContaining('disk_full')]);
    await alarms.raise(alarm('push_failing:x', { ...own, tenantCode: 'acme' }), clock.now());
    const [only = ''] = await theirs.hears(1);
    expect([only.includes('push_failing:x'), only.includes('disk')]).toEqual([true, false]);
    clock.offset += 11 * 60_000;
    expect((await ours.hears(2))[1]).toMatch(/Still standing.*disk_full/);
    expectStatus(await call('POST', '/api/core/alarms/take', { key: 'disk_full', by: 'li' }), 200);
    expect(jsonOf(await call('GET', '/api/core/alarms'))).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ key: 'disk_full', takenBy: 'li' }),
      ]) as unknown,
    });
    await alarms.clear('disk_full', OWN[name], clock.now());
    clock.offset += 11 * 60_000;
    const over = (await ours.hears(3))[2];
    expect(over).toMatch(/Over.*disk_full/);
    expect(over).not.toContain('disk_short');
    const kept = await call('GET', '/api/core/notifications?kind=alarm&tenant_code=acme');
    expect(JSON.stringify(jsonOf(kept))).not.toContain('disk_full');
  },
);

test('a channel of the operators cannot be of a tenant later, and refuses hours that are none', async () => {
  const { call, robot } = await start('site');
  const { url } = await robot();
  const { id } = (await add(call, null, url, null)) as { id: string };
  const change = (body: object) => call('PATCH', `/api/agent/channels/${id}`, body);
  expect((await change({ tenant_code: 'acme' })).status).toBe(400);
  const quiet = { begin: '22:00', end: '6', zone: 'Nowhere/Land' };
  expect(jsonOf(await change({ alarms: { from: 'warning', quiet } }))).toMatchObject({
    details: [{ path: 'alarms.quiet.end' }, { path: 'alarms.quiet.zone' }],
  });
  expect((await change({ alarms: { from: 'warning' } })).status).toBe(200);
  expect(jsonOf(await change({ alarms: null }))).toMatchObject({ alarms: null });
});
