// Neither `fieldline-site status` nor `fieldline-hq status` says that all is well where something is lost,
// cut off or put back: states that acceptance found silent, each on running programs.
import { cpSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import {
  longWhileWell,
  saysMore,
  stands,
  WELL,
  type Well,
  wellAgain,
  whileWell,
} from '../support/all-well.ts';
import { type } from '../support/command.ts';
import { alarms } from '../support/deployment.ts';
import { jsonOf, until } from '../support/request.ts';

whileWell('secrets of cameras that are gone', async ({ site, hub }) => {
  await site.stop();
  rmSync(path.join(site.options.dataDir, 'secrets'), { recursive: true });
  await site.start();
  await saysMore(site, /secret/i);
  await saysMore(hub, /site-1/);
});

whileWell('a store that was put back from an older copy', async ({ site, hub, scene, post }) => {
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

longWhileWell('a folder of evidence that is not mounted', async ({ site, hub }) => {
  for (const { options } of [site, hub])
    renameSync(path.join(options.dataDir, 'evidence'), path.join(options.dataDir, 'away'));
  for (const program of [site, hub]) await stands(program, 'evidence_folder');
  await saysMore(site, /evidence_folder/);
  await saysMore(hub, /NOT WELL/);
  const told = (await alarms(hub, false)).filter(({ key }) => key === 'evidence_folder');
  expect(told.map(({ instance }) => instance).sort()).toEqual(['hq', 'site-1']);
  for (const { options } of [site, hub])
    renameSync(path.join(options.dataDir, 'away'), path.join(options.dataDir, 'evidence'));
  for (const program of [site, hub]) await stands(program, 'evidence_folder', false);
  for (const program of [site, hub]) await wellAgain(program);
});

for (const which of ['site', 'hub'] as const)
  (which === 'hub' ? whileWell : longWhileWell)(`a ${which} that is frozen`, (at) => frozen(at, which));

async function frozen(deployment: Well, which: 'site' | 'hub'): Promise<void> {
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
  await stands(deployment[which], 'program_stalled');
  await saysMore(deployment[which], /did not run/);
  const stalled = (await alarms(deployment.hub, false)).filter(({ key }) => key === 'program_stalled');
  if (which === 'hub') expect(stalled).toMatchObject([{ instance: 'hq', severity: 'warning' }]);
  else await saysMore(deployment.hub, /site-1/);
}
