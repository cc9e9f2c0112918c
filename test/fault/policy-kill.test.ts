// Headquarters is killed while an original is on its way into the object store, and between the rows and the originals of a deleted tenant.
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ObjectStore } from '../support/object-store.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, Program, Scene } from '../support/process.ts';
import { expectStatus, jsonOf, request, until, type Answer } from '../support/request.ts';

const BYTES = Buffer.from('第一条 总则');
let scene: Scene;
let store: ObjectStore;
let hub: Program;
beforeEach(async () => {
  scene = new Scene();
  store = await new ObjectStore().open();
  scene.onClose(() => store.close());
  const database = await createDatabase();
  scene.onClose(() => database.drop());
  const key = path.join(scene.dir, 'key');
  writeFileSync(key, 'secret');
  const env = { DATABASE_URL: database.url, CORE_DOC_S3_ENDPOINT: store.url, CORE_DOC_S3_BUCKET: 'docs', CORE_DOC_S3_ACCESS_KEY_REF: `file:${key}`, CORE_DOC_S3_SECRET_KEY_REF: `file:${key}` };
  hub = new Program({ main: 'hq/main.ts', dataDir: scene.dir, port: await freePort(), env });
  scene.onClose(() => hub.kill());
  await hub.start();
});
afterEach(() => scene.close());

const register = async (key: string): Promise<number> => jsonOf<{ docId: number }>(expectStatus(await hub.api('POST', '/api/core/kb/docs', {
  tenant_code: 'acme', src_system: 'manual', src_key: key, title: 't', version: '1', size: BYTES.length, sha256: hash('sha256', BYTES),
}), 201)).docId;
const upload = (docId: number): Promise<Answer | null> =>
  request({ url: hub.url, method: 'POST', path: `/api/core/kb/docs/${docId}/file?tenant_code=acme`, headers: { 'x-admin-key': hub.adminKey }, body: BYTES }).catch(() => null);
const file = (docId: number): Promise<Answer> => hub.api('GET', `/api/core/kb/docs/${docId}/file?tenant_code=acme&all_levels=1`);

test('killed while an original is put: the file is not said to have one, and the same upload succeeds', { timeout: 120_000 }, async () => {
  const docId = await register('k');
  store.beforePut = () => hub.kill();
  expect(await upload(docId)).toBeNull();
  await until('the object is there', () => Promise.resolve(store.objects.size === 1));
  store.beforePut = () => Promise.resolve();
  await hub.start();
  expect(jsonOf(expectStatus(await file(docId), 404))).toMatchObject({ error: 'original_missing' });
  expect((await upload(docId))?.status).toBe(201);
  expect(expectStatus(await file(docId), 200).text).toBe(BYTES.toString());
});

test('killed between the rows and the originals of a deleted tenant: the next life deletes them', { timeout: 120_000 }, async () => {
  for (const key of ['a', 'b', 'c']) expect((await upload(await register(key)))?.status).toBe(201);
  let killed: Promise<void> | null = null;
  store.fault = (method) => {
    if (method !== 'DELETE') return null;
    killed ??= hub.kill();
    return 'refuse';
  };
  expect(await hub.api('POST', '/api/core/kb/tenant_deletion', { tenant_code: 'acme', confirm: 'acme' }).catch(() => null)).toBeNull();
  await until('the hub was killed', () => Promise.resolve(!hub.running));
  expect(store.objects.size).toBe(3);
  store.fault = () => null;
  await hub.start();
  await until('the originals are gone', () => Promise.resolve(store.objects.size === 0));
  expect(jsonOf(expectStatus(await hub.api('POST', '/api/core/kb/tenant_deletion/preview', { tenant_code: 'acme' }), 200))).toEqual({ tenantCode: 'acme', docs: 0, chunks: 0, clearance: 0, qaLog: 0, originals: 0 });
});
