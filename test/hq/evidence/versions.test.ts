// An end that knows of evidence beside one that does not: neither is told what it cannot understand.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../common/clock.ts';
import type { SigningKey } from '../../../common/http/signing/signature.ts';
import { PROTOCOL } from '../../../common/uplink/wire.ts';
import { HubDouble } from '../../site/uplink/hub-double.ts';
import { startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, signedCall, until } from '../../support/request.ts';
import { Joined } from './joined.ts';

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

test('a site that does not name the feature is told of no wanted file', async () => {
  const joined = await Joined.open(scene, { site: { CORE_UPLINK_EVIDENCE: 'on_demand' } });
  await joined.event({ 'a.jpg': Buffer.from('a') });
  const id = await joined.newestAtHub();
  await joined.site.site.stop();
  await joined.far(id, 'a.jpg');
  const { url } = joined.hub.hub;
  const [keyId = '', secret = ''] = readFileSync(path.join(scene.dir, 'uplink-key'), 'utf8').split(':');
  const key: SigningKey = { keyId, secret };
  const epoch = crypto.randomUUID();
  const ask = async (features?: string[]): Promise<object> => {
    const body = JSON.stringify({
      protocol: PROTOCOL,
      version: '0.1.0',
      instance: 'site-1',
      epoch,
      head: 0,
      oldest: 0,
      cursor: { from: 0, to: 0 },
      items: [],
      ...(features ? { features } : {}),
    });
    return jsonOf(
      expectStatus(
        await signedCall({ url, key, method: 'POST', path: '/api/core/uplink/events', body }),
        200,
      ),
    );
  };
  expect(await ask()).not.toHaveProperty('evidence');
  expect(await ask(['something-else'])).not.toHaveProperty('evidence');
  expect(await ask(['evidence'])).toMatchObject({ evidence: [{ name: 'a.jpg', kind: 'keep' }] });
});

test('a headquarters from before it is sent no evidence, and gets its events', async () => {
  const hub = new HubDouble();
  await hub.open();
  scene.onClose(() => hub.close());
  const keyFile = path.join(scene.dir, 'uplink-key');
  writeFileSync(keyFile, 'fls-key:secret', { mode: 0o600 });
  const site = await startSiteHere(scene, {
    env: { CORE_UPLINK_URL: hub.url, CORE_UPLINK_KEY_REF: `file:${keyFile}`, CORE_UPLINK_EVIDENCE: 'low' },
  });
  const key = await site.node('cam');
  const event = (n: number): string =>
    JSON.stringify({
      idempotency_key: `k${n}`,
      type: 'vehicle.intrusion',
      occurred_at: new Date(systemClock.now()).toISOString(),
      severity: 'high',
      evidence: [{ name: 'a.jpg', content_type: 'image/jpeg', size: 1, sha256: 'a'.repeat(64) }],
    });
  for (const n of [1, 2])
    expectStatus(
      await signedCall({ url: site.site.url, key, method: 'POST', path: '/api/core/events', body: event(n) }),
      201,
    );
  await until('both events are there', () => Promise.resolve(hub.kept.events.length === 2));
  await until('the site knows', async () => {
    const status = jsonOf<{ evidence: { understood: boolean | null } }>(
      await site.call('GET', '/api/core/uplink/status'),
    );
    return status.evidence.understood === false;
  });
  expect(hub.others.filter((line) => line.includes('evidence'))).toEqual([]);
});
