// The business system of the page on integration, as it stands there, on the module that a build makes; a hub
// pulls from it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../common/clock.ts';
import { openSessionRig, type SessionRig } from '../hq/session-rig.ts';
import { clientOf, createHubDatabase } from '../support/postgres.ts';
import { freePort } from '../support/process.ts';
import { expectStatus, jsonOf, request, until } from '../support/request.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(path.join(ROOT, 'hq/integration/README.md'), 'utf8');
const PORT = 8070;

interface Source {
  id: string;
  lastError: string | null;
  datasets: { completedAt: string | null }[];
}

let rig: SessionRig;
let url: string;
const closing: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-business-'));
  closing.push(() => rmSync(dir, { recursive: true, force: true }));
  execFileSync(process.execPath, [path.join(ROOT, 'packaging/build.mjs'), 'dataset'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  mkdirSync(path.join(dir, 'dist/dataset'), { recursive: true });
  copyFileSync(path.join(ROOT, 'dist/dataset/serve.mjs'), path.join(dir, 'dist/dataset/serve.mjs'));
  const program = /```js business system\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';
  const port = await freePort();
  writeFileSync(path.join(dir, 'business-system.mjs'), program.replace(String(PORT), String(port)));
  // As on Node before 20.12, which has no crypto.hash.
  const system = spawn(
    process.execPath,
    [
      '--import',
      "data:text/javascript,import crypto from 'node:crypto'; delete crypto.hash;",
      'business-system.mjs',
    ],
    { cwd: dir, env: { ERP_SECRET: 'a-secret-of-ours' }, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  closing.push(async () => {
    system.kill('SIGKILL');
    if (system.exitCode === null && system.signalCode === null) await once(system, 'exit');
  });
  url = `http://127.0.0.1:${port}`;
  await until(
    'the business system answers',
    async () => (await request({ url, method: 'GET', path: '/' }).catch(() => null))?.status === 404,
  );
  rig = await openSessionRig({ CORE_DATASET_NETWORKS: '127.0.0.0/8' }, { clock: systemClock });
  closing.push(() => rig.close());
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

test('is pulled, and its projects can be read', async () => {
  const secret = JSON.parse(/hub PUT \/api\/core\/secrets\/erp '(\{.*\})'/.exec(PAGE)?.[1] ?? '') as object;
  expectStatus(await rig.admin('PUT', '/api/core/secrets/erp', { ...secret, host: new URL(url).host }), 201);
  const body = JSON.parse(/hub POST \/api\/dataset\/sources '(\{.*\})'/.exec(PAGE)?.[1] ?? '') as object;
  const { id } = jsonOf<Source>(
    expectStatus(await rig.admin('POST', '/api/dataset/sources', { ...body, base_url: url }), 201),
  );
  const source = await until('it has landed', async () => {
    const found = jsonOf<Source>(expectStatus(await rig.admin('GET', `/api/dataset/sources/${id}`), 200));
    return found.lastError !== null || found.datasets.every(({ completedAt }) => completedAt !== null)
      ? found
      : null;
  });
  expect(source.lastError).toBeNull();
  const { rows } = await rig.hub.store.pool.query('select code, name, status, health_score from projects');
  expect(rows).toEqual([{ code: 'LINE-9', name: 'Line 9', status: 2, health_score: 88 }]);
});

test('refuses what is not signed, and what is no GET', async () => {
  const call = async (method: string) =>
    (await request({ url, method, path: '/api/subscribe/v1/datasets' })).status;
  expect([await call('GET'), await call('POST')]).toEqual([401, 405]);
});

test('gives the rows of a database by the query of the page', async () => {
  const [, program = ''] = /```js business system on postgres\n([\s\S]*?)```/.exec(PAGE) ?? [];
  const query = /`(\n {2}select[^`]*)`/.exec(program)?.[1] ?? '';
  const format = /const UTC = `([^`]*)`/.exec(program)?.[1] ?? '';
  const client = clientOf((await createHubDatabase()).url);
  await client.connect();
  closing.push(() => client.end());
  await client.query(`create temporary table projects (id bigint, tenant text, changed timestamptz, gone boolean,
    code text, name text, status integer, health_score numeric);
    insert into projects select n, 'acme', '2026-03-01 08:00:00.000001Z', false, 'P-' || n, 'x', 2, 88
      from generate_series(1, 3) n`);
  const rows = async (after: { updatedAt: string; pk: string } | null) =>
    (
      await client.query<{ pk: string; updated_at: string }>(query.replace('${UTC}', format), [
        'acme',
        after?.updatedAt,
        after?.pk,
        '2026-03-02T00:00:00.000000Z',
        2,
      ])
    ).rows.map(({ pk, updated_at: updatedAt }) => ({ updatedAt, pk }));
  const first = await rows(null);
  expect(first).toEqual(['1', '2'].map((pk) => ({ updatedAt: '2026-03-01T08:00:00.000001Z', pk })));
  expect(await rows(first[1] ?? null)).toMatchObject([{ pk: '3' }]);
});
