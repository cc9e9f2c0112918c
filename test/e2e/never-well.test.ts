// Neither `fieldline-site status` nor `fieldline-hq status` says that all is well where something is lost,
// cut off or put back: states that acceptance found silent, each on running programs.
import { cpSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { type } from '../support/command.ts';
import { alarms, type Deployment, startDeployment } from '../support/deployment.ts';
import { type Program, Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

const WELL = 'ALL IS WELL';
let scene: Scene;
let deployment: Deployment;
let camera: SigningKey;
beforeEach(async () => {
  scene = new Scene();
  deployment = await startDeployment(scene, seededRandom(1));
  const { site, hub } = deployment;
  const made = await site.api('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'gate' });
  camera = jsonOf<SigningKey>(expectStatus(made, 201));
  for (let n = 0; n < 5; n += 1) await post(`before-${n}`);
  // What is said falsely must be said truly before: otherwise these tests prove nothing.
  for (const program of [site, hub])
    await until('all is well', async () => (await status(program)).includes(WELL));
});
afterEach(() => scene.close());

const post = async (id: string): Promise<void> => {
  const body = JSON.stringify({ idempotency_key: id, type: 'fire.smoke' });
  const { url } = deployment.site;
  expectStatus(await signedCall({ url, key: camera, method: 'POST', path: '/api/core/events', body }), 201);
};
async function status({ options: { main, dataDir } }: Program): Promise<string> {
  const { out, err } = await type(main, ['status'], { CORE_DATA_DIR: dataDir });
  return out + err;
}
const saysMore = (program: Program, what: RegExp): Promise<unknown> =>
  until(`status says ${what.source}`, async () => {
    const said = await status(program);
    return !said.includes(WELL) && what.test(said);
  });

test('secrets of cameras that are gone', async () => {
  const { site, hub } = deployment;
  await site.stop();
  rmSync(path.join(site.options.dataDir, 'secrets'), { recursive: true });
  await site.start();
  await saysMore(site, /secret/i);
  await saysMore(hub, /site-1/);
});

test('a store that was put back from an older copy', async () => {
  const { site, hub } = deployment;
  const { dataDir } = site.options;
  await site.stop();
  cpSync(dataDir, path.join(scene.dir, 'copy'), { recursive: true });
  await site.start();
  for (let n = 0; n < 5; n += 1) await post(`after-${n}`);
  await until('headquarters has them', async () => {
    const { items } = jsonOf<{ items: unknown[] }>(await hub.api('GET', '/api/core/events/list?limit=100'));
    return items.length === 10;
  });
  await site.stop();
  renameSync(dataDir, `${dataDir}-lost`);
  cpSync(path.join(scene.dir, 'copy'), dataDir, { recursive: true });
  await site.start();
  await saysMore(site, /copy|restored/i);
  await saysMore(hub, /site-1/);
});

test('a folder of evidence that is not mounted', async () => {
  const { site, hub } = deployment;
  for (const { options } of [site, hub])
    renameSync(path.join(options.dataDir, 'evidence'), path.join(options.dataDir, 'away'));
  await saysMore(site, /evidence_folder/);
  await saysMore(hub, /NOT WELL/);
  const told = (await alarms(hub, false)).filter(({ key }) => key === 'evidence_folder');
  expect(told.map(({ instance }) => instance).sort()).toEqual(['hq', 'site-1']);
  for (const { options } of [site, hub])
    renameSync(path.join(options.dataDir, 'away'), path.join(options.dataDir, 'evidence'));
  for (const program of [site, hub])
    await until('all is well', async () => (await status(program)).includes(WELL));
});

test.each(['site', 'hub'] as const)('a %s that is frozen', async (which) => {
  const { pid, options } = deployment[which];
  process.kill(pid, 'SIGSTOP');
  try {
    const { out, err, code } = await type(options.main, ['status'], { CORE_DATA_DIR: options.dataDir });
    expect(out + err).not.toContain(WELL);
    expect(out + err).toContain('DOES NOT ANSWER');
    expect(code).not.toBe(0);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  // The command has waited for longer than a stall is.
  await saysMore(deployment[which], /did not run/);
  const stalled = (await alarms(deployment.hub, false)).filter(({ key }) => key === 'program_stalled');
  if (which === 'hub') expect(stalled).toMatchObject([{ instance: 'hq', severity: 'warning' }]);
  else await saysMore(deployment.hub, /site-1/);
});
