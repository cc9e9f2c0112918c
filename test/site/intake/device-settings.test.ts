// What is set of a device that is connected to: certificates, a password by reference, and where neither it
// nor the path of a device that posts may stand; and what is typed at the terminal for it.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../../site/cli/main.ts';
import { readSiteConfig } from '../../../site/config.ts';
import type { ConnectionView } from '../../../site/intake/schema.ts';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { PlayedDevice } from './played-device.ts';
import { alertXml, deviceOf, type Issued, multipart, post, register, XML, XML_PART } from './rig.ts';

const pem = (name: string): string =>
  readFileSync(new URL(`../../support/tls/${name}.pem`, import.meta.url), 'utf8');
const TLS = { key: pem('receiver-key'), cert: pem('receiver') };
const FINGERPRINT = new X509Certificate(TLS.cert).fingerprint256;
const STREAM = { 'content-type': 'multipart/mixed; boundary=boundary' };

const scene = new Scene();
const lines: string[] = [];
let here: SiteHere;
let camera: PlayedDevice;
let count = 0;
beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  here = await startSiteHere(scene, { log });
});
afterAll(() => scene.close());
beforeEach(() => {
  count += 1;
});

async function play(tls?: typeof TLS): Promise<void> {
  camera = await PlayedDevice.start(scene, tls);
  camera.answering = (_request, response) => camera.stream(response, STREAM);
}
const connect = (more: Record<string, unknown>): Promise<Issued> =>
  register(here, {
    kind: 'hikvision',
    name: `cam-${count}`,
    address: camera.address,
    user: camera.user,
    ...('password_ref' in more ? {} : { password: camera.password }),
    ...more,
  });
const stateOf = async ({ keyId }: Issued): Promise<ConnectionView | null> =>
  ((await deviceOf(here, keyId)) as unknown as { connection: ConnectionView | null }).connection;
const becomes = (device: Issued, condition: string): Promise<unknown> =>
  until(`it is ${condition}`, async () => (await stateOf(device))?.condition === condition);

test.each([
  ['the authority that signed it', { tls_ca: pem('authority') }],
  ['its fingerprint', { tls_fingerprint: FINGERPRINT }],
  [
    'its fingerprint without colons, in small letters',
    { tls_fingerprint: FINGERPRINT.replaceAll(':', '').toLowerCase() },
  ],
  ['any certificate', { tls_unverified: true }],
])('a device is believed by %s', async (_, settings) => {
  await play(TLS);
  const device = await connect(settings);
  await becomes(device, 'connected');
  expect(await stateOf(device)).toMatchObject({ code: null, reason: null, reasonZh: null });
});

test.each([
  [
    'another fingerprint',
    { tls_fingerprint: 'ab'.repeat(32) },
    TLS,
    'device_certificate_changed',
    /fingerprint/,
    /指纹/,
  ],
  ['nobody who signed it', {}, TLS, 'device_certificate_unknown', /certificate/, /证书/],
  [
    'one that is trusted and has no name of it',
    { tls_ca: pem('self-signed') },
    { ...TLS, cert: pem('self-signed') },
    'device_certificate_names',
    /is trusted, but it is for other names: CN=broker/,
    /证书可信，但不含此地址，证书中的名称：CN=broker/,
  ],
  [
    'one of another authority, also where its name does not fit',
    { tls_ca: pem('authority') },
    { ...TLS, cert: pem('self-signed') },
    'device_certificate_unknown',
    /is not trusted here/,
    /本机不信任/,
  ],
  [
    'one whose time is over',
    { tls_ca: pem('authority') },
    { ...TLS, cert: pem('receiver-expired') },
    'certificate_time',
    /certificate/,
    /证书/,
  ],
  ['no TLS at all', { tls_ca: pem('authority') }, undefined, 'no_tls', /TLS/, /TLS/],
])(
  'nothing is shown to a device with %s, and both languages say why',
  async (_, settings, tls, code, en, zh) => {
    await play(tls);
    const device = await connect({ ...settings, address: camera.address.replace('http:', 'https:') });
    await becomes(device, 'tls');
    expect(await stateOf(device)).toMatchObject({
      code,
      reason: expect.stringMatching(en) as string,
      reasonZh: expect.stringMatching(zh) as string,
    });
    expect(camera.asked).toEqual([]);
    const { cameras } = jsonOf<{ cameras: { keyId: string; connection: unknown }[] }>(
      await here.call('GET', '/api/core/site/status'),
    );
    expect(cameras.find(({ keyId }) => keyId === device.keyId)).toMatchObject({
      connection: { condition: 'tls', reasonZh: expect.stringMatching(zh) as string },
    });
  },
);

/** Gives the password of the camera by name. */
async function keepSecret(name: string): Promise<void> {
  const { host } = new URL(camera.address);
  const secret = { use: 'device', host, tenant_code: 'acme', secret: camera.password };
  expect((await here.call('PUT', `/api/core/secrets/${name}`, secret)).status).toBeLessThan(300);
}

/** `fieldline-site` at the terminal of this site. */
async function typed(argv: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const said: string[] = [];
  const config = readSiteConfig({ CORE_DATA_DIR: path.join(scene.dir, 'site'), CORE_INSTANCE: 'site-1' });
  await runCommand([...argv], {
    env,
    readConfig: () => config,
    terminal: { out: (text: string) => void said.push(text) },
  });
  return said.join('');
}

test('a password by reference opens the device, and like a path it stands nowhere', async () => {
  await play();
  camera.password = 'by-reference-1';
  await keepSecret('gate-camera');
  const device = await connect({ password_ref: 'gate-camera' });
  await becomes(device, 'connected');
  expect(camera.wrong).toBe(0);
  await play();
  camera.password = 'typed-in-2';
  const other = await connect({ name: `other-${count}` });
  await becomes(other, 'connected');
  const pushing = await register(here, { kind: 'hikvision', name: `push-${count}`, auth: 'basic' });
  await post(here, pushing.path, alertXml(), XML);

  const secrets = [
    'by-reference-1',
    'typed-in-2',
    pushing.path.slice('/in/'.length),
    pushing.password ?? '?',
  ];
  const file = path.join(scene.dir, 'bundle.tgz');
  await typed(['bundle', file]);
  const packed = readFileSync(file);
  const answers = await Promise.all(
    [
      '/api/core/devices',
      '/api/core/nodes',
      '/api/core/site/status',
      '/api/core/audit?limit=500',
      '/metrics',
    ].map(async (target) => expectStatus(await here.call('GET', target), 200).text),
  );
  const places = {
    bundle: packed.toString('latin1'),
    unpacked: gunzipSync(packed).toString('latin1'),
    answers: answers.join('\n'),
    log: lines.join('\n'),
    status: await typed(['status']),
    list: await typed(['node', 'list']),
  };
  expect(places.unpacked).toContain(device.keyId);
  expect(places.list).toContain(device.keyId);
  for (const [place, text] of Object.entries(places))
    for (const one of secrets) expect([place, text.includes(one)]).toEqual([place, false]);
  for (const name of ['connected', 'alive_timestamp_seconds', 'connects_total', 'messages_total'])
    expect(places.answers).toContain(`fieldline_device_${name}{`);
  expect(places.answers).toMatch(
    new RegExp(
      `fieldline_device_connected\\{device="${device.keyId}",kind="hikvision",condition="connected"[^}]*\\} 1`,
    ),
  );
});

test('a device is added by its address at the terminal, and a try shows what comes of its stream', async () => {
  await play();
  await keepSecret('typed');
  const added = await typed([
    ...['node', 'add', '--tenant', 'acme', '--name', `typed-${count}`, '--kind', 'hikvision'],
    // Without the scheme, as people type it.
    ...['--address', new URL(camera.address).host, '--user', camera.user],
    ...['--password-ref', 'typed', '--key-id', 'typed-key'],
  ]);
  expect(added).toContain('typed-key');
  expect(added).not.toContain('/in/');
  await until('it listens', async () => camera.streams.size === 1);
  const trying = typed(['node', 'try', 'typed-key', '--seconds', '20']);
  const saying = setInterval(
    () => camera.say(multipart([XML_PART(alertXml({ region: 4 }))], { closed: false })),
    100,
  );
  const shown = await trying;
  clearInterval(saying);
  expect(shown).toContain('region.intrusion');
  expect(await typed(['node', 'list'], { LANG: 'zh_CN.UTF-8' })).toContain('typed-key');
});
