// Headquarters goes back to a backup: the sites had been told that what came after it is durable.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { type } from '../support/command.ts';
import { alarms, type Deployment, drained, registerNode, startDeployment } from '../support/deployment.ts';
import { createDatabase } from '../support/postgres.ts';
import { Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

const scene = new Scene();
afterAll(() => scene.close());

async function post({ site }: Deployment, key: SigningKey, names: readonly string[]): Promise<void> {
  const body = JSON.stringify({
    events: names.map((name) => ({
      idempotency_key: name,
      type: 'fire.smoke',
      site_ref: 's',
      camera_ref: 'c',
    })),
  });
  const sent = await signedCall({ url: site.url, key, method: 'POST', path: '/api/core/events', body });
  expectStatus(sent, 201);
  await drained(site);
}

async function keysAt({ hub }: Deployment): Promise<string[]> {
  const { items } = jsonOf<{ items: { idempotencyKey: string }[] }>(
    expectStatus(await hub.api('GET', '/api/core/events/list?limit=100'), 200),
  );
  return items.map(({ idempotencyKey }) => idempotencyKey).sort();
}

test('what came after the backup is sent again, once, and alarms say so at both ends', async () => {
  const running = await startDeployment(scene, seededRandom(11));
  const { hub, site } = running;
  const key = await registerNode(site, 'gate');
  await post(running, key, ['a1', 'a2', 'a3']);
  const file = path.join(scene.dir, 'hub.backup');
  const command = (url: string, ...argv: string[]) =>
    type('hq/main.ts', argv, {
      CORE_DATA_DIR: hub.options.dataDir,
      DATABASE_URL: url,
      CORE_DOC_DIR: path.join(scene.dir, 'docs'),
      CORE_LOG_LEVEL: 'fatal',
    });
  expect(await command(String(hub.env.DATABASE_URL), 'backup', file)).toMatchObject({ code: 0, err: '' });
  await post(running, key, ['b1', 'b2']);
  expect(await keysAt(running)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);

  await hub.stop();
  const empty = await createDatabase();
  scene.onClose(() => empty.drop());
  expect(await command(empty.url, 'restore', file)).toMatchObject({ code: 0, err: '' });
  rmSync(file);
  hub.env.DATABASE_URL = empty.url;
  await hub.start();

  // Nothing new arises at the site.
  await until('all is there again', async () => (await keysAt(running)).length === 5);
  await post(running, key, ['c1']);
  expect(await keysAt(running)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
  expect((await alarms(site)).map((one) => one.key)).toEqual(
    expect.arrayContaining(['uplink_hub_lost_data', 'uplink_hub_epoch_changed']),
  );
  const told = await alarms(hub);
  expect(told.some((one) => one.key.startsWith('uplink_lost_data'))).toBe(true);
  expect(told.find((one) => one.key === 'hub_restored')).toMatchObject({
    severity: 'warning',
    message: expect.stringMatching(/put back at 20.* from the backup of 20/) as string,
    messageZh: expect.stringContaining('的备份恢复') as string,
  });
  const settled = { key: 'hub_restored', by: 'li' };
  expectStatus(await hub.api('POST', '/api/core/alarms/clear', settled), 200);
  await hub.stop();
  await hub.start();
  const open = (await alarms(hub)).filter(({ clearedAt }) => clearedAt === null);
  expect(open.map((one) => one.key)).not.toContain('hub_restored');
});
