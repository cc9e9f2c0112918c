// `Idempotency-Key`: what is sent again is carried out once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, expectStatus, jsonOf, request } from '../support/request.ts';
import { openSessionRig, type SessionRig } from './session-rig.ts';

let rig: SessionRig;
beforeAll(async () => {
  rig = await openSessionRig();
});
afterAll(() => rig.close());

const TASK = { tenant_code: 'acme', type: 'disposal', title: 'look', severity: 'low' };

const post = (path: string, body: object, key: string, more: Record<string, string> = {}): Promise<Answer> =>
  request({
    url: rig.hub.url,
    method: 'POST',
    path,
    body: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      'x-admin-key': rig.adminKey,
      'idempotency-key': key,
      ...more,
    },
  });
const tasks = async (): Promise<number> =>
  jsonOf<{ items: object[] }>(await rig.admin('GET', '/api/core/objects/tasks?tenant_code=acme')).items
    .length;
const errorOf = (answer: Answer) => [
  answer.status,
  jsonOf<{ error: string; retryable?: boolean }>(answer).error,
];

test('the same request under the same key is carried out once, and answered alike', async () => {
  const before = await tasks();
  const first = expectStatus(await post('/api/core/objects/tasks', TASK, 'k-1'), 201);
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  const again = expectStatus(await post('/api/core/objects/tasks', TASK, '"k-1"'), 201);
  expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  expect(await tasks()).toBe(before + 1);
  const other = await post('/api/core/objects/tasks', { ...TASK, title: 'other' }, 'k-1');
  expect(errorOf(other)).toEqual([422, 'idempotency_key_reused']);
  expect(errorOf(await post('/api/core/incidents/upsert', TASK, 'k-1'))).toEqual([
    422,
    'idempotency_key_reused',
  ]);
  expectStatus(await post('/api/core/objects/tasks', TASK, 'k-2'), 201);
  expect(await tasks()).toBe(before + 2);
});

test('of twenty at once one is carried out', async () => {
  const before = await tasks();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => post('/api/core/objects/tasks', TASK, 'at-once')),
  );
  expect(await tasks()).toBe(before + 1);
  const bodies = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
  expect(bodies.size).toBe(1);
  for (const answer of answers.filter(({ status }) => status !== 201))
    expect(jsonOf(answer)).toMatchObject({ error: 'request_under_way', retryable: true });
});

test('what is wrong with a request leaves its key free', async () => {
  expectStatus(await post('/api/core/objects/tasks', { ...TASK, severity: 'grave' }, 'mended'), 400);
  expectStatus(await post('/api/core/objects/tasks', TASK, 'mended'), 201);
  expectStatus(await post('/api/core/objects/tasks', TASK, 'mended', { 'x-admin-key': 'wrong' }), 401);
  for (const key of ['', 'with blank', 'ü', 'x'.repeat(256)])
    expectStatus(await post('/api/core/objects/tasks', TASK, key), 400);
});

test('keys of one caller are not those of another', async () => {
  const second = jsonOf<{ secret: string }>(
    expectStatus(await rig.admin('POST', '/api/core/admin_keys', { name: 'second' }), 201),
  ).secret;
  const first = expectStatus(await post('/api/core/objects/tasks', TASK, 'shared'), 201);
  const other = await post('/api/core/objects/tasks', TASK, 'shared', { 'x-admin-key': second });
  expect(expectStatus(other, 201).text).not.toBe(first.text);
});

test('a secret is shown once and kept nowhere', async () => {
  const client = { tenant_code: 'acme', name: 'erp' };
  const made = expectStatus(await post('/api/integration/clients', client, 'c-1'), 201);
  const { client_secret: secret } = jsonOf<{ client_secret: string }>(made);
  expect(errorOf(await post('/api/integration/clients', client, 'c-1'))).toEqual([409, 'answer_not_kept']);
  const { rows } = await rig.hub.store.pool.query('select * from retried_requests');
  expect(JSON.stringify(rows)).not.toContain(secret);
  const listed = await rig.admin('GET', '/api/integration/clients?tenant_code=acme');
  expect(jsonOf<{ items: object[] }>(listed).items).toHaveLength(1);
});

test('one whose process was lost is answered that nobody knows, and after a day the key is free', async () => {
  expectStatus(await post('/api/core/objects/tasks', TASK, 'lost'), 201);
  await rig.hub.store.pool.query(`update retried_requests set status = null, body = null where key = 'lost'`);
  expect(errorOf(await post('/api/core/objects/tasks', TASK, 'lost'))).toEqual([409, 'request_under_way']);
  rig.clock.advance(120_000);
  expect(errorOf(await post('/api/core/objects/tasks', TASK, 'lost'))).toEqual([
    409,
    'retry_outcome_unknown',
  ]);
  rig.clock.advance(24 * 3_600_000);
  expectStatus(await post('/api/core/objects/tasks', TASK, 'lost'), 201);
});

test('a caller has so many keys and no more', async () => {
  await rig.hub.store.pool.query(
    `insert into retried_requests (caller, key, fingerprint, at) select 'admin:admin', 'n' || n, '', $1
     from generate_series(1, 10000) n`,
    [rig.clock.now()],
  );
  const refused = await post('/api/core/objects/tasks', TASK, 'one-more');
  expect([...errorOf(refused), refused.headers['retry-after']]).toEqual([429, 'too_many_retry_keys', '3600']);
});
