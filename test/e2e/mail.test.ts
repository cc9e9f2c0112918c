// Notifications and alarms by e-mail, through a real mail server, from a site and from headquarters.
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { MailClient } from '../../common/agent/channel/smtp.ts';
import { systemClock } from '../../common/clock.ts';
import { outerNetworks } from '../../common/http/outbound/address.ts';
import { alarm } from '../contract/samples.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { MailServer, type MailServerOptions, pem } from '../support/mail-server.ts';
import { Scene } from '../support/process.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

const trusted = tls.getCACertificates('default');
beforeAll(() => tls.setDefaultCACertificates([...trusted, pem('authority')]));
afterAll(() => tls.setDefaultCACertificates(trusted));

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

const ENV = { AGENT_ENABLED: 'true', AGENT_CHANNEL_NETWORKS: '127.0.0.1/32' };
const DUTY = ['duty@example.com', 'chief@example.org'];

async function mailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const server = await new MailServer(options).open();
  scene.onClose(() => server.close());
  return server;
}

const body = (url: string, more: object = {}): object => ({
  ...{ tenant_code: 'acme', name: 'mail', channel: 'chat', format: 'email', url, secret: 'right' },
  ...{ mail: { from: 'fieldline@site.example', user: 'fieldline' }, recipients: DUTY },
  ...more,
});
const add = async (call: Call, url: string, more: object = {}): Promise<string> =>
  jsonOf<{ id: string }>(expectStatus(await call('POST', '/api/agent/channels', body(url, more)), 201)).id;

interface Tested {
  taken: boolean;
  error: string | null;
  errorZh: string | null;
}
const tried = async (call: Call, id: string): Promise<Tested> =>
  jsonOf<Tested>(expectStatus(await call('POST', `/api/agent/channels/${id}/test`), 200));

/** Header of a message, unfolded. */
const header = (raw: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(raw)?.[1]?.replaceAll(/\r\n[ \t]/g, '');
function textOf(raw: string): string {
  const text = raw.split('\r\n\r\n').slice(1).join('\r\n\r\n');
  if (header(raw, 'Content-Transfer-Encoding') === 'base64')
    return Buffer.from(text, 'base64').toString('utf8');
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
/** Encoded words of a header, read. */
const read = (text: string): string =>
  text
    .replaceAll(/\?=\s*=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, word: string) => Buffer.from(word, 'base64').toString())
    .replaceAll(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_, word: string) =>
      decodeURIComponent(word.replaceAll('_', ' ').replaceAll('=', '%')),
    );

test('a notification goes to all recipients, logged in over STARTTLS; its text cannot add a header', async () => {
  const server = await mailServer();
  const { site, call, node } = await startSiteHere(scene, { env: ENV });
  await add(call, server.url);
  const action = { kind: 'notify', message: '{camera}\nBcc: x@evil.example', channels: ['chat'] };
  const rule = { tenant_code: 'acme', name: 'tell', kind: 'response' };
  const set = { ...rule, body: { priority: 1, enabled: true, match: {}, action } };
  expectStatus(await call('POST', '/api/core/objects/rules', set), 201);
  const cameraRef = `门口 ${'长'.repeat(60)}`;
  const event = { idempotency_key: 'k', type: 'vehicle.intrusion', site_ref: 's', camera_ref: cameraRef };
  const signed = { url: site.url, key: await node('gate'), method: 'POST', path: '/api/core/events' };
  await signedCall({ ...signed, body: JSON.stringify(event) }).then((answer) => expectStatus(answer, 201));
  const [mail] = await server.receives(1);
  expect(mail).toMatchObject({ from: 'fieldline@site.example', to: DUTY, user: 'fieldline' });
  const raw = mail?.raw ?? '';
  const subject = read(header(raw, 'Subject') ?? '');
  expect(subject).toMatch(/^门口 长+/);
  expect([...subject].length).toBeLessThanOrEqual(120);
  expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^bcc/im);
  expect(header(raw, 'Auto-Submitted')).toBe('auto-generated');
  expect(textOf(raw)).toContain('Bcc: x@evil.example');
  const shown = [await call('GET', '/api/agent/channels'), await call('GET', '/api/core/audit')];
  const text = shown.map((answer) => answer.text).join();
  expect(text).toContain('fieldline@site.example');
  expect(text).not.toMatch(/duty@|right"/);
});

test('an alarm of headquarters is mailed to the operators in both languages, over TLS from the start', async () => {
  const server = await mailServer({ secure: true });
  const { hub, call } = await startHubHere(scene, systemClock, ENV);
  // Address and password by the names of secrets, which are the operators' own.
  const host = server.url.replace('smtps://', '');
  for (const [name, use, secret] of [
    ['address', 'channel_address', server.url],
    ['password', 'channel', 'right'],
  ] as const)
    expectStatus(await call('PUT', `/api/core/secrets/mail-${name}`, { use, host, secret }), 201);
  await add(call, server.url, {
    ...{ url: undefined, url_ref: 'mail-address', secret: undefined, secret_ref: 'mail-password' },
    ...{ tenant_code: null, alarms: { from: 'critical' } },
  });
  await hub.store.alarms.raise(alarm('disk_full', { instance: 'hq', severity: 'critical' }), Date.now());
  const [mail] = await server.receives(1);
  expect(read(header(mail?.raw ?? '', 'Subject') ?? '')).toBe('【告警 Alarm】严重 critical · hq · disk_full');
  expect(textOf(mail?.raw ?? '')).toContain('disk_full');
});

test('what goes wrong is said in both languages: password, recipients, no STARTTLS, a strange certificate', async () => {
  const server = await mailServer();
  const plain = await mailServer({ plain: true });
  const { call } = await startSiteHere(scene, { env: ENV });
  const wrong = await add(call, server.url, { name: 'a', secret: 'wrong' });
  expect(await tried(call, wrong)).toMatchObject({
    taken: false,
    error: expect.stringMatching(/does not take the user and password: 535 .*credentials invalid/) as string,
    errorZh: expect.stringContaining('不接受用户名和密码') as string,
  });
  const bare = await add(call, plain.url, { name: 'b' });
  expect((await tried(call, bare)).error).toMatch(/nothing is sent in clear .*smtps:/);
  const right = await add(call, server.url, { name: 'c' });
  DUTY.forEach((one) => server.refused.add(one));
  const { error } = await tried(call, right);
  expect(error).toMatch(/does not take d…@example.com, c…@example.org as recipients: 550 5.1.1/);
  expect(error).not.toContain('duty@');
  tls.setDefaultCACertificates(trusted);
  expect((await tried(call, right)).error).toMatch(/issuer that is not known here/);
  tls.setDefaultCACertificates([...trusted, pem('authority')]);
  expect(plain.received.concat(server.received)).toEqual([]);
});

test('recipients of whom one is refused get the message once, and the failure names who did not', async () => {
  const server = await mailServer();
  server.refused.add('chief@example.org');
  const { hub, call } = await startHubHere(scene, systemClock, ENV);
  await add(call, server.url, { tenant_code: null, alarms: { from: 'warning' } });
  await hub.store.alarms.raise(alarm('disk_full', { instance: 'hq', severity: 'critical' }), Date.now());
  await until('it is told', async () =>
    (await call('GET', '/api/core/alarms')).text.includes('the others have the message'),
  );
  expect(jsonOf<{ items: object[] }>(await call('GET', '/api/core/alarms')).items).toContainEqual(
    expect.objectContaining({ code: 'notification_failed', tenantCode: null }),
  );
  expect(server.received.map(({ to }) => to)).toEqual([['duty@example.com']]);
  const rows = jsonOf<{ items: object[] }>(await call('GET', '/api/core/notifications?state=failed')).items;
  expect(rows).toMatchObject([
    { attempts: 1, lastError: expect.stringContaining('c…@example.org') as string },
  ]);
});

test('a server that hangs or answers without end is given up; an inner address is not called', async () => {
  const sockets = new Set<net.Socket>();
  const play = async (greeting: (socket: net.Socket) => void): Promise<string> => {
    const server = net.createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      greeting(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    scene.onClose(async () => {
      sockets.forEach((one) => one.destroy());
      await new Promise((resolve) => server.close(resolve));
    });
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const mail = { from: 'a@example.com', to: DUTY, subject: 's', text: 't', messageId: '<1@example.com>' };
  const send = async (url: string, timeoutMs: number, client = new MailClient(null)) =>
    (await client.send({ url, login: null }, mail, { timeoutMs }))?.fault;
  expect(await send(await play(() => undefined), 300)).toMatchObject({
    code: 'mail_unreached',
    params: { fault: { code: 'answer_late' } },
  });
  const piece = Buffer.alloc(64 * 1024, 'x');
  const flood = (socket: net.Socket): void => {
    const more = (): void => {
      while (socket.writable && socket.write(piece));
    };
    socket.on('drain', more);
    more();
  };
  expect(await send(await play(flood), 60_000)).toMatchObject({ code: 'mail_no_smtp' });
  const lines = (socket: net.Socket): void =>
    void socket.on('drain', () => lines(socket)).write('220-x\r\n'.repeat(9_000));
  expect(await send(await play(lines), 60_000)).toMatchObject({ code: 'mail_no_smtp' });
  const closed = await play(() => expect.unreachable('it is not called'));
  const guarded = new MailClient(outerNetworks(null));
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])
    expect(await send(closed.replace('127.0.0.1', host), 60_000, guarded)).toMatchObject({
      code: 'channel_outside',
    });
});

test('what does not fit is refused by name', async () => {
  const { call } = await startSiteHere(scene, { env: ENV });
  const refused = async (more: object): Promise<string[]> =>
    jsonOf<{ details: { path: string; message: string }[] }>(
      expectStatus(await call('POST', '/api/agent/channels', body('smtp://mail.example', more)), 400),
    ).details.map(({ path }) => path);
  expect(await refused({ url: 'https://mail.example/x' })).toEqual(['url']);
  expect(await refused({ url: 'smtp://u:p@mail.example' })).toEqual(['url']);
  expect(await refused({ format: 'wecom', recipients: undefined })).toEqual(['url', 'mail']);
  expect(await refused({ recipients: ['13800000000'] })).toEqual(['recipients[0]']);
  expect(await refused({ recipients: ['a@b.example\r\nRCPT TO:<c@d.example>'] })).toEqual(['recipients[0]']);
  expect(await refused({ mail: undefined })).toEqual(['mail']);
  expect(await refused({ secret: undefined })).toEqual(['mail.user']);
  expect(await refused({ mail: { from: 'a@b.example, c@d.example' } })).toEqual(['mail.from']);
  const id = await add(call, 'smtp://MAIL.example');
  const seen = jsonOf<{ items: object[] }>(await call('GET', '/api/agent/channels')).items;
  expect(seen).toMatchObject([{ id, urlHost: 'mail.example:587', recipientCount: 2, format: 'email' }]);
  const moved = await call('PATCH', `/api/agent/channels/${id}`, { url: 'smtps://other.example' });
  expect(jsonOf(expectStatus(moved, 400))).toMatchObject({ details: [{ path: 'secret' }] });
});
