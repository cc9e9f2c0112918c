// People are called: who is on duty first, the next one when nobody has taken over, by push and by e-mail,
// through a push service and a mail server that run here; two hubs on one database call once.
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser } from '../../support/browser.ts';
import { longTest } from '../../support/long.ts';
import { MailServer, pem, type Received } from '../../support/mail-server.ts';
import { PushService } from '../../support/push-service.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { openSessionRig, type SessionRig } from '../session-rig.ts';

const MINUTE = 60_000;
const trusted = tls.getCACertificates('default');
beforeAll(() => tls.setDefaultCACertificates([...trusted, pem('authority')]));
afterAll(() => tls.setDefaultCACertificates(trusted));

let rig: SessionRig;
let push: PushService;
let closing: (() => Promise<void>)[];
beforeEach(async () => {
  push = await new PushService().open();
  rig = await openSessionRig({
    AGENT_CHANNEL_NETWORKS: '127.0.0.1/32',
    CORE_WEBHOOK_NETWORKS: '127.0.0.1/32',
  });
  closing = [() => rig.close(), () => push.close()];
});
afterEach(async () => {
  expect(push.faults).toEqual([]);
  for (const close of closing) await close();
});

/** As a browser calls from a page of the hub. */
const origin = () => ({ 'x-requested-with': 'fieldline', origin: rig.hub.url });
const CHOICE = {
  ...{ when: 'on_duty', severities: ['high', 'critical'], alarms: false, tenants: null, sites: null },
  ...{ quiet: null, language: 'zh', ways: ['push', 'email'], email: null },
};
const ROTA = {
  ...{ tenant_code: 'acme', name: 'tunnel', zone: 'Asia/Shanghai', first_week: '2026-02-23' },
  shifts: [{ days: [1, 2, 3, 4, 5, 6, 7], begin: '00:00', end: '00:00', people: ['li', 'wang'] }],
  next_after_minutes: 5,
};

const choose = async (browser: Browser, over: object): Promise<void> => {
  const body = { ...CHOICE, ...over };
  expectStatus(await browser.call('PUT', '/api/core/duty/me', { body, headers: origin() }), 200);
};
const subscribe = async (browser: Browser, device: string): Promise<string> => {
  const body = { ...push.subscribe(device), label: device };
  const answer = await browser.call('POST', '/api/core/duty/devices', { body, headers: origin() });
  return jsonOf<{ id: string }>(expectStatus(answer, 201)).id;
};
const person = async (name: string, over: object = {}, more?: object): Promise<Browser> => {
  await rig.addUser(name, more);
  const browser = await rig.browser(name);
  await choose(browser, over);
  await subscribe(browser, name);
  return browser;
};
const fall = (key: string, over: object = {}) => ({
  ...{
    idempotency_key: key,
    type: 'person.fall',
    severity: 'critical',
    camera_ref: `c-${key}`,
    site_ref: '三号洞口',
  },
  ...over,
});
const makeRota = async (over: object = {}): Promise<string> =>
  jsonOf<{ id: string }>(
    expectStatus(await rig.admin('POST', '/api/core/duty/rotas', { ...ROTA, ...over }), 201),
  ).id;
const steps = async (id: number): Promise<string[]> =>
  jsonOf<{ steps: { code?: string; textZh: string }[] }>(
    await rig.admin('GET', `/api/core/events/${id}/timeline?tenant_code=acme`),
  ).steps.flatMap(({ code, textZh }) => (code === undefined ? [] : [`${code}: ${textZh}`]));
const called = () => push.received.map(({ device, payload }) => `${device} ${String(payload.kind)}`);
async function mailServer(): Promise<MailServer> {
  const server = await new MailServer().open();
  closing.push(() => server.close());
  const body = {
    ...{
      tenant_code: null,
      name: 'mail',
      channel: 'chat',
      format: 'email',
      url: server.url,
      secret: 'right',
    },
    ...{ mail: { from: 'fieldline@hub.example', user: 'fieldline' }, recipients: ['ops@example.com'] },
  };
  expectStatus(await rig.admin('POST', '/api/agent/channels', body), 201);
  return server;
}
function textOf({ raw }: Received): string {
  const text = raw.split('\r\n\r\n').slice(1).join('\r\n\r\n');
  if (/^Content-Transfer-Encoding: base64/im.test(raw)) return Buffer.from(text, 'base64').toString('utf8');
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

test('who is on duty is called, then the next one; who takes it by the link of the message ends it', async () => {
  const second = await rig.peer();
  const li = await person('li');
  await person('wang');
  await makeRota();
  const [id = 0] = await rig.post('acme', [fall('k')]);
  const [first] = await push.receives(1);
  expect(first).toMatchObject({
    device: 'li',
    headers: { ttl: '3600', urgency: 'high' },
    claims: { aud: push.url, sub: 'mailto:fieldline@127.0.0.1' },
    payload: { kind: 'call', url: `/events/${id}`, title: '【严重】人员摔倒', take: '我接手', urgent: true },
  });
  expect(first?.bytes).toBeLessThanOrEqual(4096);
  expect(String(first?.payload.body)).toContain('三号洞口');
  rig.clock.advance(4 * MINUTE);
  const mine = () => li.call('GET', `/api/core/duty/calls?event_ids=${id}`);
  expect(jsonOf(await mine())).toMatchObject({ items: [{ eventId: id, state: 'calling', called: ['li'] }] });
  rig.clock.advance(2 * MINUTE);
  await push.receives(2);
  expect(called()).toEqual(['li call', 'wang call']);

  const { token } = push.received[1]?.payload as { token: string };
  const link = (what: string, body: object) =>
    rig.browser('li').then((one) => one.call('POST', `/api/core/duty/link/${what}`, { body, headers: {} }));
  expectStatus(await link('seen', { token }), 200);
  expect(jsonOf(await link('look', { token }))).toMatchObject({
    userName: 'wang',
    titleZh: '【严重】人员摔倒',
  });
  expect(jsonOf(await link('take', { token }))).toMatchObject({ taken: true, takenBy: 'wang' });
  // Both devices learn of it, and nobody else is called.
  await push.receives(4);
  expect(called().slice(2).sort()).toEqual(['li taken', 'wang taken']);
  rig.clock.advance(30 * MINUTE);
  const [next = 0] = await rig.post('acme', [fall('later')]);
  await push.receives(5);
  expect(push.received[4]?.payload.url).toBe(`/events/${next}`);
  expect((await steps(id)).filter((text) => text.includes('call'))).toEqual([
    'called: 呼叫 li（推送，值班）：服务已接收。',
    'called: 呼叫 wang（推送，值班）：服务已接收。',
    'call_shown: wang 的设备已显示呼叫。',
    'call_opened: wang 打开了呼叫。',
    'call_taken: wang 已接手。',
  ]);
  // Once is enough, for the same person and for others.
  expect(jsonOf(await link('take', { token }))).toMatchObject({ taken: true, takenBy: 'wang' });
  const late = String(push.received[0]?.payload.token);
  expect(jsonOf(await link('take', { token: late }))).toMatchObject({ taken: false, takenBy: 'wang' });
  expect(await link('take', { token: `${token}x` })).toMatchObject({ status: 404 });
  await second.stop();
});

longTest(
  'nobody takes over: round after round, then the operators are told; a gap is told at once',
  async () => {
    await person('li', { email: null });
    await rig.addUser('wang');
    const id = await makeRota();
    await rig.post('acme', [fall('k')]);
    for (const round of [1, 2, 3]) {
      await push.receives(round);
      rig.clock.advance(6 * MINUTE);
    }
    const standing = async (): Promise<string[]> =>
      jsonOf<{ items: { key: string }[] }>(await rig.admin('GET', '/api/core/alarms')).items.map(
        ({ key }) => key,
      );
    await until('it is told', async () => (await standing()).includes(`duty_unanswered:${id}`));
    expect(called()).toEqual(['li call', 'li call', 'li call']);

    const [other = ''] = [await makeRota({ name: 'night', shifts: [], sites: ['bridge-2'] })];
    // A round that has read the rotas already looks for gaps in these alone, and the next one a while later.
    const later = async (): Promise<string[]> => {
      rig.clock.advance(MINUTE);
      return standing();
    };
    await until('the gap is told', async () => (await later()).includes(`duty_gap:${other}`));
    expectStatus(await rig.admin('DELETE', `/api/core/duty/rotas/${other}`), 200);
    await until('the gap is over', async () => !(await later()).includes(`duty_gap:${other}`));
  },
);

test('a mail calls with one link, and its text is in the language of the person', async () => {
  const mail = await mailServer();
  await rig.addUser('li');
  const li = await rig.browser('li');
  await choose(li, { email: 'li@example.com', language: 'en' });
  await makeRota({ shifts: [{ ...ROTA.shifts[0], people: ['li'] }] });
  const [id = 0] = await rig.post('acme', [fall('k')]);
  const [message] = await mail.receives(1);
  expect(message?.to).toEqual(['li@example.com']);
  const text = textOf(message as Received);
  expect(text).toContain('【Critical】Person fell');
  expect(text).toContain(`${rig.hub.url}/events/${id}`);
  const token = /http:\/\/[0-9.:]+\/take#(\S+)/.exec(text)?.[1] ?? '';
  const took = await li.call('POST', '/api/core/duty/link/take', { body: { token }, headers: {} });
  expect(jsonOf(took)).toMatchObject({ taken: true, takenBy: 'li' });
});

test('verdicts on all of its events end the calling; own choices are told once, without quiet hours, tenants and sites of others', async () => {
  const chief = await person('chief', { when: 'always', tenants: ['beta'] });
  await person('night', {
    when: 'always',
    quiet: { begin: '07:00', end: '09:00', zone: 'Asia/Shanghai', critical_through: false },
  });
  await person('beta-user', { when: 'always' }, { role: 'customer', tenant_code: 'beta' });
  await person('acme-user', { when: 'always' }, { role: 'customer', tenant_code: 'acme' });
  const [id = 0, again = 0] = await rig.post('acme', [fall('k'), fall('again', { camera_ref: 'c-k' })]);
  await push.receives(1);
  const [other = 0] = await rig.post('beta', [fall('b')]);
  await push.receives(3);
  expect(called().sort()).toEqual(['acme-user call', 'beta-user call', 'chief call']);
  expect(push.received.find(({ device }) => device === 'chief')?.payload.url).toBe(`/events/${other}`);
  const acme = await rig.browser('acme-user');
  const judge = async (event: number) => {
    const body = { verdict: 'confirmed', by: 'acme-user' };
    expectStatus(await acme.call('POST', `/api/core/events/${event}/verdict`, { body }), 200);
  };
  // The one that joined the call waits still.
  await judge(id);
  expect(await rig.hub.store.duty.calls.over([], true, rig.clock.now())).toBe(0);
  expect((await acme.call('GET', `/api/core/duty/calls?event_ids=${id}`)).text).not.toContain('"judged"');
  await judge(again);
  rig.clock.advance(MINUTE);
  await until('it is over', async () =>
    (await acme.call('GET', `/api/core/duty/calls?event_ids=${id}`)).text.includes('"judged"'),
  );
  const take = await acme.call('POST', `/api/core/duty/events/${id}/take`);
  expect(take).toMatchObject({ status: 409 });
  // What is of another tenant does not exist.
  expect(await acme.call('POST', `/api/core/duty/events/${other}/take`)).toMatchObject({ status: 404 });
  expect(jsonOf(await acme.call('GET', `/api/core/duty/calls?event_ids=${other}`))).toMatchObject({
    items: [],
  });
  expect(jsonOf(await chief.call('POST', `/api/core/duty/events/${other}/take`))).toMatchObject({
    taken: true,
    takenBy: 'chief',
  });
});

test('a device that its service knows no more goes; one that is refused for now is tried again', async () => {
  const li = await person('li');
  const tried = await subscribe(li, 'old');
  push.answers.set('old', 410);
  push.answers.set('li', 503);
  expect(jsonOf(await li.call('POST', `/api/core/duty/devices/${tried}/test`))).toMatchObject({
    ...{ taken: false, status: 410, errorZh: '推送服务已不认识该设备（410），已移除' },
  });
  const devices = async () =>
    jsonOf<{ devices: { id: string; label: string; lastError: string | null }[] }>(
      await li.call('GET', '/api/core/duty/me'),
    ).devices;
  expect((await devices()).map(({ label }) => label)).toEqual(['li']);
  const wang = await person('wang');
  await makeRota();
  await rig.post('acme', [fall('k')]);
  await push.receives(2);
  await until('the fault is kept', async () => (await devices())[0]?.lastError?.includes('503') === true);
  push.answers.delete('li');
  rig.clock.advance(3_000);
  await push.receives(3);
  expect((await rig.admin('GET', '/metrics')).text).toContain('fieldline_push_devices_dead_total 1');
  // The same keys at each hub, and nobody else's device is there to be removed or tried.
  const [{ id = '' } = {}] = await devices();
  expect(await wang.call('DELETE', `/api/core/duty/devices/${id}`)).toMatchObject({ status: 404 });
  expect(await wang.call('POST', `/api/core/duty/devices/${id}/test`)).toMatchObject({ status: 404 });
  expectStatus(await li.call('DELETE', `/api/core/duty/devices/${id}`), 200);
  expect(await devices()).toEqual([]);
});

test('an inner address is not called, and one in clear is not taken', async () => {
  await rig.close();
  // Mail may go there, and what a browser names may not.
  rig = await openSessionRig({ AGENT_CHANNEL_NETWORKS: '127.0.0.1/32' });
  await rig.addUser('li');
  const li = await rig.browser('li');
  const id = await subscribe(li, 'li');
  expect(jsonOf(await li.call('POST', `/api/core/duty/devices/${id}/test`))).toMatchObject({
    taken: false,
    status: null,
  });
  expect(push.received).toEqual([]);
  const body = { ...push.subscribe('x'), label: 'x' };
  const clear = { ...body, endpoint: body.endpoint.replace('https:', 'http:') };
  expect(await li.call('POST', '/api/core/duty/devices', { body: clear })).toMatchObject({ status: 400 });
});
