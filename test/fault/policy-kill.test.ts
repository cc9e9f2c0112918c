// Headquarters is killed while an original is on its way into the object store, between the rows and the
// originals of a deleted tenant, and while it builds a search index.
import { hash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { longTest } from '../support/long.ts';
import { ObjectStore } from '../support/object-store.ts';
import { pdf, type Piece } from '../support/pdf.ts';
import { seedLibrary } from '../support/policy-library.ts';
import { createHubDatabase } from '../support/postgres.ts';
import { freePort, Program, Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf, request, until } from '../support/request.ts';

const BYTES = Buffer.from('第一条 总则');
let scene: Scene;
let store: ObjectStore;
let hub: Program;
let databaseUrl: string;
beforeEach(async () => {
  scene = new Scene();
  store = await new ObjectStore().open();
  scene.onClose(() => store.close());
  const database = await createHubDatabase();
  scene.onClose(() => database.drop());
  databaseUrl = database.url;
  const key = path.join(scene.dir, 'key');
  writeFileSync(key, 'secret');
  const env = {
    DATABASE_URL: database.url,
    CORE_DOC_S3_ENDPOINT: store.url,
    CORE_DOC_S3_BUCKET: 'docs',
    CORE_DOC_S3_ACCESS_KEY_REF: `file:${key}`,
    CORE_DOC_S3_SECRET_KEY_REF: `file:${key}`,
  };
  hub = new Program({ main: 'hq/main.ts', dataDir: scene.dir, port: await freePort(), env });
  scene.onClose(() => hub.kill());
  await hub.start();
});
afterEach(() => scene.close());

const register = async (key: string): Promise<number> =>
  jsonOf<{ docId: number }>(
    expectStatus(
      await hub.api('POST', '/api/core/kb/docs', {
        tenant_code: 'acme',
        src_system: 'manual',
        src_key: key,
        title: 't',
        version: '1',
        size: BYTES.length,
        sha256: hash('sha256', BYTES),
      }),
      201,
    ),
  ).docId;
const upload = (docId: number): Promise<Answer | null> =>
  request({
    url: hub.url,
    method: 'POST',
    path: `/api/core/kb/docs/${docId}/file?tenant_code=acme`,
    headers: { 'x-admin-key': hub.adminKey },
    body: BYTES,
  }).catch(() => null);
/** How many are in the bucket, beside the mark of the place itself. */
const originals = (): number => [...store.objects.keys()].filter((key) => key.startsWith('kb/')).length;
const file = (docId: number): Promise<Answer> =>
  hub.api('GET', `/api/core/kb/docs/${docId}/file?tenant_code=acme&all_levels=1`);

test(
  'killed while an original is put: the file is not said to have one, and the same upload succeeds',
  { timeout: 120_000 },
  async () => {
    const docId = await register('k');
    store.beforePut = (key) => (key.startsWith('kb/') ? hub.kill() : Promise.resolve());
    expect(await upload(docId)).toBeNull();
    await until('the object is there', () => Promise.resolve(originals() === 1));
    store.beforePut = () => Promise.resolve();
    await hub.start();
    expect(jsonOf(expectStatus(await file(docId), 404))).toMatchObject({ error: 'original_missing' });
    expect((await upload(docId))?.status).toBe(201);
    expect(expectStatus(await file(docId), 200).text).toBe(BYTES.toString());
  },
);

test(
  'killed between the rows and the originals of a deleted tenant: the next life deletes them',
  { timeout: 120_000 },
  async () => {
    for (const key of ['a', 'b', 'c']) expect((await upload(await register(key)))?.status).toBe(201);
    let killed: Promise<void> | null = null;
    store.fault = (method) => {
      if (method !== 'DELETE') return null;
      killed ??= hub.kill();
      return 'refuse';
    };
    expect(
      await hub
        .api('POST', '/api/core/kb/tenant_deletion', { tenant_code: 'acme', confirm: 'acme' })
        .catch(() => null),
    ).toBeNull();
    await until('the hub was killed', () => Promise.resolve(!hub.running));
    expect(originals()).toBe(3);
    store.fault = () => null;
    await hub.start();
    await until('the originals are gone', () => Promise.resolve(originals() === 0));
    expect(
      jsonOf(
        expectStatus(
          await hub.api('POST', '/api/core/kb/tenant_deletion/preview', { tenant_code: 'acme' }),
          200,
        ),
      ),
    ).toEqual({ tenantCode: 'acme', docs: 0, chunks: 0, clearance: 0, qaLog: 0, originals: 0 });
  },
);

longTest(
  'killed in the middle of building a search index: the next life finds everything, and builds another',
  async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const textOf = (at: number): string => `第${at}条 吊装作业 ${at === 0 ? 'lighthouse' : 'crane'}`;
    const chunks = Array.from({ length: 5_000 }, (_, at) => ({ text: textOf(at) }));
    const [first] = await seedLibrary(client, [{ chunks }]);
    await client.end();
    const search = async (): Promise<number[]> => {
      const asked = { tenant_code: 'acme', subject: 'someone', query: 'lighthouse' };
      const answer = expectStatus(await hub.api('POST', '/api/core/kb/search', asked), 200);
      return jsonOf<{ items: { chunkId: number }[] }>(answer).items.map((item) => item.chunkId);
    };
    type IndexView = { building: boolean; lastBuild: { reason: string } | null };
    const index = async (): Promise<IndexView> =>
      jsonOf(expectStatus(await hub.api('GET', '/api/core/kb/index'), 200));
    const built = path.join(scene.dir, 'policy-index', '0', 'building.db');
    await until('the index is there', async () => {
      const { lastBuild, building } = await index();
      return lastBuild !== null && !building;
    });
    // One may be over before it is seen under way.
    await until('a build is under way', async () => {
      if (existsSync(built)) return true;
      expectStatus(await hub.api('POST', '/api/core/kb/index/rebuild'), 202);
      return existsSync(built);
    });
    await hub.kill();
    expect(existsSync(built)).toBe(true);
    await hub.start();
    expect(await search()).toEqual([first?.id]);
    await until('the index was built anew', async () => (await index()).lastBuild !== null);
    expect(existsSync(built)).toBe(false);
    expect((await index()).lastBuild?.reason).toBe('the file was not closed in order');
    expect(await search()).toEqual([first?.id]);
  },
);

longTest('killed while it reads a file: the next start goes on with it', { timeout: 300_000 }, async () => {
  // Each page takes a moment.
  const pages = Array.from({ length: 1_500 }, (_, at) =>
    Array.from({ length: 30 }, (_line, line): Piece => [
      50,
      750 - line * 20,
      `第${at * 30 + line + 1}条 动火。`,
    ]),
  );
  const form = new FormData();
  const fields = { tenant_code: 'acme', src_system: 'console', src_key: 'long', title: 't', version: '1' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([pdf(pages)]), 'long.pdf');
  const made = new Response(form);
  const { docId } = jsonOf<{ docId: number }>(
    expectStatus(
      await request({
        ...{ url: hub.url, method: 'POST', path: '/api/core/kb/docs/upload' },
        body: Buffer.from(await made.arrayBuffer()),
        headers: { 'x-admin-key': hub.adminKey, 'content-type': made.headers.get('content-type') ?? '' },
      }),
      201,
    ),
  );
  const reading = async (): Promise<{ readingState: string; attempts: number; atPage: number | null }> => {
    const listed = await hub.api('GET', `/api/core/kb/readings?tenant_code=acme&doc_id=${docId}`);
    const { items } = jsonOf<{ items: Awaited<ReturnType<typeof reading>>[] }>(expectStatus(listed, 200));
    if (!items[0]) throw new Error('no reading');
    return items[0];
  };
  await until('it is in the middle of the file', async () => ((await reading()).atPage ?? 0) > 1);
  await hub.kill();
  await hub.start();
  await until('it was read', async () => (await reading()).readingState === 'read', 120_000);
  expect(await reading()).toMatchObject({ attempts: 2 });
});
