// A site is killed between the event of a device and its pictures.
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { alertXml, jpeg, MULTIPART, multipart, PICTURE_PART, XML_PART } from '../site/intake/rig.ts';
import { freePort, Program, Scene } from '../support/process.ts';
import { expectStatus, jsonOf, request, until } from '../support/request.ts';

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

const PICTURES = [jpeg(90_000, 3), jpeg(70_000, 4)];
const HIKVISION = {
  kind: 'hikvision',
  headers: MULTIPART,
  body: multipart([XML_PART(alertXml()), ...PICTURES.map((one, n) => PICTURE_PART(one, `picture-${n}`))]),
};
const WEBHOOK = {
  kind: 'webhook',
  settings: { fields: { type: 'kind', id: 'no', picture: 'image' } },
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ kind: 'fire', no: '7', image: PICTURES[0]?.toString('base64') }),
};

test.each([
  ['every picture is kept after it', HIKVISION, 1, ['stored', 'stored'], 0],
  ['also of what is told once', WEBHOOK, 1, ['stored'], 0],
  ['what the disk does not have is shown as lost and counted', HIKVISION, 0.6, ['stored', 'lost'], 1],
])('%s', async (_, device, share, states, lost) => {
  const dataDir = scene.dir;
  const main = 'test/support/evidence-killed-site.ts';
  const site = new Program({ main, dataDir, port: await freePort() });
  scene.onClose(() => site.kill());
  const killAt = (text: string): void => writeFileSync(path.join(dataDir, 'kill-at'), text);
  killAt('before rename');
  await site.start();
  const { kind, headers, body } = device;
  const settings = {
    kind,
    tenant_code: 'acme',
    name: 'gate',
    ...('settings' in device ? device.settings : {}),
  };
  const made = expectStatus(await site.api('POST', '/api/core/devices', settings), 201);
  const { path: target, keyId } = jsonOf<{ path: string; keyId: string }>(made);
  const posted = request({ url: site.url, method: 'POST', path: target, body, headers });
  expect(await posted.catch(() => null)).toBeNull();
  await until('the site was killed', async () => !site.running);
  const folder = path.join(dataDir, 'device-pictures');
  const [held = ''] = readdirSync(folder);
  const file = path.join(folder, held);
  truncateSync(file, Math.floor(readFileSync(file).length * share));

  killAt('');
  await site.start();
  const { items } = jsonOf<{ items: { id: number }[] }>(await site.api('GET', '/api/core/events/list'));
  expect(items).toHaveLength(1);
  const evidence = `/api/core/events/${items[0]?.id ?? 0}/evidence`;
  await until('the pictures are settled', async () => readdirSync(folder).length === 0);
  const files = jsonOf<{ items: { state: string }[] }>(await site.api('GET', evidence)).items;
  expect(files.map(({ state }) => state)).toEqual(states);
  const seen = jsonOf<{ items: { keyId: string; picturesLost: number }[] }>(
    await site.api('GET', '/api/core/devices'),
  ).items.find((one) => one.keyId === keyId);
  expect(seen?.picturesLost).toBe(lost);
});
