// Secrets that the API gives or names, at both programs: what each opens for, and what is never read.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signatureMatches } from '../../common/http/signing/signature.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf } from '../support/request.ts';
import { bearer, type Channel, faults, hostOf, secretCalls, TENANT } from '../support/secret-calls.ts';

const ALL = '127.0.0.0/8';

describe('at a site', () => secrets('site'));
describe('at headquarters', () => secrets('hub'));

function secrets(side: 'site' | 'hub'): void {
  const scene = new Scene();
  const folder = path.join(scene.dir, 'given');
  let call: Call;
  let peer: HttpPeer;
  let other: HttpPeer;

  beforeAll(async () => {
    [peer, other] = [await new HttpPeer().open(), await new HttpPeer().open()];
    mkdirSync(folder);
    const of = (more: string): string => `use=channel\nhost=${hostOf(peer)}\ntenant=${TENANT}\n${more}`;
    writeFileSync(path.join(folder, 'token'), of('secret=from-the-folder\n'));
    writeFileSync(path.join(folder, 'plain'), 'from-the-folder');
    writeFileSync(path.join(folder, 'large'), of(`secret=${'x'.repeat(4096)}`));
    symlinkSync(path.join(folder, 'token'), path.join(folder, 'link'));
    execFileSync('mkfifo', [path.join(folder, 'fifo')]);
    const env = {
      CORE_SECRETS_DIR: folder,
      AGENT_CHANNEL_NETWORKS: ALL,
      CORE_PUSH_NETWORKS: ALL,
      ...(side === 'hub' ? { CORE_DATASET_NETWORKS: ALL } : {}),
    };
    ({ call } =
      side === 'site' ? await startSiteHere(scene, { env }) : await startHubHere(scene, undefined, env));
  });
  afterAll(async () => {
    await scene.close();
    await peer.close();
    await other.close();
  });
  beforeEach(() => {
    peer.heard.length = 0;
    other.heard.length = 0;
  });

  const { put, channel, made, tried, subscribe, source } = secretCalls(
    (...ask) => call(...ask),
    () => peer,
  );

  test('no reference names a file or variable of the machine, and the answer says what to do', async () => {
    const machine = [
      `file:${path.join(scene.dir, 'admin-key')}`,
      'file:/dev/zero',
      `file:${path.join(folder, 'fifo')}`,
      'env:HOME',
      'env:PATH',
      'cred:x',
    ];
    for (const ref of machine) {
      const answers = [
        await channel({ secret_ref: ref }),
        await channel({ url: undefined, url_ref: ref }),
        await subscribe({ secret_ref: ref }),
        ...(side === 'hub' ? [await source({ secret_ref: ref })] : []),
      ];
      for (const answer of answers)
        expect(faults(answer), ref).toMatchObject([
          { message: expect.stringContaining('PUT /api/core/secrets/{name}') as string },
        ]);
    }
    expect(peer.heard).toEqual([]);
  });

  test('a name that does not open is answered alike, whether there is such a secret or not', async () => {
    expectStatus(await put('for-pushes', { use: 'push' }), 201);
    expectStatus(await put('for-another-host', { host: hostOf(other) }), 201);
    expectStatus(await put('of-another', { tenant_code: 'bravo' }), 201);
    const said = new Set<string>();
    for (const ref of [
      'nobody',
      'for-pushes',
      'for-another-host',
      'of-another',
      'dir:nobody',
      'dir:plain',
      'dir:large',
      'dir:link',
      'dir:fifo',
    ]) {
      for (const { path: at, message } of faults(await channel({ secret_ref: ref })))
        said.add(`${at} ${message}`);
    }
    expect(said.size).toBe(1);
    for (const ref of ['dir:../admin-key', 'dir:.', 'dir:..', 'dir:', '../x', 'a/b', ''])
      expect(faults(await channel({ secret_ref: ref })), ref).toHaveLength(1);
  });

  test('a secret goes where it was given for, and an address at another host needs it anew', async () => {
    expectStatus(await put('token', {}), 201);
    const named = await made({ secret_ref: 'token' });
    const kept = await made({ secret: 'hunter3' });
    const fromFolder = await made({ secret_ref: 'dir:token' });
    expect([named.secretRef, kept.secretRef, kept.urlRef]).toEqual(['token', null, null]);
    for (const one of [named, kept, fromFolder])
      expect(await tried(one)).toEqual({ taken: true, error: null, errorZh: null });
    expect(bearer(peer)).toEqual(['Bearer hunter2', 'Bearer hunter3', 'Bearer from-the-folder']);

    const move = ({ id }: Channel, more: object = {}): Promise<Answer> =>
      call('PATCH', `/api/agent/channels/${id}`, { url: `${other.url}/sms`, ...more });
    expect(faults(await move(kept))).toMatchObject([
      { path: 'secret', message: expect.stringContaining('must be given anew') as string },
    ]);
    for (const one of [named, fromFolder])
      expect(faults(await move(one))).toMatchObject([{ path: 'secret_ref' }]);
    expectStatus(await move(kept, { secret: 'hunter4' }), 200);
    expectStatus(
      await call('PATCH', `/api/agent/channels/${named.id}`, {
        url: `${peer.url}/elsewhere`,
        enabled: false,
      }),
      200,
    );
    await tried(kept);
    expect(bearer(other)).toEqual(['Bearer hunter4']);
  });

  test('a whole address may be a secret; another in its place waits for a save of the channel', async () => {
    expect(
      faults(
        await put('address', {
          use: 'channel_address',
          host: hostOf(other),
          secret: `${peer.url}/robot?key=k`,
        }),
      ),
    ).toMatchObject([{ path: 'secret' }]);
    expectStatus(await put('address', { use: 'channel_address', secret: `${peer.url}/robot?key=k` }), 201);
    const robot = await made({ url: undefined, url_ref: 'address', secret: 'hunter2' });
    expect(await tried(robot)).toEqual({ taken: true, error: null, errorZh: null });
    expectStatus(
      await put('address', { use: 'channel_address', host: hostOf(other), secret: `${other.url}/robot` }),
      200,
    );
    expect(await tried(robot)).toEqual({
      taken: false,
      error: 'the secret cannot be used; the log of the program says why',
      errorZh: '密钥不可用，原因见程序日志',
    });
    expect(
      faults(await call('PATCH', `/api/agent/channels/${robot.id}`, { url_ref: 'address' })),
    ).toMatchObject([{ path: 'secret' }]);
    expect([peer.heard.map(({ target }) => target), other.heard]).toEqual([['/robot?key=k'], []]);
  });

  test('a secret that is gone, or for something else now, stops what names it, visibly', async () => {
    expectStatus(await put('short', {}), 201);
    const one = await made({ secret_ref: 'short' });
    expectStatus(await put('short', { use: 'push' }), 200);
    expect((await tried(one)).taken).toBe(false);
    expectStatus(await call('DELETE', `/api/core/secrets/short?tenant_code=${TENANT}`), 200);
    expect((await tried(one)).taken).toBe(false);
    expectStatus(await call('DELETE', `/api/core/secrets/short?tenant_code=${TENANT}`), 404);
    expect(peer.heard).toEqual([]);
  });

  test('a subscription names a secret of its own tenant, or of none', async () => {
    expectStatus(await put('signing', { use: 'push' }), 201);
    expectStatus(await put('signing', { use: 'push', tenant_code: undefined, secret: 'hunter9' }), 201);
    expect(jsonOf(expectStatus(await subscribe({ secret_ref: 'signing' }), 201))).toMatchObject({
      secretRef: 'signing',
    });
    expect(faults(await subscribe({ secret_ref: 'signing', push_url: `${other.url}/in` }))).toMatchObject([
      { path: 'secret_ref' },
    ]);
    expectStatus(await call('DELETE', `/api/core/secrets/signing?tenant_code=${TENANT}`), 200);
    expect(faults(await subscribe({ secret_ref: 'signing' }))).toMatchObject([{ path: 'secret_ref' }]);
    expectStatus(await subscribe({ consumer: 'every', tenant_code: undefined, secret_ref: 'signing' }), 201);
  });

  if (side === 'hub')
    test('a dataset source is pulled with its secret, and not moved to another host with it', async () => {
      expectStatus(await put('erp', { use: 'dataset' }), 201);
      const { id } = jsonOf<{ id: string }>(expectStatus(await source({ secret_ref: 'erp' }), 201));
      await peer.hears(1);
      const [heard] = peer.heard;
      const parts = {
        timestamp: Number(heard?.headers['x-core-timestamp']),
        method: 'GET',
        target: heard?.target ?? '',
        body: '',
      };
      expect(signatureMatches(['hunter2'], parts, String(heard?.headers['x-core-signature']))).toBe(true);
      expect(
        faults(await call('PATCH', `/api/dataset/sources/${id}`, { base_url: other.url })),
      ).toMatchObject([{ path: 'secret_ref' }]);
      expectStatus(
        await call('PATCH', `/api/dataset/sources/${id}`, { base_url: `${peer.url}/erp`, enabled: false }),
        200,
      );
    });

  test('no answer shows a secret, nor the audit', async () => {
    const shown = await Promise.all(
      [
        '/api/core/secrets',
        '/api/agent/channels',
        '/api/core/events/subscriptions',
        '/api/core/audit?limit=200',
        ...(side === 'hub' ? ['/api/dataset/sources'] : []),
      ].map((target) => call('GET', target)),
    );
    for (const answer of shown)
      expect(expectStatus(answer, 200).text).not.toMatch(/hunter|from-the-folder|kept:|"sealed"|key=k/);
    expect(jsonOf<{ items: object[] }>(shown[0] as Answer).items).toContainEqual(
      expect.objectContaining({ name: 'token', tenantCode: TENANT, use: 'channel', host: hostOf(peer) }),
    );
    expect(
      jsonOf<{ items: { tenantCode: string }[] }>(
        expectStatus(await call('GET', '/api/core/secrets?tenant_code=bravo'), 200),
      ).items,
    ).toMatchObject([{ tenantCode: 'bravo' }]);
  });
}
