// Ends of the programs that nobody had asked for: killed processes are counted and told at both ends.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UnplannedEndsView } from '../../common/core/run/schema.ts';
import { type } from '../support/command.ts';
import { alarms, type Deployment, INSTANCE, startDeployment } from '../support/deployment.ts';
import { type Program, Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';

const scene = new Scene();
let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment(scene, seededRandom(1));
});
afterAll(() => scene.close());

const endsOf = async (program: Program): Promise<UnplannedEndsView> =>
  jsonOf(expectStatus(await program.api('GET', '/api/core/unplanned-ends'), 200));
const put = ({ options }: Program, name: string, text: string): void =>
  writeFileSync(path.join(options.dataDir, name), text);
const command = async ({ options }: Program, ...argv: string[]): Promise<string> =>
  (
    await type(options.main === 'hq/main.ts' ? 'hq/main.ts' : 'site/main.ts', argv, {
      CORE_DATA_DIR: options.dataDir,
    })
  ).out;

test('of a site: killed, without power, hanging; three of them are an alarm at both ends', async () => {
  const { site, hub } = deployment;
  expect(await endsOf(site)).toMatchObject({ count: 0, lastAt: null });
  expect(await command(site, 'status')).not.toContain('unplanned');
  await site.kill();
  await site.start();
  expect(await endsOf(site)).toMatchObject({ count: 1, hangs: 0, lastKind: 'killed' });
  await site.stop();
  await site.start();
  expect(await endsOf(site)).toMatchObject({ count: 1 });
  await site.kill();
  put(site, 'running', 'the boot before');
  await site.start();
  expect(await endsOf(site)).toMatchObject({ count: 2, lastKind: 'power' });
  expect((await alarms(site)).map(({ key }) => key)).not.toContain('ends_repeat');
  await site.kill();
  put(site, 'last-end', 'watchdog\n');
  await site.start();
  expect(await endsOf(site)).toMatchObject({ days: 30, count: 3, hangs: 1, lastKind: 'hang' });
  await until('the alarm stands', async () => (await alarms(site)).some(({ key }) => key === 'ends_repeat'));
  expect((await alarms(site)).find(({ key }) => key === 'ends_repeat')).toMatchObject({
    severity: 'critical',
    message: expect.stringMatching(/ended 3 times within 1 hour .*it hung/) as string,
    messageZh: expect.stringContaining('3 次') as string,
  });
  expect(await command(site, 'status')).toMatch(
    /SOMETHING IS WRONG[^]*unplanned ends +3 in 30 days; 1 hang; the last/,
  );
  expect(await command(site, '--lang', 'zh', 'status')).toMatch(/非正常结束 +30 天内 3 次；其中停滞 1 次/);
  expect((await site.api('GET', '/metrics')).text).toContain('fieldline_unplanned_ends{kind="hang"} 1');
  await until('headquarters is told', async () =>
    (await alarms(hub)).some(({ key, instance }) => key === 'ends_repeat' && instance === INSTANCE),
  );
  const detail = await hub.api('GET', `/api/core/uplink/status/${INSTANCE}`);
  expect(jsonOf(expectStatus(detail, 200))).toMatchObject({
    site: { report: { unplannedEnds: { count: 3, hangs: 1, lastKind: 'hang' } } },
  });
  await site.stop();
  put(site, 'last-end', 'success\n');
  await site.start();
  expect(await endsOf(site)).toMatchObject({ count: 3 });
});

test('of a hub too; what is in its way neither stops it nor is counted', async () => {
  const { hub } = deployment;
  await hub.kill();
  put(hub, 'unplanned-ends.json', 'rubbish');
  await hub.start();
  expect(await endsOf(hub)).toMatchObject({ count: 1, lastKind: 'killed' });
  expect(await command(hub, 'status')).toMatch(
    /1 unplanned end of the program in 30 days; the last .*it was killed/,
  );
});
