// Secrets that a site keeps and cannot read: said by name, and not told to cameras as a wrong signature.
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { type, type Typed } from '../support/command.ts';
import { startSiteProgram } from '../support/deployment.ts';
import { freePort, Program, Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';

let scene: Scene;
let site: Program;
beforeEach(async () => {
  scene = new Scene();
  site = await startSiteProgram(scene);
});
afterEach(() => scene.close());

const post = (at: Program, key: SigningKey, id: string): Promise<Answer> =>
  signedCall({
    url: at.url,
    key,
    method: 'POST',
    path: '/api/core/events',
    body: JSON.stringify({ idempotency_key: id, type: 'fire.smoke' }),
  });

async function camera(name: string): Promise<SigningKey> {
  const made = await site.api('POST', '/api/core/nodes', { tenant_code: 'acme', name });
  return jsonOf<SigningKey>(expectStatus(made, 201));
}

interface Alarm {
  key: string;
  severity: string;
  message: string;
  messageZh: string;
}

async function alarmOf(at: Program): Promise<Alarm | undefined> {
  const { items } = jsonOf<{ items: Alarm[] }>(await at.api('GET', '/api/core/alarms'));
  return items.find(({ key }) => key === 'secrets_unreadable');
}

const check = (dataDir: string, ...more: string[]): Promise<Typed> =>
  type('site/main.ts', [...more, 'check'], { CORE_DATA_DIR: dataDir, CORE_INSTANCE: 'site-1' });

test('without the folder of secrets cameras are told to come again, and a person is told which', async () => {
  const [gate, tower] = [await camera('gate'), await camera('tower')];
  expect((await post(site, gate, 'a')).status).toBe(201);
  const device = { tenant_code: 'acme', name: 'old cam', kind: 'hikvision', auth: 'digest' };
  const { path: way } = jsonOf<{ path: string }>(
    expectStatus(await site.api('POST', '/api/core/devices', device), 201),
  );
  await site.stop();
  const { dataDir } = site.options;
  const aside = path.join(scene.dir, 'aside');
  renameSync(path.join(dataDir, 'secrets'), aside);
  expect(await check(dataDir)).toMatchObject({
    code: 2,
    out: expect.stringMatching(/BAD +secrets .*is gone/),
  });
  await site.start();
  // Its own admin key, which opens the calls of this test, is made anew.
  const refused = await post(site, gate, 'b');
  expect(refused.status).toBe(503);
  expect(refused.headers['retry-after']).toBe('60');
  expect(jsonOf(refused)).toMatchObject({ error: 'secret_unreadable', retryable: true });
  // Who has no key here is told nothing new.
  const unknown = await post(site, { keyId: 'nobody', secret: 'x' }, 'b');
  expect([unknown.status, jsonOf<{ error: string }>(unknown).error]).toEqual([401, 'bad_signature']);
  const shown = await request({ url: site.url, method: 'POST', path: way, body: '{}' });
  expect([shown.status, jsonOf<{ error: string }>(shown).error]).toEqual([503, 'secret_unreadable']);

  await until('the alarm stands', async () => (await alarmOf(site)) !== undefined);
  const alarm = await alarmOf(site);
  expect(alarm?.severity).toBe('critical');
  for (const name of [gate.keyId, tower.keyId, 'old cam']) {
    expect(alarm?.message).toContain(name);
    expect(alarm?.messageZh).toContain(name);
  }
  const found = await check(dataDir);
  expect(found).toMatchObject({
    code: 2,
    out: expect.stringMatching(/BAD +secrets +Secrets cannot be opened/),
  });
  expect((await check(dataDir, '--lang', 'zh')).out).toContain('无法读取以下密钥');

  // What is put back is taken at once, and the alarm goes with the next start.
  for (const name of ['seal-key', 'admin-key']) rmSync(path.join(dataDir, 'secrets', name));
  cpSync(aside, path.join(dataDir, 'secrets'), { recursive: true });
  expect((await post(site, gate, 'b')).status).toBe(201);
  await site.stop();
  await site.start();
  await until('the alarm is over', async () => (await alarmOf(site)) === undefined);
});

test('a data folder that is moved is a site like before', async () => {
  const gate = await camera('gate');
  await site.stop();
  const dataDir = path.join(scene.dir, 'a-larger-disk');
  cpSync(site.options.dataDir, dataDir, { recursive: true });
  rmSync(site.options.dataDir, { recursive: true });
  const { main, env } = site.options;
  const moved = new Program({ main, dataDir, port: await freePort(), env });
  scene.onClose(() => moved.kill());
  await moved.start();
  expect((await post(moved, gate, 'a')).status).toBe(201);
  expectStatus(await moved.api('POST', `/api/core/nodes/${gate.keyId}/rotate`, { overlap_hours: 0 }), 200);
  expect((await post(moved, gate, 'b')).status).toBe(401);
  expect(existsSync(site.options.dataDir)).toBe(false);
});
