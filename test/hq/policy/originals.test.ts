// Originals: whole and right, or not at all, in a directory and in an object store that fails in every
// operation.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../../common/config.ts';
import { readHubConfig } from '../../../hq/config.ts';
import { LocalOriginals } from '../../../hq/policy/original/local.ts';
import { MarkedOriginals } from '../../../hq/policy/original/marked.ts';
import { keyOf, MARK, prefixOf } from '../../../hq/policy/original/original.ts';
import { S3Originals } from '../../../hq/policy/original/s3.ts';
import { OriginalTransfer } from '../../../hq/policy/original/transfer.ts';
import { HttpPeer } from '../../support/http-peer.ts';
import { ObjectStore } from '../../support/object-store.ts';
import { type Answer, expectStatus, jsonOf, request } from '../../support/request.ts';
import { errorOf, openPolicyRig, original, type PolicyRig, TENANT } from './rig.ts';

const LIMIT = 25 * 1024 * 1024;
const BYTES = Buffer.from('第一条 总则\n');

let dir: string;
let files: PolicyRig;
let objects: PolicyRig;
const store = new ObjectStore();
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-originals-'));
  await store.open();
  await writeFile(path.join(dir, 'secret'), 'a secret of a test');
  const keys = {
    CORE_DOC_S3_ACCESS_KEY_REF: `file:${dir}/secret`,
    CORE_DOC_S3_SECRET_KEY_REF: `file:${dir}/secret`,
  };
  files = await openPolicyRig({ CORE_DOC_DIR: path.join(dir, 'kbdocs') });
  objects = await openPolicyRig({
    CORE_DOC_S3_ENDPOINT: store.url,
    CORE_DOC_S3_BUCKET: 'docs',
    CORE_DOC_S3_PUBLIC_ENDPOINT: store.url,
    ...keys,
  });
});
afterAll(async () => {
  await files.close();
  await objects.close();
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

const fetchIt = (rig: PolicyRig, docId: number, tenant = TENANT, more = ''): Promise<Answer> =>
  rig.admin(
    'GET',
    `/api/core/kb/docs/${docId}/file?tenant_code=${encodeURIComponent(tenant)}&all_levels=1${more}`,
  );
const kept = async (): Promise<string[]> =>
  (await readdir(path.join(dir, 'kbdocs'), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => path.relative(path.join(dir, 'kbdocs'), path.join(entry.parentPath, entry.name)));

describe('an upload', () => {
  test('of exactly 25 MB is taken and comes back the same; one byte more is refused', async () => {
    const bytes = Buffer.alloc(LIMIT, 'clause ');
    const { docId } = await files.register(original(bytes));
    expect(errorOf(await files.upload(docId, Buffer.concat([bytes, Buffer.from('x')])))).toEqual([
      413,
      'body_too_large',
    ]);
    expectStatus(await files.upload(docId, bytes), 201);
    const answer = await fetchIt(files, docId);
    expect([answer.status, answer.headers['content-length'], answer.headers['content-type']]).toEqual([
      200,
      String(LIMIT),
      'text/markdown',
    ]);
    expect(answer.text === bytes.toString('utf8')).toBe(true);
  });

  test('that is shorter, longer or other than registered is refused, and nothing is left', async () => {
    const before = await kept();
    const { docId } = await files.register(original(BYTES));
    for (const wrong of [
      BYTES.subarray(1),
      Buffer.concat([BYTES, BYTES]),
      Buffer.alloc(BYTES.length),
      Buffer.alloc(0),
      Buffer.alloc(1024 * 1024),
    ]) {
      expect(errorOf(await files.upload(docId, wrong))).toEqual([422, 'original_mismatch']);
    }
    expect(await kept()).toEqual(before);
    expect((await files.detail(docId)).originalStoredAt).toBeNull();
    expect(errorOf(await fetchIt(files, docId))).toEqual([404, 'original_missing']);
    expectStatus(await files.upload(docId, BYTES), 201);
    expectStatus(await files.upload(docId, BYTES), 200);
  });

  test('is opened by a link: a PDF in the browser, anything else saved; as the account that the link names', async () => {
    const PDF = Buffer.from('%PDF-1.4');
    const stored = async (contentType: string, level: string): Promise<number> => {
      const more = { ...original(PDF), content_type: contentType, security_level: level };
      const { docId } = await files.register(more);
      expectStatus(await files.upload(docId, PDF), 201);
      return docId;
    };
    const [pdf, html, secret] = [
      await stored('application/pdf', 'internal'),
      await stored('text/html', 'internal'),
      await stored('application/pdf', 'secret'),
    ];
    const open = (docId: number, more = ''): Promise<Answer> =>
      files.admin('GET', `/api/core/kb/docs/${docId}/file?tenant_code=${TENANT}&asker=li${more}`);
    const shown = await open(pdf, '&inline=1');
    expect(shown.headers['content-disposition']).toMatch(/^inline;/);
    expect(shown.headers['content-security-policy']).not.toContain('sandbox');
    expect(shown.headers['x-content-type-options']).toBe('nosniff');
    for (const saved of [await open(pdf), await open(html, '&inline=1')]) {
      expect(saved.headers['content-disposition']).toMatch(/^attachment;/);
      expect(saved.headers['content-security-policy']).toContain('sandbox');
    }
    expect((await open(secret)).status).toBe(404);
    const both = await files.ask(
      'GET',
      `/api/core/kb/docs/${pdf}/file?tenant_code=${TENANT}&asker=li`,
      'wang',
    );
    expect(both.status).toBe(400);
  });

  test('that breaks off leaves nothing', async () => {
    const before = await kept();
    const bytes = Buffer.alloc(200_000, 'x');
    const { docId } = await files.register(original(bytes));
    const { hostname, port } = new URL(files.hub.url);
    await new Promise<void>((resolve) => {
      const outgoing = http.request({
        hostname,
        port,
        method: 'POST',
        path: `/api/core/kb/docs/${docId}/file?tenant_code=${TENANT}`,
        headers: { 'x-admin-key': files.adminKey, 'content-length': bytes.length },
      });
      outgoing.on('error', () => resolve());
      outgoing.write(bytes.subarray(0, 100_000), () => outgoing.destroy());
    });
    // The next upload of the same process has its turn after the broken one was cleared away.
    expectStatus(await files.upload(docId, bytes), 201);
    expect((await kept()).length).toBe(before.length + 1);
    expect((await files.detail(docId)).originalStoredAt).not.toBeNull();
  });

  test('of bytes that were changed in their place is not handed out', async () => {
    const { docId } = await files.register(original(BYTES));
    expectStatus(await files.upload(docId, BYTES), 201);
    const [found] = (await kept()).filter((name) => name.includes(`/${docId}/`));
    await writeFile(
      path.join(dir, 'kbdocs', found ?? ''),
      Buffer.concat([BYTES.subarray(1), Buffer.from('!')]),
    );
    const answer = await fetchIt(files, docId);
    expect(errorOf(answer)).toEqual([500, 'original_damaged']);
    expect(answer.text).not.toContain('总则');
    await rm(path.join(dir, 'kbdocs', found ?? ''));
    expect(errorOf(await fetchIt(files, docId))).toEqual([404, 'original_missing']);
  });

  test.each(['../../etc', '..', '.hidden', 'a/b', 'a\\b', '%2e%2e', '项目一', 'a'])(
    'of the tenant %j stays below its own prefix',
    async (tenant) => {
      const { docId } = await files.register({ tenant_code: tenant, ...original(BYTES) });
      expectStatus(await files.upload(docId, BYTES, tenant), 201);
      expectStatus(await fetchIt(files, docId, tenant), 200);
      const mine = (await kept()).filter((name) => name.includes(`/${docId}/`));
      expect(mine).toHaveLength(1);
      expect(mine[0]?.split('/')).toHaveLength(4);
      expect(mine[0]?.startsWith(prefixOf(tenant))).toBe(true);
      expect(await readFile(path.join(dir, 'kbdocs', mine[0] ?? ''))).toEqual(BYTES);
    },
  );

  test('has a key that leads nowhere else, whatever it is asked for', async () => {
    const local = new LocalOriginals(path.join(dir, 'kbdocs'));
    await expect(local.open('kb/../../secret')).rejects.toThrow('leads out');
    expect(() => keyOf({ tenantCode: 'a', id: 1, sha256: '../../x' })).toThrow('not the key');
    expect(new Set(['a', 'a/b', 'a%2Fb', '.', '%2E', '..'].map(prefixOf)).size).toBe(6);
  });
});

describe('a directory that is not mounted', () => {
  const root = (): string => path.join(dir, 'kbdocs');
  const deletion = (rig: PolicyRig, tenant: string, more: object = {}, preview = ''): Promise<Answer> =>
    rig.admin('POST', `/api/core/kb/tenant_deletion${preview}`, {
      tenant_code: tenant,
      ...(preview === '' ? { confirm: tenant } : {}),
      ...more,
    });

  test(
    'is no empty one: nothing is read from it, written onto its mount point or deleted, with or without ' +
      'a folder there',
    async () => {
      const { docId } = await files.register({ tenant_code: 'away', ...original(BYTES) });
      expectStatus(await files.upload(docId, BYTES, 'away'), 201);
      const { docId: next } = await files.register({ tenant_code: 'away', ...original(BYTES) });
      await rename(root(), `${root()}.away`);
      for (const mountPoint of [true, false]) {
        if (mountPoint) await mkdir(root());
        else await rmdir(root());
        const refused = [
          await fetchIt(files, docId, 'away'),
          await files.upload(next, BYTES, 'away'),
          await deletion(files, 'away', {}, '/preview'),
          await deletion(files, 'away', { accept_missing: 1 }),
        ];
        expect(refused.map(errorOf)).toEqual(refused.map(() => [503, 'originals_unavailable']));
        if (mountPoint) expect(await readdir(root())).toEqual([]);
      }
      await rename(`${root()}.away`, root());
      expectStatus(await files.upload(next, BYTES, 'away'), 201);
      expect(jsonOf(expectStatus(await deletion(files, 'away'), 200))).toMatchObject({
        docs: 2,
        originals: 2,
      });
    },
  );

  test('that takes the place of a bucket is known by an original that it must hold', async () => {
    const { docId } = await files.register({ tenant_code: 'older', ...original(BYTES) });
    expectStatus(await files.upload(docId, BYTES, 'older'), 201);
    await files.hub.store.pool.query(`delete from store_facts where name = 'originals_mark'`);
    await rm(path.join(root(), '.fieldline-originals'));
    await rename(root(), `${root()}.away`);
    await mkdir(root());
    expect(errorOf(await fetchIt(files, docId, 'older'))).toEqual([503, 'originals_unavailable']);
    await rmdir(root());
    await rename(`${root()}.away`, root());
    expectStatus(await fetchIt(files, docId, 'older'), 200);
    expect(await readdir(root())).toContain('.fieldline-originals');
  });

  test(
    'and a bucket that answers with empty or short lists delete nothing, until somebody says that the ' +
      'rest is lost',
    async () => {
      for (let one = 0; one < 2; one += 1) {
        const { docId } = await objects.register({ tenant_code: 'short', ...original(BYTES) });
        expectStatus(await objects.upload(docId, BYTES, 'short'), 201);
      }
      const [first = '', second = ''] = [...store.objects.keys()].filter((key) =>
        key.startsWith('kb/short/'),
      );
      const bytes = store.objects.get(first) ?? BYTES;
      store.objects.delete(first);
      for (const answer of [
        await deletion(objects, 'short', {}, '/preview'),
        await deletion(objects, 'short'),
      ]) {
        expect(jsonOf(expectStatus(answer, 409))).toMatchObject({
          error: 'originals_missing',
          stored: 2,
          missing: 1,
          retryable: false,
        });
      }
      store.objects.delete(second);
      expect(errorOf(await deletion(objects, 'short', { accept_missing: 1 }))).toEqual([
        409,
        'originals_missing',
      ]);
      store.objects.set(second, bytes);
      expect(
        jsonOf(expectStatus(await deletion(objects, 'short', { accept_missing: 1 }), 200)),
      ).toMatchObject({
        docs: 2,
        originals: 1,
      });
    },
  );
});

describe('an object store', () => {
  test('keeps originals under the key, and gives out an address that works', async () => {
    const { docId } = await objects.register(original(BYTES));
    expectStatus(await objects.upload(docId, BYTES), 201);
    expect(
      [...store.objects.keys()].some((key) => new RegExp(`^kb/${TENANT}/${docId}/[0-9a-f]{64}$`).test(key)),
    ).toBe(true);
    expect((await fetchIt(objects, docId)).text).toBe(BYTES.toString());
    const { url } = jsonOf<{ url: string; expiresAt: string }>(
      expectStatus(await fetchIt(objects, docId, TENANT, '&presign=1'), 200),
    );
    const { origin, pathname, search, searchParams } = new URL(url);
    expect(searchParams.get('X-Amz-Expires')).toBe('300');
    expect((await request({ url: origin, method: 'GET', path: pathname + search })).text).toBe(
      BYTES.toString(),
    );
    expect(
      errorOf(await fetchIt(files, (await files.register(original(BYTES))).docId, TENANT, '&presign=1')),
    ).toEqual([404, 'original_missing']);
  });

  test.each(['refuse', 'error'] as const)(
    'that answers every call with "%s" is said to be unreachable, without its name, and nothing has happened',
    async (fault) => {
      const { docId } = await objects.register(original(BYTES));
      const stored = (await objects.register(original(BYTES))).docId;
      expectStatus(await objects.upload(stored, BYTES), 201);
      store.fault = () => fault;
      try {
        // At once, since each is tried again after a pause.
        const answers = await Promise.all([
          objects.upload(docId, BYTES),
          fetchIt(objects, stored),
          fetchIt(objects, stored, TENANT, '&presign=1'),
          objects.admin('POST', '/api/core/kb/tenant_deletion/preview', { tenant_code: TENANT }),
          objects.admin('POST', '/api/core/kb/tenant_deletion', { tenant_code: TENANT, confirm: TENANT }),
        ]);
        for (const answer of answers) {
          expect(errorOf(answer)).toEqual([503, 'originals_unavailable']);
          expect(answer.text).not.toMatch(/127\.0\.0\.1|inner-host|docs/);
        }
      } finally {
        store.fault = () => null;
      }
      expect((await objects.detail(docId)).originalStoredAt).toBeNull();
      expectStatus(await objects.upload(docId, BYTES), 201);
      expectStatus(await fetchIt(objects, stored), 200);
    },
  );

  test('of another hub than the first is refused, and nothing in it is taken for lost', async () => {
    const { docId } = await objects.register(original(BYTES));
    expectStatus(await objects.upload(docId, BYTES), 201);
    const [key = ''] = [...store.objects.keys()].filter((name) => name.includes(`/${docId}/`));
    const far = await new ObjectStore().open();
    const place = new S3Originals({
      ...{ endpoint: far.url, bucket: 'docs', region: 'local', accessKey: 'a', secretKey: 'b' },
      publicEndpoint: null,
    });
    const other = new MarkedOriginals(place, objects.hub.store.policy.storageMarker);
    expect(await other.standing()).toBe('other');
    for (const work of [() => other.open(key), () => other.put(key, path.join(dir, 'secret'), 18)])
      await expect(work()).rejects.toMatchObject({ status: 503, code: 'originals_unavailable' });
    expect([...far.objects.keys()]).toEqual([]);
    // With its mark it is a copy, in which something is missing.
    far.objects.set(MARK, store.objects.get(MARK) ?? Buffer.alloc(0));
    expect(await other.open(key)).toBeNull();
    other.close();
    await far.close();
  });

  test('that breaks off, or holds other bytes, hands out nothing', async () => {
    const { docId } = await objects.register(original(BYTES));
    expectStatus(await objects.upload(docId, BYTES), 201);
    store.fault = (method) => (method === 'GET' ? 'break' : null);
    expect(errorOf(await fetchIt(objects, docId))).toEqual([503, 'originals_unavailable']);
    store.fault = () => null;
    const [key = ''] = [...store.objects.keys()].filter((name) => name.includes(`/${docId}/`));
    store.objects.set(key, Buffer.alloc(BYTES.length));
    for (const more of ['', '&presign=1'])
      expect(errorOf(await fetchIt(objects, docId, TENANT, more))).toEqual([500, 'original_damaged']);
  });

  test('that does not answer, or stops in the middle, is given up in every operation', async () => {
    const place = new S3Originals({
      endpoint: store.url,
      bucket: 'docs',
      region: 'local',
      accessKey: 'a',
      secretKey: 'b',
      publicEndpoint: null,
      requestMs: 150,
    });
    const [key = ''] = [...store.objects.keys()].filter((name) => name.startsWith('kb/'));
    const all = async (): Promise<string[]> => {
      const keys: string[] = [];
      for await (const one of place.list('kb/')) keys.push(one);
      return keys;
    };
    store.fault = () => 'hang';
    try {
      for (const work of [
        () => place.put(key, path.join(dir, 'secret'), 18),
        () => place.open(key),
        () => place.remove(key),
        () => place.check(),
        all,
      ]) {
        await expect(work()).rejects.toMatchObject({ status: 503, code: 'originals_unavailable' });
      }
      store.fault = () => 'stall';
      const transfer = new OriginalTransfer(place, path.join(dir, 'incoming'));
      const [, tenantCode = '', id = '', sha256 = ''] = key.split('/');
      await expect(
        transfer.give({ id: Number(id), tenantCode, sha256, size: store.objects.get(key)?.length ?? 0 }),
      ).rejects.toMatchObject({ status: 503, code: 'originals_unavailable' });
      expect(await readdir(path.join(dir, 'incoming'))).toEqual([]);
    } finally {
      store.fault = () => null;
      place.close();
    }
  });

  test.each([
    ['a page of a proxy', '<html>Please log in</html>'],
    ['nothing', ''],
    [
      'a list that breaks off',
      '<?xml version="1.0"?><ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>',
    ],
  ])(
    'that is none and answers everything with %s keeps nothing, and has nothing deleted',
    async (_, body) => {
      const peer = await new HttpPeer().open();
      peer.respond = () => ({ body });
      const place = new S3Originals({
        endpoint: peer.url,
        bucket: 'docs',
        region: 'local',
        accessKey: 'a',
        secretKey: 'b',
        publicEndpoint: null,
      });
      const list = async (): Promise<void> => {
        for await (const key of place.list('kb/')) expect(key).toBe('none');
      };
      for (const work of [() => place.put('kb/a/1/x', path.join(dir, 'secret'), 18), list])
        await expect(work()).rejects.toMatchObject({ status: 503, code: 'originals_unavailable' });
      place.close();
      await peer.close();
    },
  );

  test('that is named in part stops the program', () => {
    expect(() => readHubConfig({ CORE_DOC_S3_ENDPOINT: 'http://127.0.0.1:1' })).toThrow(ConfigError);
    expect(() => readHubConfig({ CORE_DOC_S3_PUBLIC_ENDPOINT: 'http://127.0.0.1:1' })).toThrow(/together/);
    expect(() => readHubConfig({ CORE_DOC_DIR: 'relative' })).toThrow(/absolute/);
  });
});
