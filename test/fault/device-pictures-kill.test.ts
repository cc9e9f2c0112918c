// A site is killed between the event of a device and its pictures.
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { alertXml, jpeg, MULTIPART, multipart, PICTURE_PART, XML_PART } from '../site/intake/rig.ts';
import { INSTANCE, registerSite, startHubProgram, uplinkEnv } from '../support/deployment.ts';
import { createHubDatabase } from '../support/postgres.ts';
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

interface Posted {
  kind: string;
  headers: Record<string, string>;
  body: string | Buffer;
  settings?: object;
}

interface Killed {
  keyId: string;
  /** Event with its pictures, as the site lists them when it runs again. */
  eventId: number;
  files: { name: string; state: string }[];
}

/**
 * Kills the site between an event and its pictures, of which the disk then has `share`, and starts it again.
 */
async function killedBetween(site: Program, posted: Posted, share: number): Promise<Killed> {
  const { dataDir } = site.options;
  const killAt = (text: string): void => writeFileSync(path.join(dataDir, 'kill-at'), text);
  killAt('before rename');
  await site.start();
  const settings = { kind: posted.kind, tenant_code: 'acme', name: 'gate', severity: 'high' };
  const made = expectStatus(
    await site.api('POST', '/api/core/devices', { ...settings, ...posted.settings }),
    201,
  );
  const { path: target, keyId } = jsonOf<{ path: string; keyId: string }>(made);
  const { headers, body } = posted;
  const answer = request({ url: site.url, method: 'POST', path: target, body, headers });
  expect(await answer.catch(() => null)).toBeNull();
  await until('the site was killed', async () => !site.running);
  const folder = path.join(dataDir, 'device-pictures');
  const [held = ''] = readdirSync(folder);
  const file = path.join(folder, held);
  truncateSync(file, Math.floor(readFileSync(file).length * share));

  killAt('');
  await site.start();
  const { items } = jsonOf<{ items: { id: number }[] }>(await site.api('GET', '/api/core/events/list'));
  expect(items).toHaveLength(1);
  const eventId = items[0]?.id ?? 0;
  await until('the pictures are settled', async () => readdirSync(folder).length === 0);
  const evidence = await site.api('GET', `/api/core/events/${eventId}/evidence`);
  return { keyId, eventId, files: jsonOf<{ items: Killed['files'] }>(evidence).items };
}

const killableSite = async (env: Record<string, string> = {}): Promise<Program> => {
  const dataDir = path.join(scene.dir, 'site');
  mkdirSync(dataDir);
  const main = 'test/support/evidence-killed-site.ts';
  const site = new Program({ main, dataDir, port: await freePort(), env });
  scene.onClose(() => site.kill());
  return site;
};

test.each<[string, Posted, number, string[], number]>([
  ['every picture is kept after it', HIKVISION, 1, ['stored', 'stored'], 0],
  ['also of what is told once', WEBHOOK, 1, ['stored'], 0],
  ['what the disk does not have is shown as lost and counted', HIKVISION, 0.6, ['stored', 'lost'], 1],
])('%s', async (_, posted, share, states, lost) => {
  const site = await killableSite();
  const { keyId, files } = await killedBetween(site, posted, share);
  expect(files.map(({ state }) => state)).toEqual(states);
  const seen = jsonOf<{ items: { keyId: string; picturesLost: number }[] }>(
    await site.api('GET', '/api/core/devices'),
  ).items.find((one) => one.keyId === keyId);
  expect(seen?.picturesLost).toBe(lost);
});

test('headquarters gets the picture that was kept, and is told that the other was lost', async () => {
  const database = await createHubDatabase();
  scene.onClose(() => database.drop());
  const hub = await startHubProgram(scene, database.url);
  const keyFile = path.join(scene.dir, 'uplink-key');
  await registerSite(hub, keyFile);
  const site = await killableSite({
    CORE_INSTANCE: INSTANCE,
    CORE_UPLINK_EVIDENCE: 'low',
    ...uplinkEnv(hub.url, keyFile),
  });
  const { files } = await killedBetween(site, HIKVISION, 0.6);
  const lost = files.find(({ state }) => state === 'lost')?.name ?? '';
  const list = async () =>
    jsonOf<{ items: { id: number }[] }>(await hub.api('GET', '/api/core/events/list')).items;
  await until('the event is there', async () => (await list()).length === 1);
  const target = `/api/core/events/${(await list())[0]?.id ?? 0}/evidence`;
  interface There {
    name: string;
    state: string;
    site: { reason: string | null } | null;
  }
  const there = async (): Promise<There[]> =>
    jsonOf<{ items: There[] }>(expectStatus(await hub.api('GET', target), 200)).items;
  expectStatus(await hub.api('GET', `${target}/${lost}`), 202);
  await until('both are settled', async () =>
    (await there()).every(({ state }) => state === 'stored' || state === 'failed'),
  );
  expect((await there()).map(({ name, state }) => [name, state])).toEqual(
    files.map(({ name, state }) => [name, state === 'lost' ? 'failed' : 'stored']),
  );
  expect((await there()).find(({ name }) => name === lost)?.site?.reason).toContain('lost');
});
