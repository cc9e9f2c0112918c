// Targeted deletion: everything of one tenant and nothing of another, also when the store of the originals
// fails in between.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ObjectStore } from '../../support/object-store.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { itemsOf, openPolicyRig, original, type PolicyRig } from './rig.ts';

let rig: PolicyRig;
let dir: string;
const store = new ObjectStore();
const BYTES = Buffer.from('text');
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-deletion-'));
  await writeFile(path.join(dir, 'key'), 'secret');
  await store.open();
  rig = await openPolicyRig({
    CORE_DOC_S3_ENDPOINT: store.url,
    CORE_DOC_S3_BUCKET: 'docs',
    CORE_DOC_S3_ACCESS_KEY_REF: `file:${dir}/key`,
    CORE_DOC_S3_SECRET_KEY_REF: `file:${dir}/key`,
  });
});
afterAll(async () => {
  await rig.close();
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

async function fill(tenant: string, count = 3): Promise<void> {
  for (let one = 0; one < count; one += 1) {
    const { docId } = await rig.register({ tenant_code: tenant, ...original(BYTES) });
    expectStatus(await rig.upload(docId, BYTES, tenant), 201);
    expectStatus(await rig.submit(docId, ['a', 'b'], tenant), 200);
  }
  expectStatus(
    await rig.admin('POST', '/api/core/kb/clearance', {
      tenant_code: tenant,
      subject: 'li',
      level: 'secret',
    }),
    200,
  );
  expectStatus(
    await rig.admin('POST', '/api/core/kb/qa_log', {
      tenant_code: tenant,
      subject: 'li',
      question: 'q',
      answer: 'a',
    }),
    201,
  );
}
const preview = async (tenant: string): Promise<object> =>
  jsonOf<object>(
    expectStatus(
      await rig.admin('POST', '/api/core/kb/tenant_deletion/preview', { tenant_code: tenant }),
      200,
    ),
  );
const remove = (tenant: string) =>
  rig.admin('POST', '/api/core/kb/tenant_deletion', { tenant_code: tenant, confirm: tenant });
const FULL = { docs: 3, chunks: 6, clearance: 1, qaLog: 1, originals: 3 };
const NONE = { docs: 0, chunks: 0, clearance: 0, qaLog: 0, originals: 0 };

test("previews, deletes, counts and audits what is a tenant's, and leaves its neighbours whole", async () => {
  const neighbours = ['proj', 'proj-1', 'proj/1'];
  for (const tenant of neighbours) await fill(tenant);
  const position = await rig.hub.store.policy.contents.head();
  expect(await preview('proj')).toEqual({ tenantCode: 'proj', ...FULL });
  expect(jsonOf(expectStatus(await remove('proj'), 200))).toEqual({ tenantCode: 'proj', ...FULL });
  expect(await preview('proj')).toEqual({ tenantCode: 'proj', ...NONE });
  for (const tenant of neighbours.slice(1))
    expect(await preview(tenant)).toEqual({ tenantCode: tenant, ...FULL });
  expect([...store.objects.keys()].filter((key) => key.startsWith('kb/proj/'))).toEqual([]);
  expect(await rig.changes.changesAfter(position, 10)).toEqual([
    { kind: 'tenant_gone', changeNo: position + 1, tenant: 'proj' },
  ]);
  const audit = itemsOf<{ after: object }>(
    await rig.admin('GET', '/api/core/audit?action=kb.tenant.deleted'),
  );
  expect(audit[0]?.after).toEqual({ tenantCode: 'proj', docs: 3, chunks: 6, clearance: 1, qaLog: 1 });
});

test('refuses without the tenant code said twice', async () => {
  expect(
    (await rig.admin('POST', '/api/core/kb/tenant_deletion', { tenant_code: 'proj-1', confirm: 'proj' }))
      .status,
  ).toBe(400);
  expect((await rig.admin('POST', '/api/core/kb/tenant_deletion', { tenant_code: 'proj-1' })).status).toBe(
    400,
  );
});

test('goes on in the background when the originals fail after the rows, and spares what is registered since', async () => {
  await fill('late');
  store.fault = (method) => (method === 'DELETE' ? 'error' : null);
  expect(jsonOf(expectStatus(await remove('late'), 200))).toEqual({
    tenantCode: 'late',
    ...FULL,
    originals: null,
  });
  const { docId } = await rig.register({ tenant_code: 'late', ...original(BYTES) });
  expectStatus(await rig.upload(docId, BYTES, 'late'), 201);
  store.fault = () => null;
  // The round of another process, as after a restart of this one.
  await rig.peer();
  await until('the originals are gone', () =>
    Promise.resolve([...store.objects.keys()].filter((key) => key.startsWith('kb/late/')).length === 1),
  );
  expect([...store.objects.keys()].some((key) => key.startsWith(`kb/late/${docId}/`))).toBe(true);
  await until(
    'the audit says so',
    async () =>
      itemsOf<object>(await rig.admin('GET', '/api/core/audit?action=kb.tenant.originals_deleted')).length >
      1,
  );
});

test('while an original arrives leaves nothing of it', async () => {
  const { docId } = await rig.register({ tenant_code: 'race', ...original(BYTES) });
  let arrived = (): void => undefined;
  const arriving = new Promise<void>((resolve) => (arrived = resolve));
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  store.beforePut = () => {
    arrived();
    return held;
  };
  const upload = rig.upload(docId, BYTES, 'race');
  await arriving;
  expectStatus(await remove('race'), 200);
  go();
  expect((await upload).status).toBe(404);
  store.beforePut = () => Promise.resolve();
  expect([...store.objects.keys()].filter((key) => key.startsWith('kb/race/'))).toEqual([]);
});
