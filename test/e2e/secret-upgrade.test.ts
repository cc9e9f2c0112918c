// Rows of an older version: references to the machine stand still and are told; what the program kept goes
// on.
import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChannelRecord } from '../../common/agent/channel/record.ts';
import { stampOf, systemClock } from '../../common/clock.ts';
import type { Stores } from '../../common/core/stores.ts';
import { FileVault, SealedVault, type SecretVault } from '../../common/secret.ts';
import { runChecks } from '../../site/cli/check.ts';
import { readSiteConfig } from '../../site/config.ts';
import { ApiClient } from '../../common/terminal/api.ts';
import { openSessionRig } from '../hq/session-rig.ts';
import { filters } from '../contract/samples.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { ADMIN_KEY, startSiteHere, type Call } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { adminCall, expectStatus, jsonOf } from '../support/request.ts';

interface Opened {
  stores: Stores;
  vault: SecretVault;
  /** A start on the same data. */
  restarted(): Promise<{ call: Call; stores: Stores; url: string }>;
}

const ENV = { AGENT_CHANNEL_NETWORKS: '127.0.0.0/8', CORE_PUSH_NETWORKS: '127.0.0.0/8' };
const OLD = { url: 'http://127.0.0.1:1/old', secret: 'hunter2' };

async function openSite(scene: Scene): Promise<Opened> {
  const first = await startSiteHere(scene, { env: ENV });
  return {
    stores: first.site.store,
    vault: new FileVault(path.join(scene.dir, 'site', 'secrets')),
    restarted: async () => {
      await first.site.stop();
      const { site, call } = await startSiteHere(scene, { env: ENV });
      return { call, stores: site.store, url: site.url };
    },
  };
}

async function openHub(scene: Scene): Promise<Opened> {
  const rig = await openSessionRig(
    { ...ENV, CORE_MASTER_KEY_REF: 'env:MASTER', MASTER: 'flm_x' },
    { clock: systemClock },
  );
  scene.onClose(() => rig.close());
  return {
    stores: rig.hub.store,
    vault: new SealedVault(hash('sha256', 'flm_x', 'buffer')),
    restarted: async () => {
      const { url, store } = await rig.peer();
      return {
        call: (method, target, body) => adminCall(url, rig.adminKey, method, target, body),
        stores: store,
        url,
      };
    },
  };
}

describe('a site', () => {
  upgraded(openSite);

  test('names what stands still in check, in both languages', async () => {
    const scene = new Scene();
    try {
      const opened = await openSite(scene);
      await opened.stores.channels.create(
        old('c1', { secretRef: 'env:HOME' }),
        'admin',
        stampOf(systemClock),
      );
      const { url } = await opened.restarted();
      const api = new ApiClient({
        at: { url },
        headers: { 'x-admin-key': ADMIN_KEY },
        whenSilent: 'nothing answers',
      });
      const config = readSiteConfig({ CORE_DATA_DIR: path.join(scene.dir, 'site') });
      const told = async (language: 'en' | 'zh') =>
        (await runChecks({ api, config }, language)).find(({ name }) =>
          name.includes('secret_reference:channel:c1'),
        );
      expect(await told('en')).toMatchObject({
        level: 'bad',
        text: expect.stringMatching(/channel c1 stands still.*PUT \/api\/core\/secrets\/\{name\}/) as string,
      });
      expect(await told('zh')).toMatchObject({ text: expect.stringContaining('密钥引用') as string });
    } finally {
      await scene.close();
    }
  });
});
describe('headquarters', () => upgraded(openHub));

const old = (id: string, more: Partial<ChannelRecord> = {}): ChannelRecord => ({
  id,
  tenantCode: 'acme',
  name: id,
  channel: 'sms',
  format: 'sms_gateway',
  urlRef: 'file:/etc/hostname',
  urlHost: '127.0.0.1:1',
  secretRef: null,
  recipients: ['13800000000'],
  bodyTemplate: null,
  contentType: null,
  enabled: true,
  createdAt: 1,
  updatedAt: 1,
  ...more,
});

function upgraded(open: (scene: Scene) => Promise<Opened>): void {
  let scene: Scene;
  let peer: HttpPeer;
  let opened: Opened;

  beforeEach(async () => {
    scene = new Scene();
    peer = await new HttpPeer().open();
    opened = await open(scene);
  });
  afterEach(async () => {
    await scene.close();
    await peer.close();
  });

  const alarms = async (call: Call): Promise<string[]> =>
    jsonOf<{ items: { key: string }[] }>(expectStatus(await call('GET', '/api/core/alarms'), 200))
      .items.map(({ key }) => key)
      .filter((key) => key.startsWith('secret_reference:'))
      .sort();
  const tried = async (call: Call, id: string) =>
    jsonOf<{ taken: boolean; error: string | null }>(
      expectStatus(await call('POST', `/api/agent/channels/${id}/test`), 200),
    );

  test('references to the machine are not read, and are told until a secret is named', async () => {
    const { channels, subscriptions } = opened.stores;
    const host = new URL(peer.url).host;
    await channels.create(
      old('c1', {
        urlRef: opened.vault.put('channel-url-c1', `${peer.url}/sms`),
        urlHost: host,
        secretRef: 'env:HOME',
      }),
      'admin',
      stampOf(systemClock),
    );
    // Another channel's copy, and the admin key, by their paths: such a reference was a caller's.
    await channels.create(
      old('c2', {
        urlRef: opened.vault.put('channel-url-c2', `${peer.url}/sms`),
        urlHost: host,
        secretRef: `file:${path.join(scene.dir, 'site', 'secrets', 'admin-key')}`,
      }),
      'admin',
      stampOf(systemClock),
    );
    await channels.create(old('c3', { urlRef: 'env:HOME' }), 'admin', stampOf(systemClock));
    await subscriptions.register(
      's1',
      filters({ pushUrl: `${peer.url}/in`, secretRef: 'env:HOME', tenantCode: 'acme' }),
      0,
      1,
      'admin',
    );
    await subscriptions.register('s2', filters({ pushUrl: `${peer.url}/in` }), 0, 1, 'admin');

    const { call } = await opened.restarted();
    expect(await alarms(call)).toEqual([
      'secret_reference:channel:c1',
      'secret_reference:channel:c2',
      'secret_reference:channel:c3',
      'secret_reference:subscription:s1',
    ]);
    for (const id of ['c1', 'c2', 'c3'])
      expect(await tried(call, id)).toEqual({
        taken: false,
        error: 'the secret cannot be used; the log of the program says why',
      });
    expect(peer.heard).toEqual([]);

    expectStatus(
      await call('PUT', '/api/core/secrets/token', {
        tenant_code: 'acme',
        use: 'channel',
        host,
        secret: 'hunter3',
      }),
      201,
    );
    expectStatus(
      await call('PUT', '/api/core/secrets/signing', {
        tenant_code: 'acme',
        use: 'push',
        host,
        secret: 'hunter4',
      }),
      201,
    );
    expectStatus(await call('PATCH', '/api/agent/channels/c1', { secret_ref: 'token' }), 200);
    expectStatus(await call('DELETE', '/api/agent/channels/c2'), 200);
    expectStatus(await call('PATCH', '/api/agent/channels/c3', { enabled: false }), 200);
    expectStatus(
      await call('POST', '/api/core/events/subscribe', {
        consumer: 's1',
        tenant_code: 'acme',
        push_url: `${peer.url}/in`,
        secret_ref: 'signing',
      }),
      200,
    );
    expect(await alarms(call)).toEqual(['secret_reference:channel:c3']);
    expect(await tried(call, 'c1')).toEqual({ taken: true, error: null });
    expect(peer.heard.map(({ headers }) => headers.authorization)).toEqual(['Bearer hunter3']);
  });

  test('what the program itself kept of a channel is sealed for it, and its old copy is gone', async () => {
    const { channels } = opened.stores;
    const refs = {
      urlRef: opened.vault.put('channel-url-c1', `${peer.url}/sms`),
      secretRef: opened.vault.put('channel-secret-c1', OLD.secret),
    };
    await channels.create(
      old('c1', { ...refs, urlHost: new URL(peer.url).host }),
      'admin',
      stampOf(systemClock),
    );
    // Copies of another channel are not its own.
    const theirs = opened.vault.put('channel-secret-c9', 'of-another');
    const { call, stores } = await opened.restarted();
    expect(await alarms(call)).toEqual([]);
    expect(await tried(call, 'c1')).toEqual({ taken: true, error: null });
    expect(peer.heard.map(({ headers, target }) => [target, headers.authorization])).toEqual([
      ['/sms', 'Bearer hunter2'],
    ]);
    const { urlRef, secretRef } = (await stores.channels.get('c1')) ?? old('none');
    expect([urlRef, secretRef]).toEqual([expect.stringMatching(/^kept:/), expect.stringMatching(/^kept:/)]);
    const folder = path.join(scene.dir, 'site', 'secrets');
    if (existsSync(folder))
      expect(readdirSync(folder).filter((name) => name.startsWith('channel-'))).toEqual([
        path.basename(theirs),
      ]);
  });
}
