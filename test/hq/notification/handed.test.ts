// A site without a channel of its own: headquarters delivers its notifications, and the task at the site says
// so.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NOTIFICATIONS_PATH } from '../../../common/uplink/notification.ts';
import { HttpPeer } from '../../support/http-peer.ts';
import { type Call, untilRun } from '../../support/in-process.ts';
import { longTest } from '../../support/long.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, signedCall, until } from '../../support/request.ts';
import { Joined } from '../evidence/joined.ts';

let scene: Scene;
let robot: HttpPeer;
beforeEach(async () => {
  scene = new Scene();
  robot = await new HttpPeer().open();
  robot.respond = () => ({ body: '{"errcode":0}' });
  scene.onClose(() => robot.close());
});
afterEach(() => scene.close());

interface Told {
  id: string;
  channel: string;
  channelId: string | null;
  handover: string | null;
  deliveredBy: string | null;
  instance: string | null;
  state: string;
  lastError: string | null;
  taskId: number | null;
}

const told = async (call: Call): Promise<Told[]> =>
  jsonOf<{ items: Told[] }>(expectStatus(await call('GET', '/api/core/notifications'), 200)).items;

async function open(): Promise<Joined> {
  return Joined.open(scene, {
    site: { AGENT_ENABLED: 'true', AGENT_CHANNEL_NETWORKS: '127.0.0.1/32' },
    hub: { AGENT_CHANNEL_NETWORKS: '127.0.0.1/32' },
  });
}

/** Events page by chat. */
async function rule({ site }: Joined, channels: string[] = ['chat']): Promise<void> {
  const action = { kind: 'notify', message: '{camera} {type_code}', channels };
  const body = { priority: 1, enabled: true, match: {}, action };
  const rules = { tenant_code: 'acme', name: 'tell', kind: 'response', body };
  expectStatus(await site.call('POST', '/api/core/objects/rules', rules), 201);
}

async function channel(call: Call, name: string, tenant = 'acme'): Promise<void> {
  const body = { tenant_code: tenant, channel: 'chat', name, format: 'wecom', url: `${robot.url}/${name}` };
  expectStatus(await call('POST', '/api/agent/channels', body), 201);
}

async function settled(call: Call, count = 1): Promise<Told[]> {
  let rows: Told[] = [];
  await untilRun(
    `${count} are settled`,
    async () => {
      rows = await told(call);
      return rows.filter(({ state }) => state !== 'pending').length === count;
    },
    30_000,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(rows)}`, { cause: error });
  });
  return rows;
}

const task = async (call: Call, id: number | null): Promise<string> =>
  expectStatus(await call('GET', `/api/core/objects/tasks/${id ?? 0}`), 200).text;

test('headquarters delivers it once by each of its channels; task, list and both statuses say so', async () => {
  const joined = await open();
  const { hub, site } = joined;
  await channel(hub.call, 'duty');
  await channel(hub.call, 'chiefs');
  await channel(hub.call, 'others', 'beta');
  await rule(joined);
  await joined.event({});
  const [row] = await settled(site.call);
  expect(row).toMatchObject({ state: 'sent', handover: 'taken', channelId: null });
  expect(row?.deliveredBy?.split(', ').sort()).toEqual(['chiefs', 'duty']);
  expect(robot.heard.map(({ target }) => target).sort()).toEqual(['/chiefs', '/duty']);
  expect(await task(site.call, row?.taskId ?? null)).toMatch(
    /chat: delivered by headquarters through .*duty.* at 20/,
  );
  expect((await told(hub.call)).map(({ instance, state }) => [instance, state])).toEqual([
    ['site-1', 'sent'],
    ['site-1', 'sent'],
  ]);
  const ways = async (call: Call): Promise<(string | undefined)[]> => {
    const { items } = jsonOf<{ items: { id: number }[] }>(await call('GET', '/api/core/events/list'));
    const answer = await call('GET', `/api/core/events/${items[0]?.id ?? 0}/timeline?tenant_code=acme`);
    const { steps } = jsonOf<{ steps: { kind: string; code?: string }[] }>(expectStatus(answer, 200));
    return steps.filter(({ kind }) => kind === 'notified').map(({ code }) => code);
  };
  expect(await ways(site.call)).toEqual(['notified_by_headquarters']);
  expect(await ways(hub.call)).toEqual(['notified_for_site', 'notified_for_site']);
  const below = jsonOf<{ notifications: object }>(await site.call('GET', '/api/core/uplink/status'));
  expect(below.notifications).toMatchObject({ backlog: 0, underWay: 0, delivered: 1 });
  const above = jsonOf<{ sites: { notifications: object }[] }>(
    await hub.call('GET', '/api/core/uplink/status'),
  );
  expect(above.sites[0]?.notifications).toMatchObject({ takenTotal: 1, underWay: 0, failed: 0, backlog: 0 });
});

test('without a channel there either it has failed, and says why', async () => {
  const joined = await open();
  await channel(joined.hub.call, 'others', 'beta');
  await rule(joined);
  await joined.event({});
  const [row] = await settled(joined.site.call);
  expect(row).toMatchObject({ state: 'failed', deliveredBy: null });
  expect(row?.lastError).toContain('no chat channel is configured for the tenant at headquarters');
  expect(await task(joined.site.call, row?.taskId ?? null)).toContain(
    'chat: not delivered: headquarters: no chat',
  );
  expect(robot.heard).toEqual([]);
});

longTest(
  "the site's own channel goes first, and takes over what headquarters was never offered",
  async () => {
    const joined = await open();
    const { hub, site } = joined;
    await channel(hub.call, 'far');
    await rule(joined);
    await hub.hub.stop();
    await joined.event({});
    await until('it waits', async () => (await told(site.call)).some(({ handover }) => handover !== null));
    await channel(site.call, 'near');
    await joined.event({});
    await until('the own channel has what headquarters was never offered', async () => {
      const offered = (await told(site.call)).filter(({ handover }) => handover === 'offered');
      return robot.heard.length + offered.length === 2;
    });
    expect(new Set(robot.heard.map(({ target }) => target))).toEqual(new Set(['/near']));
  },
);

test('a call again changes nothing; another tenant is refused, also when asked for by another site', async () => {
  const joined = await open();
  const { hub } = joined;
  await channel(hub.call, 'duty');
  await channel(hub.call, 'others', 'beta');
  const keys = new Map<string, { keyId: string; secret: string }>();
  for (const instance of ['site-2', 'site-3']) {
    const answer = await hub.call('POST', '/api/core/sites', { instance, tenants: ['acme'] });
    keys.set(instance, jsonOf(expectStatus(answer, 201)));
  }
  const item = {
    id: 'n1',
    tenant_code: 'acme',
    event_key: null,
    kind: 'task',
    channel: 'chat',
    rule_name: null,
    severity: 'high',
    message: 'hello',
    is_test: false,
    created_at: 0,
  };
  const call = async (instance: string, more: object, speaks = instance) => {
    const key = keys.get(instance) ?? { keyId: '', secret: '' };
    const body = JSON.stringify({
      protocol: 1,
      version: '0',
      instance: speaks,
      epoch: 'e',
      backlog: 1,
      items: [],
      asked: [],
      ...more,
    });
    return signedCall({ url: hub.hub.url, key, method: 'POST', path: NOTIFICATIONS_PATH, body });
  };
  const states = async (instance: string, more: object): Promise<string[]> =>
    jsonOf<{ results: { id: string; state: string }[] }>(
      expectStatus(await call(instance, more), 200),
    ).results.map(({ id, state }) => `${id} ${state}`);

  expect(await states('site-2', { items: [item] })).toEqual(['n1 taken']);
  await Promise.all(Array.from({ length: 5 }, () => states('site-2', { items: [item] })));
  await robot.hears(1);
  await until('it is sent', async () => (await states('site-2', { asked: ['n1'] }))[0] === 'n1 sent');
  expect(await states('site-2', { items: [item] })).toEqual(['n1 sent']);
  expect(await states('site-3', { asked: ['n1'] })).toEqual(['n1 unknown']);
  expect(await states('site-2', { items: [{ ...item, id: 'n2', tenant_code: 'beta' }] })).toEqual([
    'n2 failed',
  ]);
  expectStatus(await call('site-3', { items: [item] }, 'site-2'), 403);
  expectStatus(await call('site-2', { items: Array.from({ length: 51 }, () => item) }), 400);
  expect(robot.heard.map(({ target }) => target)).toEqual(['/duty']);
});
