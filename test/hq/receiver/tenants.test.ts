// What a site brought of one tenant does not exist for another: events, pictures, tasks, orders, groups and
// jobs, each by itself and in lists and counts. A stranger's question changes nothing either.
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SigningKey } from '../../../common/http/signing/signature.ts';
import { Browser } from '../../support/browser.ts';
import { HttpPeer } from '../../support/http-peer.ts';
import { Scene } from '../../support/process.ts';
import { type Answer, expectStatus, jsonOf, signedCall, until } from '../../support/request.ts';
import { Joined } from '../evidence/joined.ts';
import { login, PASSWORD } from '../session-rig.ts';

const MISSING = 999_999;

let scene: Scene;
let joined: Joined;
let event: number;
let task: number;
let group: number;
let stranger: Browser;
let strangersKey: SigningKey;

type Items = { items: Record<string, unknown>[] };
const idOf = async (path: string): Promise<number> => {
  const [first] = jsonOf<Items>(expectStatus(await joined.hub.call('GET', path), 200)).items;
  return Number(first?.id ?? 0);
};

beforeAll(async () => {
  scene = new Scene();
  const storage = await new HttpPeer().open();
  const consumer = await new HttpPeer().open();
  scene.onClose(() => Promise.all([storage.close(), consumer.close()]));
  joined = await Joined.open(scene);
  const { hub, site } = joined;
  consumer.respond = ({ body }) => {
    const { items } = JSON.parse(body.toString('utf8')) as { items: { id: number }[] };
    const wanted = items.map(({ id }) => ({ event_id: id, name: 'late.jpg', put_url: `${storage.url}/x` }));
    return { body: JSON.stringify({ evidence: wanted }) };
  };
  const pushed = { consumer: 'c', tenant_code: 'acme', push_url: consumer.url, start_cursor: 0 };
  expectStatus(await hub.call('POST', '/api/core/events/subscribe', pushed), 201);
  const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#123' } })
    .jpeg()
    .toBuffer();
  const atSite = await joined.event({ 'a.jpg': picture, 'far.jpg': picture, 'late.jpg': picture });
  for (const name of ['a.jpg', 'far.jpg']) await joined.upload(atSite, name, picture);
  const work = { tenant_code: 'acme', type: 'disposal', event_id: atSite, title: 'go', severity: 'high' };
  expectStatus(await site.call('POST', '/api/core/objects/tasks', work), 201);
  const made = { tenant_code: 'acme', source_key: 'g', layer: 'L1', site_ref: 's', event_ids: [atSite] };
  expectStatus(await site.call('POST', '/api/core/incidents/upsert', made), 201);
  event = await joined.newestAtHub();
  await until('the picture is here', async () => (await joined.get(event, 'a.jpg')).status === 200);
  await until('the task is here', async () => (await idOf('/api/core/objects/tasks')) > 0);
  await until('the group is here', async () => (await idOf('/api/core/incidents')) > 0);
  await until('the job is here', async () => (await joined.jobs()).length === 1);
  await site.site.stop();
  task = await idOf('/api/core/objects/tasks');
  group = await idOf('/api/core/incidents');
  const note = { tenant_code: 'acme', text: 'come here', by: 'li' };
  expectStatus(await hub.call('POST', `/api/core/objects/tasks/${task}/edge_note`, note), 202);
  const user = { name: 'other-user', password: PASSWORD, role: 'customer', tenant_code: 'other' };
  const permissions = ['events.view', 'tasks.manage', 'incidents.manage', 'stats.view', 'events.judge'];
  expectStatus(await hub.call('POST', '/api/core/users', { ...user, permissions }), 201);
  stranger = new Browser(hub.hub.url);
  expectStatus(await login(stranger, 'other-user'), 200);
  const scopes = [
    'events.read',
    'evidence.read',
    'timeline.read',
    'stats.read',
    'verdicts.write',
    'tasks.read',
    'tasks.write',
    'incidents.read',
    'incidents.write',
  ];
  const theirs = { consumer: 'o', tenant_code: 'other', start_cursor: 0 };
  expectStatus(await hub.call('POST', '/api/core/events/subscribe', theirs), 201);
  strangersKey = jsonOf<SigningKey>(
    expectStatus(await hub.call('POST', '/api/core/consumers/o/keys', { tenant_code: 'other', scopes }), 201),
  );
}, 120_000);
afterAll(() => scene.close());

type Ask = (method: string, path: string, body?: object) => Promise<Answer>;
const strangers: [string, Ask][] = [
  ['a customer', (method, path, body) => stranger.call(method, path, { body })],
  [
    "a consumer's key",
    (method, path, body) =>
      signedCall({
        url: joined.hub.hub.url,
        key: strangersKey,
        method,
        path,
        now: joined.clock.now(),
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
  ],
];

const OTHER = { tenant_code: 'other' };
const things: [
  method: string,
  path: (event: number, task: number, group: number) => string,
  body?: object,
][] = [
  ['GET', (id) => `/api/core/events/${id}`],
  ['POST', (id) => `/api/core/events/${id}/verdict`, { verdict: 'confirmed', by: 'me' }],
  ['POST', (id) => `/api/core/events/${id}/corrections`, { verdict: 'confirmed', by: 'me', note: 'n' }],
  ['GET', (id) => `/api/core/events/${id}/evidence`],
  ['GET', (id) => `/api/core/events/${id}/evidence/a.jpg`],
  ['GET', (id) => `/api/core/events/${id}/evidence/a.jpg?size=small`],
  ['GET', (id) => `/api/core/events/${id}/evidence/far.jpg`],
  ['GET', (id) => `/api/core/events/${id}/evidence/far.jpg?size=small`],
  ['GET', (id) => `/api/core/events/${id}/timeline?tenant_code=other`],
  ['GET', (_event, id) => `/api/core/objects/tasks/${id}`],
  ['POST', (_event, id) => `/api/core/objects/tasks/${id}/transition`, { ...OTHER, to: 'taken_over' }],
  ['POST', (_event, id) => `/api/core/objects/tasks/${id}/steps`, { ...OTHER, kind: 'note', text: 't' }],
  ['POST', (_event, id) => `/api/core/objects/tasks/${id}/edge_note`, { ...OTHER, text: 't' }],
  ['POST', (_event, id) => `/api/core/objects/tasks/${id}/body`, { ...OTHER, body: { x: 1 } }],
  ['GET', (_event, _task, id) => `/api/core/incidents/${id}`],
  ['POST', (_event, _task, id) => `/api/core/incidents/${id}/confirm`, {}],
  ['POST', (_event, _task, id) => `/api/core/incidents/${id}/unmerge`, {}],
];

const lists = (): string[] => [
  '/api/core/events/list?instance=site-1',
  '/api/core/events/list?severity=high',
  '/api/core/objects/tasks?instance=site-1',
  `/api/core/objects/tasks?event_id=${event}`,
  '/api/core/incidents?instance=site-1',
  `/api/core/incidents?event_id=${event}`,
  '/api/core/evidence/jobs',
];

/** Some calls and lists are closed to every consumer's key. */
const closed = ({ status, text }: Answer): boolean =>
  status === 403 && text.includes('A consumer key is not for this call');
const bare = (answer: Answer): string =>
  answer.text.replace(/"requestId":"[^"]*"/, '').replace(/(Event|Task|Incident) \d+/g, '$1 X');

describe.each(strangers)('%s of another tenant', (_who, ask) => {
  test.each(things)('%s %s', async (method, path, body) => {
    const sent = body && { ...body, by: 'me' };
    const answer = await ask(method, path(event, task, group), sent);
    const nothing = await ask(method, path(MISSING, MISSING, MISSING), sent);
    expect([answer.status, bare(answer)], answer.text).toEqual([nothing.status, bare(nothing)]);
    if (!closed(answer)) expect(answer.status, answer.text).toBe(404);
  });

  test('lists and counts are empty', async () => {
    for (const path of lists()) {
      const answer = await ask('GET', path);
      if (closed(answer)) continue;
      expect(jsonOf<Items>(expectStatus(answer, 200)).items, path).toEqual([]);
      expect(answer.text).not.toContain('acme');
    }
    const day = (days: number): string => new Date(joined.clock.now() + days * 86_400_000).toISOString();
    const stats = `/api/core/stats/window?tenant_code=other&since=${day(-2)}&until=${day(1)}`;
    expect(jsonOf(expectStatus(await ask('GET', stats), 200))).toMatchObject({ events: [], tasks: [] });
    const orders = await ask('GET', '/api/core/uplink/orders');
    expect([orders.status, orders.text.includes('acme')]).toEqual([403, false]);
  });
});

test('who may see every tenant and narrows to another finds none of it', async () => {
  const { hub } = joined;
  for (const path of [...lists(), '/api/core/uplink/orders?instance=site-1', '/api/core/alarms']) {
    const narrowed = `${path}${path.includes('?') ? '&' : '?'}tenant_code=other`;
    const answer = expectStatus(await hub.call('GET', narrowed), 200);
    expect(jsonOf<Items>(answer).items, path).toEqual([]);
  }
  for (const path of ['evidence', 'evidence/a.jpg', 'evidence/a.jpg?size=small', 'evidence/far.jpg'])
    expectStatus(
      await hub.call(
        'GET',
        `/api/core/events/${event}/${path}${path.includes('?') ? '&' : '?'}tenant_code=other`,
      ),
      404,
    );
});

test('nothing was asked of the site, ordered or written by strangers', async () => {
  const { hub } = joined;
  const listed = await joined.listed(event);
  expect(listed.find(({ name }) => name === 'far.jpg')).toMatchObject({
    state: 'at_site',
    site: { askedAt: null },
  });
  const orders = jsonOf<Items>(await hub.call('GET', '/api/core/uplink/orders')).items;
  expect(orders).toHaveLength(1);
  expect(jsonOf(await hub.call('GET', `/api/core/events/${event}`))).toMatchObject({ verdict: null });
});
