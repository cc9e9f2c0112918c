// A backup is made while cameras post, the site runs on, and is put back: nothing is lost at headquarters and
// nothing is there twice.
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CameraClient } from '../../support/camera-client.ts';
import { type } from '../../support/command.ts';
import { alarms, drained, epochOf, registerNode, startDeployment } from '../../support/deployment.ts';
import { Ledger, listAll } from '../../support/ledger.ts';
import { freePort, Program, Scene } from '../../support/process.ts';
import { seededRandom } from '../../support/random.ts';
import { expectStatus, jsonOf, signedCall, until } from '../../support/request.ts';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

test(
  'backup while intake runs, restore over the store, restore without secrets on a new machine',
  { timeout: 120_000 },
  async () => {
    const { hub, site } = await startDeployment(scene, seededRandom(7));
    const ledger = new Ledger();
    const key = await registerNode(site, 'gate');
    const camera = new CameraClient({ name: 'a', url: site.url, key, ledger });
    scene.onClose(() => camera.close());
    const command = (dataDir: string, ...argv: string[]) =>
      type('site/main.ts', argv, { CORE_DATA_DIR: dataDir, CORE_INSTANCE: 'site-1' });
    const [whole, bare] = [path.join(scene.dir, 'whole.tgz'), path.join(scene.dir, 'bare.tgz')];
    const { dataDir } = site.options;

    const [first] = await camera.post(40);
    expectStatus(
      await site.api('POST', `/api/core/events/${first?.id}/verdict`, { verdict: 'confirmed', by: 'li' }),
      200,
    );
    let posting = true;
    const intake = (async () => {
      while (posting) await camera.post(5);
    })();
    const made = [
      await command(dataDir, 'backup', whole),
      await command(dataDir, 'backup', bare, '--without-secrets'),
    ];
    posting = false;
    await intake;
    expect(made.map(({ code }) => code)).toEqual([0, 0]);
    const last = expectStatus(await site.api('GET', '/api/core/last-backup'), 200);
    expect(jsonOf(last)).toMatchObject({ backup: { bytes: statSync(bare).size, verified: true } });
    expect((await command(dataDir, 'backup', whole)).code).not.toBe(0);
    expect((await command(dataDir, 'restore', whole)).code, 'while it runs').not.toBe(0);
    await camera.post(60);
    await drained(site);
    const idsBefore = Math.max(...ledger.keyOf.keys());
    const epochBefore = await epochOf(site);
    await site.stop();

    const restored = await command(dataDir, 'restore', whole);
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(dataDir).filter((name) => /^site-before-restore-.*\.db$/.test(name))).toHaveLength(1);
    await site.start();
    expect(await epochOf(site)).not.toBe(epochBefore);
    const fresh = await camera.post(20);
    expect(Math.min(...fresh.map(({ id }) => id))).toBeGreaterThan(idsBefore);
    await drained(site);
    const there = await listAll((method, target) => hub.api(method, target));
    expect(ledger.faultsOf(there)).toEqual([]);
    expect(there.filter((event) => event.verdict !== null)).toHaveLength(1);
    const told = (await alarms(site)).filter(({ key: name }) => name !== 'clock_stepped');
    expect(told).toMatchObject([
      {
        key: 'store_restored',
        severity: 'warning',
        message: expect.stringMatching(
          new RegExp(`from a copy that was made at 20.*Events [0-9]+ to ${idsBefore}, as far as`),
        ) as string,
        messageZh: expect.stringContaining(`至 ${idsBefore} 号事件不在其中`) as string,
      },
    ]);
    await until('headquarters tells it too, as the site does and by itself', async () => {
      const here = (await alarms(hub)).map((one) => `${one.instance} ${one.key}`);
      return ['site-1 store_restored', 'hq site_store_other:site-1'].every((one) => here.includes(one));
    });
    const settled = { key: 'store_restored', by: 'li' };
    expectStatus(await site.api('POST', '/api/core/alarms/clear', settled), 200);
    await site.stop();
    await site.start();
    expect((await alarms(site)).filter(({ clearedAt }) => clearedAt === null)).toEqual([]);
    await site.stop();

    const elsewhere = path.join(scene.dir, 'elsewhere');
    mkdirSync(elsewhere);
    expect((await command(elsewhere, 'restore', bare)).code).toBe(0);
    expect(readdirSync(path.join(elsewhere, 'secrets'))).toEqual([]);
    const other = new Program({
      main: 'site/main.ts',
      dataDir: elsewhere,
      port: await freePort(),
      env: { ...site.env },
    });
    scene.onClose(() => other.kill());
    await other.start();
    const post = (secret: string) =>
      signedCall({
        url: other.url,
        key: { keyId: key.keyId, secret },
        method: 'POST',
        path: '/api/core/events',
        body: '{"idempotency_key":"z","type":"fire.smoke"}',
      });
    expect((await post(key.secret)).status, 'its secret is gone').toBe(503);
    const rotated = await command(elsewhere, 'node', 'rotate', key.keyId, '--overlap-hours', '0');
    const secret = /^ *secret +(\S+)$/m.exec(rotated.out)?.[1] ?? '';
    const answer = await post(secret);
    expect(answer.status).toBe(201);
    expect((JSON.parse(answer.text) as { items: { id: number }[] }).items[0]?.id).toBeGreaterThan(1_000_000);
    await drained(other);
    const keys = (await listAll((method, target) => hub.api(method, target))).map(
      (event) => event.idempotencyKey,
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toContain('z');
  },
);
