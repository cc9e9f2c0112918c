// A site and headquarters of which one is of the release that knew events and verdicts alone: those go up,
// nothing waits under a wrong reason, and what arose meanwhile comes up after the upgrade.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Joined } from '../../hq/evidence/joined.ts';
import { HttpPeer } from '../../support/http-peer.ts';
import type { Call } from '../../support/in-process.ts';
import { OldWire } from '../../support/old-wire.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';

const PICTURE = randomBytes(50_000);
const OUTDATED = 'the site site-1 runs a version that sends no files for headquarters; update the site';

let scene: Scene;
let robot: HttpPeer;
let joined: Joined;
let wire: OldWire;
beforeEach(async () => {
  scene = new Scene();
  robot = await new HttpPeer().open();
  robot.respond = () => ({ body: '{"errcode":0}' });
  scene.onClose(() => robot.close());
  joined = await Joined.open(scene, {
    site: {
      AGENT_ENABLED: 'true',
      AGENT_CHANNEL_NETWORKS: '127.0.0.1/32',
      CORE_UPLINK_EVIDENCE: 'low',
    },
    hub: { AGENT_CHANNEL_NETWORKS: '127.0.0.1/32' },
    through: async (hub, key) => {
      wire = new OldWire(hub, key);
      scene.onClose(() => wire.close());
      return wire.open();
    },
  });
});
afterEach(() => scene.close());

interface Status {
  channels: { name: string; backlog: number; cursor: number; parked: number }[];
  flows: { name: string; waiting: number; lastErrorCode: string | null }[];
  decisions: { carriedOut: number };
  evidence: { understood: boolean | null; backlog: number; sentFiles: number };
  notifications: { understood: boolean | null };
}

const statusOf = async ({ site }: Joined): Promise<Status> =>
  jsonOf<Status>(expectStatus(await site.call('GET', '/api/core/uplink/status'), 200));
const channel = (status: Status, name: string) => status.channels.find((one) => one.name === name);
const items = async <T>(call: Call, target: string): Promise<T[]> =>
  jsonOf<{ items: T[] }>(expectStatus(await call('GET', target), 200)).items;
const TASKS = '/api/core/objects/tasks';

/** Every event makes a task and pages by chat, which headquarters alone has a channel for. */
async function rule(): Promise<void> {
  const action = { kind: 'notify', message: '{camera} {type_code}', channels: ['chat'] };
  const body = { priority: 1, enabled: true, match: {}, action };
  const rules = { tenant_code: 'acme', name: 'tell', kind: 'response', body };
  expectStatus(await joined.site.call('POST', '/api/core/objects/rules', rules), 201);
  const chat = { tenant_code: 'acme', channel: 'chat', name: 'duty', format: 'wecom', url: robot.url };
  expectStatus(await joined.hub.call('POST', '/api/agent/channels', chat), 201);
}

/** An event with a picture, judged at the site, with the task that its rule made. @returns its id there */
async function arise(count: number): Promise<number> {
  const id = await joined.event({ 'a.jpg': PICTURE });
  await joined.upload(id, 'a.jpg', PICTURE);
  const judged = { verdict: 'confirmed', by: 'li', note: 'seen' };
  expectStatus(await joined.site.call('POST', `/api/core/events/${id}/verdict`, judged), 200);
  await until('its task', async () => (await items(joined.site.call, TASKS)).length === count);
  return id;
}

test('events and verdicts go up and decisions down, and each end says what the other does not take', async () => {
  await rule();
  await arise(1);
  const id = await joined.newestAtHub();
  await until('the verdict is there', async () => {
    const event = jsonOf<{ verdict: string | null }>(await joined.hub.call('GET', `/api/core/events/${id}`));
    return event.verdict === 'confirmed';
  });
  // Down, too.
  const correction = { verdict: 'false_alarm', by: 'chen', note: 'a shadow' };
  expectStatus(await joined.hub.call('POST', `/api/core/events/${id}/corrections`, correction), 201);
  await until('the correction is carried out', async () => {
    return (await statusOf(joined)).decisions.carriedOut === 1;
  });
  // What the site wrote for it goes up as well.
  const status = await until('all verdicts are up', async () => {
    const found = await statusOf(joined);
    return channel(found, 'verdicts')?.backlog === 0 && found;
  });
  for (const { name, parked } of status.channels) expect([name, parked]).toEqual([name, 0]);
  expect(channel(status, 'work')).toMatchObject({ cursor: 0, backlog: 1 });
  expect(status).toMatchObject({
    evidence: { understood: false, backlog: 1, sentFiles: 0 },
    notifications: { understood: false },
  });
  expect(status.flows).toMatchObject([
    { name: 'events', waiting: 0, lastErrorCode: null },
    { name: 'verdicts', waiting: 0, lastErrorCode: null },
    { name: 'work', waiting: 1, lastErrorCode: 'hub_takes_none' },
    { name: 'evidence', waiting: 1, lastErrorCode: 'hub_takes_none' },
    { name: 'notifications', waiting: 0, lastErrorCode: null },
    { name: 'orders', waiting: 0, lastErrorCode: null },
  ]);
  // The page that nobody can deliver has failed by name instead of waiting.
  expect(await items(joined.site.call, '/api/core/notifications')).toMatchObject([
    { channel: 'chat', state: 'failed', lastError: expect.stringMatching(/channel is configured/) },
  ]);
  // The site asks for nothing that an older headquarters does not have.
  expect(wire.unknown).toEqual([]);

  // Headquarters does not ask an older site for a file, and says why.
  expect(await joined.far(id, 'a.jpg')).toMatchObject({ state: 'at_site', reason: OUTDATED });
  expect(await joined.listed(id)).toMatchObject([{ name: 'a.jpg', state: 'at_site' }]);
  expect(await items(joined.hub.call, TASKS)).toEqual([]);
});

test('a consumer of headquarters that names a file of such a site sees why it waits, and gets it in the end', async () => {
  const consumer = await new HttpPeer().open();
  scene.onClose(() => consumer.close());
  const storage = robot;
  consumer.respond = ({ body }) => {
    const { items: pushed } = JSON.parse(body.toString('utf8')) as { items: { id: number }[] };
    const evidence = pushed.map(({ id }) => ({ event_id: id, name: 'a.jpg', put_url: `${storage.url}/b` }));
    return { body: JSON.stringify({ evidence }) };
  };
  const id = await joined.event({ 'a.jpg': PICTURE });
  await joined.upload(id, 'a.jpg', PICTURE);
  await joined.newestAtHub();
  const subscription = { consumer: 'c', push_url: consumer.url, start_cursor: 0 };
  expectStatus(await joined.hub.call('POST', '/api/core/events/subscribe', subscription), 201);
  await until('the job says why', async () => (await joined.jobs())[0]?.lastError === OUTDATED);
  wire.upgrade();
  await joined.restartSite();
  await until('the file is there', () =>
    Promise.resolve(storage.heard.some(({ method }) => method === 'PUT')),
  );
  expect(storage.heard.find(({ method }) => method === 'PUT')?.body.equals(PICTURE)).toBe(true);
  await until('the job is done', async () => (await joined.jobs())[0]?.state === 'done');
});

test('after the upgrade what arose before goes up, and a page goes by headquarters', async () => {
  await rule();
  await arise(1);
  await arise(2);
  await joined.newestAtHub(2);
  wire.upgrade();
  await joined.restartSite();
  await until('its tasks are there', async () => {
    const [here, there] = await Promise.all([
      items<{ instance: string | null; eventId: number }>(joined.hub.call, TASKS),
      items<object>(joined.site.call, TASKS),
    ]);
    return here.length === there.length && here.every(({ instance }) => instance === 'site-1');
  });
  const id = await joined.newestAtHub(2);
  await until('its picture is there', async () => (await joined.get(id, 'a.jpg')).status === 200);
  await arise(3);
  await until('the page has gone out', () => Promise.resolve(robot.heard.length > 0));
  const status = await statusOf(joined);
  expect(status).toMatchObject({ evidence: { understood: true }, notifications: { understood: true } });
  for (const { name, parked } of status.channels) expect([name, parked]).toEqual([name, 0]);
  expect(status.flows.filter(({ lastErrorCode }) => lastErrorCode !== null)).toEqual([]);
});

test('an order to a site that was put back to the older release is refused by name, and given after the upgrade', async () => {
  wire.upgrade();
  await joined.restartSite();
  await rule();
  await arise(1);
  const [task] = await until('the task is there', async () => {
    const found = await items<{ id: number }>(joined.hub.call, TASKS);
    return found.length === 1 && found;
  });
  const step = { tenant_code: 'acme', kind: 'note', text: 'hurry', by: 'chen' };
  const give = () => joined.hub.call('POST', `${TASKS}/${task?.id}/steps`, step);
  wire.downgrade();
  await joined.restartSite();
  // The hub hears of it with a call of the site, and notes it every few seconds.
  let events = 1;
  await until('it is refused', async () => {
    events += 1;
    await joined.event({}, { idempotency_key: `more-${events}` });
    const answer = await give();
    return answer.status === 409 && jsonOf<{ error: string }>(answer).error === 'site_outdated';
  });
  const stands = await items<{ state: string }>(joined.hub.call, '/api/core/uplink/orders');
  wire.upgrade();
  await joined.restartSite();
  await until('it is taken', async () => {
    events += 1;
    await joined.event({}, { idempotency_key: `more-${events}` });
    return (await give()).status < 300;
  });
  await until('all are carried out', async () => {
    const orders = await items<{ state: string }>(joined.hub.call, '/api/core/uplink/orders');
    return orders.length > stands.length && orders.every(({ state }) => state === 'done');
  });
});
