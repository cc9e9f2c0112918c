// Frigate by way of a real broker, with its HTTP API beside it.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ConnectionView } from '../../../site/intake/schema.ts';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { jsonOf, until } from '../../support/request.ts';
import { Broker, Frigate } from './broker-rig.ts';
import { deviceOf, eventsOf, type Issued, register, type SeenEvent } from './rig.ts';

const scene = new Scene();
let here: SiteHere;
let broker: Broker;
let frigate: Frigate;
let device: Issued;
let count = 0;
beforeAll(async () => {
  here = await startSiteHere(scene);
});
afterAll(() => scene.close());
beforeEach(async () => {
  count += 1;
  broker = await Broker.start(scene);
  frigate = await Frigate.start(scene);
});

let prefix = 'frigate';
const listen = async (more: Record<string, unknown> = {}): Promise<void> => {
  prefix = String(more.topic ?? 'frigate');
  const subscribed = broker.subscribed(`${prefix}/reviews`);
  device = await register(here, {
    kind: 'frigate',
    name: `nvr-${count}`,
    address: broker.address,
    user: broker.user,
    password: broker.password,
    ...more,
  });
  await subscribed;
  await becomes('connected');
};
const connection = async (): Promise<ConnectionView | null> =>
  ((await deviceOf(here, device.keyId)) as unknown as { connection: ConnectionView | null }).connection;
const becomes = (condition: string): Promise<unknown> =>
  until(`it is ${condition}`, async () => (await connection())?.condition === condition);
const own = async (): Promise<SeenEvent[]> => {
  const rows = await here.site.store.events.page(0, 10_000);
  const ids = new Set(rows.filter(({ nodeKey }) => nodeKey === device.keyId).map(({ id }) => id));
  return (await eventsOf(here)).filter(({ id }) => ids.has(id));
};
/** One message is taken after the other: with the heartbeat that follows them, those before are done. */
const handled = async (number: number): Promise<void> => {
  const before = await deviceOf(here, device.keyId);
  await broker.publish(`${prefix}/available`, 'online');
  await until(`${number} messages`, async () => {
    const { messages, heartbeats } = await deviceOf(here, device.keyId);
    return messages > number && heartbeats > before.heartbeats;
  });
};

interface ReviewForm {
  id?: string;
  type?: 'new' | 'update' | 'end';
  severity?: 'alert' | 'detection';
  objects?: string[];
  zones?: string[];
  start?: number;
}

/** A message as Frigate writes it. */
function review({
  id = `${Date.now() / 1000}-abc${count}`,
  type = 'new',
  severity = 'alert',
  objects = ['person'],
  zones = ['yard'],
  start = Date.now() / 1000,
}: ReviewForm = {}) {
  const item = {
    id,
    camera: 'front_cam',
    start_time: start,
    end_time: type === 'end' ? start + 9 : null,
    severity,
    thumb_path: '/media/frigate/clips/review/thumb-front_cam.webp',
    data: { detections: [`${id}-1`], objects, sub_labels: [], zones, audio: [] },
  };
  return { type, before: item, after: item };
}

test('a review is one event, whatever is told of it, doubled or again', async () => {
  await listen();
  const start = Date.now() / 1000;
  const form = { id: `${start}-one`, start };
  for (const type of ['new', 'new', 'update', 'end', 'end', 'update'] as const)
    await broker.publish('frigate/reviews', review({ ...form, type, zones: type === 'new' ? [] : ['yard'] }));
  await handled(6);
  expect(await own()).toMatchObject([
    {
      type: 'object.person',
      severity: 'high',
      key: `frigate:frigate-front_cam:${form.id}`,
      occurredAt: Math.round(start * 1000),
      doc: { cameraRef: 'frigate-front_cam', localAlertNo: form.id, payload: { review: form.id } },
    },
  ]);
  expect(await here.site.store.devices.unsettled()).toEqual([]);
});

test('what begins as a detection and becomes an alert is told as that too', async () => {
  await listen();
  const form = { id: `rise-${count}` };
  await broker.publish('frigate/reviews', review({ ...form, severity: 'detection' }));
  await broker.publish('frigate/reviews', review({ ...form, type: 'update' }));
  await broker.publish('frigate/reviews', review({ ...form, type: 'end' }));
  await handled(3);
  expect((await own()).map(({ severity }) => severity)).toEqual(['low', 'high']);
  expect(await here.site.store.devices.unsettled()).toEqual([]);
});

test('labels, sounds and zones have their types, and the settings go first', async () => {
  await listen({ types: { 'car@gate': 'vehicle.at_gate' }, severity: 'medium', topic: 'nvr/east' });
  const each: Partial<ReviewForm>[] = [
    { objects: ['person-verified'] },
    { objects: ['car'], zones: ['gate'] },
    { objects: ['car'], zones: ['yard'] },
  ];
  for (const [n, form] of each.entries())
    await broker.publish('nvr/east/reviews', review({ id: `label-${n}`, ...form }));
  await handled(3);
  expect((await own()).map(({ type, severity }) => [type, severity])).toEqual([
    ['object.person', 'medium'],
    ['vehicle.at_gate', 'medium'],
    ['object.car', 'medium'],
  ]);
});

test('of several objects the person and the settings count, in whatever order they are listed', async () => {
  await listen({ types: { 'truck@gate': 'vehicle.at_gate' } });
  const each: Partial<ReviewForm>[] = [
    { objects: ['car', 'person-verified', 'person'] },
    { objects: ['person', 'car'] },
    { objects: ['person', 'truck'], zones: ['yard', 'gate'] },
    { objects: ['dog', 'car'], severity: 'detection' },
  ];
  for (const [n, form] of each.entries())
    await broker.publish('frigate/reviews', review({ id: `several-${n}`, ...form }));
  await handled(4);
  expect((await own()).map(({ type }) => type)).toEqual([
    'object.person',
    'object.person',
    'vehicle.at_gate',
    'object.car',
  ]);
});

test('what a language model writes of a review that is over makes no second event of it', async () => {
  await listen();
  const form = { id: `told-${count}` };
  for (const type of ['new', 'end'] as const)
    await broker.publish('frigate/reviews', review({ ...form, type }));
  const { before, after } = review({ ...form, type: 'end' });
  const metadata = { title: 'Somebody at the gate', confidence: 0.8, potential_threat_level: 1 };
  const told = { ...after, data: { ...after.data, metadata } };
  await broker.publish('frigate/reviews', { type: 'genai', before, after: told });
  await handled(3);
  expect(await own()).toHaveLength(1);
  const standing = await here.site.store.devices.unsettled();
  expect(standing.filter(({ keyId }) => keyId === device.keyId)).toEqual([]);
});

test('a review that lasts and rises late keeps its time, and is no word of the clock', async () => {
  await listen();
  const start = Date.now() / 1000 - 240;
  const form = { id: `lasting-${count}`, start };
  for (const type of ['update', 'update', 'end'] as const)
    await broker.publish('frigate/reviews', review({ ...form, type }));
  await handled(3);
  expect(await own()).toMatchObject([{ occurredAt: Math.round(start * 1000), type: 'object.person' }]);
  expect((await own())[0]?.doc.payload).not.toHaveProperty('sent_late');
  expect(await deviceOf(here, device.keyId)).toMatchObject({ clockOffSeconds: 0 });
  const alarms = jsonOf<{ items: { key: string }[] }>(await here.call('GET', '/api/core/alarms')).items;
  expect(alarms.map(({ key }) => key)).not.toContain(`device_clock:${device.keyId}`);
});

test('a start in the middle of a review ends it, and what is told of it later makes no other', async () => {
  await listen();
  const form = { id: `cut-${count}` };
  const standing = async (): Promise<number> =>
    (await here.site.store.devices.unsettled()).filter(({ keyId }) => keyId === device.keyId).length;
  await broker.publish('frigate/reviews', review(form));
  await until('it stands', async () => (await standing()) === 1);
  await broker.publish('frigate/available', 'offline');
  await broker.publish('frigate/available', 'online', { retain: true });
  await until('it is over', async () => (await standing()) === 0);
  await broker.publish('frigate/reviews', review({ ...form, type: 'update' }));
  await handled(4);
  expect(await own()).toHaveLength(1);
});

test('its pictures come by its API, also when they are there later than the message', async () => {
  await listen({ api_address: frigate.address });
  const bytes = frigate.picture(`pic-${count}-1`);
  frigate.lateBy = 2;
  await broker.publish('frigate/reviews', review({ id: `pic-${count}` }));
  await until('the picture is kept', async () => {
    const [event] = await own();
    const files = event ? await here.site.store.evidence.ofEvent('acme', event.id) : [];
    return files[0]?.size === bytes.length;
  });
});

test('a picture that never comes costs the alarm nothing, and is counted', async () => {
  await listen({ api_address: frigate.address });
  await broker.publish('frigate/reviews', review({ id: `none-${count}` }));
  await until('the event is there', async () => (await own()).length === 1);
  // It is counted once the event is on the disk.
  await until('the picture is counted', async () => {
    const { picturesLost } = (await deviceOf(here, device.keyId)) as unknown as { picturesLost: number };
    return picturesLost === 1;
  });
});

test('behind a login it shows the password of the broker, once', async () => {
  frigate.login = { user: broker.user, password: broker.password };
  await listen({ api_address: frigate.address });
  const pictures = [1, 2].map((n) => frigate.picture(`login-${n}-1`));
  for (const n of [1, 2]) await broker.publish('frigate/reviews', review({ id: `login-${n}` }));
  await until('both have their picture', async () => {
    const files = await Promise.all(
      (await own()).map(({ id }) => here.site.store.evidence.ofEvent('acme', id)),
    );
    return files.flat().length === pictures.length;
  });
  expect(frigate.logins).toBe(1);
});

test('what was told while the site was away, or is kept by the broker, comes with its own time', async () => {
  await listen();
  await here.call('PUT', `/api/core/devices/${device.keyId}`, { address: broker.address, user: 'nobody' });
  await until('it has gone', async () => broker.clients === 0);
  const start = Date.now() / 1000 - 3_600;
  await broker.publish('frigate/reviews', review({ id: 'kept', start }));
  await broker.publish('frigate/reviews', review({ id: 'kept', start, type: 'end' }));
  await here.call('PUT', `/api/core/devices/${device.keyId}`, {
    address: broker.address,
    user: broker.user,
    password: broker.password,
  });
  await handled(2);
  expect(await own()).toMatchObject([
    { occurredAt: Math.round(start * 1000), doc: { payload: { sent_late: true } } },
  ]);
});

test('a broker that goes away is connected to again, and nothing comes twice', async () => {
  await listen();
  await broker.publish('frigate/reviews', review({ id: 'before' }), { retain: true });
  await handled(1);
  await broker.close();
  await becomes('unreachable');
  await broker.open();
  await becomes('connected');
  await broker.publish('frigate/reviews', review({ id: 'after' }));
  await handled(2);
  await until('both are there', async () => (await own()).length === 2);
  expect((await own()).map(({ doc }) => doc.localAlertNo)).toEqual(['before', 'after']);
});

test('a wrong password, and a topic that is not allowed, are named', async () => {
  device = await register(here, {
    kind: 'frigate',
    name: `wrong-${count}`,
    address: broker.address,
    user: broker.user,
    password: 'wrong',
  });
  await becomes('refused');
  expect(await connection()).toMatchObject({ code: 'device_password_refused' });
  expect(broker.wrong).toBe(1);
  broker.forbidden.add('frigate/reviews');
  const changed = await here.call('PUT', `/api/core/devices/${device.keyId}/password`, { password: 'right' });
  expect(changed.status).toBe(200);
  await becomes('broken');
  expect(await connection()).toMatchObject({ code: 'device_topic_refused' });
});

test('a broker is spoken to by TLS where its authority is given, and not otherwise', async () => {
  const tls = (name: string) =>
    readFileSync(new URL(`../../support/tls/${name}.pem`, import.meta.url), 'utf8');
  broker = await Broker.start(scene, { key: tls('receiver-key'), cert: tls('receiver') });
  await listen({ tls_ca: tls('authority') });
  await broker.publish('frigate/reviews', review({ id: `tls-${count}` }));
  await until('the event is there', async () => (await own()).length === 1);
  device = await register(here, { kind: 'frigate', name: `untrusted-${count}`, address: broker.address });
  await becomes('tls');
  expect(await connection()).toMatchObject({ code: 'device_certificate_unknown' });
});

test('a broker whose own certificate is trusted and has another name is told for its name', async () => {
  const tls = (name: string) =>
    readFileSync(new URL(`../../support/tls/${name}.pem`, import.meta.url), 'utf8');
  broker = await Broker.start(scene, { key: tls('receiver-key'), cert: tls('self-signed') });
  device = await register(here, {
    kind: 'frigate',
    name: `named-${count}`,
    address: broker.address,
    tls_ca: tls('self-signed'),
  });
  await becomes('tls');
  expect(await connection()).toMatchObject({ code: 'device_certificate_names' });
});

test('its last will says that it is away, and that it is back', async () => {
  await listen();
  await broker.publish('frigate/available', 'offline', { retain: true });
  await becomes('unreachable');
  expect(await connection()).toMatchObject({ code: 'device_program_gone' });
  await broker.publish('frigate/available', 'online', { retain: true });
  await becomes('connected');
  expect(await own()).toEqual([]);
});

test('what is no review is counted, and what comes after it is taken', async () => {
  await listen();
  for (const odd of ['', '{', '[]', '{"after":{}}', '{"after":{"id":"7","camera":"a","label":"car"}}'])
    await broker.publish('frigate/reviews', odd);
  await broker.publish('frigate/reviews', review({ id: 'good' }));
  await until('the event is there', async () => (await own()).length === 1);
  expect(await deviceOf(here, device.keyId)).toMatchObject({ unreadable: 5 });
});

const judge = async (): Promise<void> => {
  await until('the event is there', async () => (await own()).length === 1);
  const [event] = await own();
  const answer = await here.call('POST', `/api/core/events/${event?.id}/verdict`, {
    verdict: 'false_alarm',
    by: 'anna',
    note: 'a cat',
  });
  expect(answer.status).toBeLessThan(300);
};
const told = () => [
  { path: '/api/reviews/viewed', body: { ids: [`judged-${count}`], reviewed: true } },
  {
    path: `/api/events/judged-${count}-1/description`,
    body: { description: 'Fieldline: false_alarm, anna, a cat' },
  },
];

test('it is told what was judged of its alarm, by its own API, behind its login', async () => {
  frigate.login = { user: broker.user, password: broker.password };
  await listen({ api_address: frigate.address });
  await broker.publish('frigate/reviews', review({ id: `judged-${count}` }));
  await judge();
  await until('it is told', async () => frigate.posts.length === 2);
  expect(frigate.posts).toMatchObject(told());
});

test('what a person or a language model wrote of the object stays, and is read before it is written', async () => {
  const object = `/api/events/judged-${count}-1`;
  frigate.descriptions.set(object, 'A person in a red jacket.\nFieldline: confirmed, bert\nSeen by Anna.');
  await listen({ api_address: frigate.address });
  await broker.publish('frigate/reviews', review({ id: `judged-${count}` }));
  await judge();
  await until('it is told', async () => frigate.posts.length === 2);
  expect(frigate.descriptions.get(object)).toBe(
    'A person in a red jacket.\nSeen by Anna.\nFieldline: false_alarm, anna, a cat',
  );
});

test('what it cannot take now is told later, and what it has forgotten not again', async () => {
  frigate.failures = [500, 200, 404];
  await listen({ api_address: frigate.address });
  await broker.publish('frigate/reviews', review({ id: `judged-${count}` }));
  await judge();
  await until('the second try has come', async () => frigate.failures.length === 0);
  expect(frigate.posts).toMatchObject(told().slice(0, 1));
  await until('nothing waits', async () => (await here.site.store.feedback.counts()).pending === 0);
});

test('a try shows what comes and what it becomes', async () => {
  await listen();
  const tried = here.call('POST', `/api/core/devices/${device.keyId}/try`, { seconds: 20 });
  const sent = setInterval(() => void broker.publish('frigate/reviews', review({ id: 'tried' })), 100);
  const { items } = jsonOf<{ items: { events: { event: { type: string } }[] }[] }>(await tried);
  clearInterval(sent);
  expect(items[0]?.events[0]?.event.type).toBe('object.person');
});
