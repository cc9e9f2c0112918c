// `fieldline-hq release` and `rollout` against a running hub.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../../hq/cli/main.ts';
import { readHubConfig } from '../../../hq/config.ts';
import { documentOf, packageOf } from '../../support/release.ts';
import { expectStatus } from '../../support/request.ts';
import { openSessionRig, type SessionRig } from '../session-rig.ts';
import { untilRollout, WireSite } from './rig.ts';

let rig: SessionRig;
let dir: string;
beforeAll(async () => {
  rig = await openSessionRig();
  dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-release-'));
});
afterAll(async () => {
  await rig.close();
  rmSync(dir, { recursive: true, force: true });
});

async function run(...argv: string[]): Promise<{ code: unknown; out: string }> {
  let out = '';
  const readConfig = () => readHubConfig({ CORE_DATA_DIR: rig.dataDir });
  const terminal = { out: (text: string) => void (out += text) };
  return { code: await runCommand(argv, { env: {}, readConfig, terminal }), out };
}

test('a release is added with what lies beside its document, and nothing else is taken for one', async () => {
  const file = path.join(dir, 'fieldline-site_1.2.3.release');
  await expect(run('release', 'add', file)).rejects.toThrow('cannot be read');
  for (const text of ['no JSON', '{"manifest":"x"}', 'x'.repeat(40_000)]) {
    writeFileSync(file, text);
    await expect(run('release', 'add', file)).rejects.toThrow('no signed document');
  }
  const bytes = packageOf('1.2.3');
  writeFileSync(file, JSON.stringify(documentOf('1.2.3', bytes)));
  const first = await run('release', 'add', file);
  expect(first.code).toBe(1);
  expect(first.out).toContain('fieldline-site_1.2.3_amd64.deb is not beside the document');
  writeFileSync(path.join(dir, 'fieldline-site_1.2.3_amd64.deb'), packageOf('1.2.4'));
  await expect(run('release', 'add', file)).rejects.toThrow('Nothing was stored');
  writeFileSync(path.join(dir, 'fieldline-site_1.2.3_amd64.deb'), bytes);
  expect(await run('release', 'add', file, '--lang', 'zh')).toMatchObject({
    code: 0,
    out: expect.stringContaining('fieldline-site_1.2.3_amd64.deb：已上传，5000 字节') as string,
  });
  expect((await run('release', 'list')).out).toMatch(/^1\.2\.3 .* local +not checked \(\w+\) +amd64 +-$/m);
});

test('a rollout is begun, looked at and ended', async () => {
  const site = await WireSite.register(rig, 'tunnel-7');
  await WireSite.register(rig, 'tunnel-8', { groups: ['North'] });
  await expect(run('rollout', 'start', '1.2.3')).rejects.toThrow('one of --all, --group and --site');
  await expect(run('rollout', 'start', '1.2.3', '--all', '--hours', '1')).rejects.toThrow('two hours');
  expect((await run('rollout', 'start', '1.2.3', '--all', '--first', 'tunnel-8', '--preview')).out).toBe(
    'Wave 1: 1 site: tunnel-8\nWave 2: 1 site: tunnel-7\n',
  );
  const begun = await run('rollout', 'start', '1.2.3', '--all', '--hours', '2-4', '--settle-minutes', '0');
  const [, id = ''] = /has begun: (\S+)/.exec(begun.out) ?? [];
  await untilRollout(rig, id, ({ counts }) => counts.waiting === 1);
  expect(await site.call()).toMatchObject({ hours: { from: 2, until: 4 }, by: 'local' });
  await site.tell('stuck', { reason: 'it is broken' });
  await untilRollout(rig, id, ({ state }) => state === 'paused');
  const shown = await run('rollout', 'show', id, '--failed');
  expect([shown.code, shown.out]).toEqual([
    1,
    expect.stringContaining('It has paused itself: 1 site failed in wave 1'),
  ]);
  expect(shown.out).toMatch(/^tunnel-7 +1 +stuck .* it is broken$/m);
  expect(shown.out).not.toContain('tunnel-8');
  expect((await run('rollout', 'resume', id, '--failed', 'leave_out')).out).toContain('1.2.3: runs, wave 1');
  expect((await run('rollout', 'list', '--lang', 'zh')).out).toContain('进行中');
  expect((await run('rollout', 'abort', id)).out).toContain('aborted');
  await expect(run('rollout', 'pause', id, '--lang', 'zh')).rejects.toThrow('该分批升级已结束');
  expect((await run('release', 'remove', '1.2.3')).out).toContain('is deleted');
  expectStatus(await rig.admin('GET', '/api/core/releases/1.2.3'), 404);
});
