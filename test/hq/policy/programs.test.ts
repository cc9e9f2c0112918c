// Programs ask the policy library: by the key of a consumer, and by the access token of an open client. Each
// is of one tenant and one account, and its scopes say what it may do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../common/http/access.ts';
import type { SigningKey } from '../../../common/http/signing/signature.ts';
import { type Answer, expectStatus, jsonOf, request, signedCall } from '../../support/request.ts';
import { errorOf, itemsOf, openPolicyRig, type PolicyRig, TENANT } from './rig.ts';

type Ask = (method: string, path: string, body?: object) => Promise<Answer>;
interface Program {
  account: string;
  ask: Ask;
}

let rig: PolicyRig;
beforeAll(async () => {
  rig = await openPolicyRig();
  await rig.effective(['高处作业必须系安全带'], { title: 'open' });
  await rig.effective(['高处作业的秘密规定'], { title: 'closed', security_level: 'confidential' });
  await rig.effective(['高处作业是别人的'], { title: 'foreign', tenant_code: 'bravo' });
});
afterAll(() => rig.close());

let made = 0;
const PROGRAMS: Record<string, (scopes: Scope[], tenant?: string) => Promise<Program>> = {
  'the key of a consumer': async (scopes, tenant = TENANT) => {
    const consumer = `adviser-${(made += 1)}`;
    const path = `/api/core/consumers/${consumer}/keys`;
    const key = jsonOf<SigningKey>(
      expectStatus(await rig.admin('POST', path, { tenant_code: tenant, scopes }), 201),
    );
    return {
      account: `consumer:${consumer}`,
      ask: (method, target, body) =>
        signedCall({
          url: rig.hub.url,
          key,
          method,
          path: target,
          now: rig.clock.now(),
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
    };
  },
  'the access token of a client': async (scopes, tenant = TENANT) => {
    const client = await newClient(scopes, tenant);
    const token = await tokenOf(client, tenant);
    return { account: `client:${client.client_id}`, ask: bearing(token) };
  },
};

interface Client {
  client_id: string;
  client_secret: string;
  scopes: string[];
}
const newClient = async (scopes: Scope[], tenant: string): Promise<Client> =>
  jsonOf<Client>(
    expectStatus(
      await rig.admin('POST', '/api/integration/clients', { tenant_code: tenant, name: 'adviser', scopes }),
      201,
    ),
  );
async function tokenOf({ client_id: id, client_secret: secret }: Client, tenant: string): Promise<string> {
  const answer = await request({
    url: rig.hub.url,
    method: 'POST',
    path: '/open/v1/oauth/token',
    headers: { 'content-type': 'application/json', 'x-tenant-code': tenant },
    body: JSON.stringify({ client_id: id, client_secret: secret }),
  });
  return jsonOf<{ data: { access_token: string } }>(expectStatus(answer, 200)).data.access_token;
}
const bearing =
  (token: string): Ask =>
  (method, path, body) =>
    request({
      url: rig.hub.url,
      method,
      path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

const SEARCH = '/api/core/kb/search';
const found = async ({ ask }: Program, more = {}): Promise<string[]> =>
  jsonOf<{ items: { text: string }[] }>(
    expectStatus(await ask('POST', SEARCH, { query: '高处作业', ...more }), 200),
  ).items.map(({ text }) => text);

describe.each(Object.keys(PROGRAMS))('%s', (kind) => {
  const start = (scopes: Scope[], tenant?: string): Promise<Program> =>
    (PROGRAMS[kind] as (typeof PROGRAMS)[string])(scopes, tenant);

  test('finds what its account may see of its tenant, without naming either', async () => {
    const program = await start(['policy.search']);
    expect(await found(program)).toEqual(['高处作业必须系安全带']);
    expect(await found(program, { tenant_code: TENANT, subject: program.account })).toHaveLength(1);
    const grant = { tenant_code: TENANT, subject: program.account, level: 'confidential' };
    expectStatus(await rig.admin('POST', '/api/core/kb/clearance', grant), 200);
    expect(await found(program)).toHaveLength(2);
    expect(await found(await start(['policy.search'], 'bravo'))).toEqual(['高处作业是别人的']);
  });

  test('asks for no other tenant, and as nobody else', async () => {
    const { ask } = await start(['policy.search', 'policy.cite', 'policy.log']);
    for (const [path, body] of [
      [SEARCH, { query: 'x' }],
      ['/api/core/kb/chunks/verify', { chunk_ids: [1] }],
      ['/api/core/kb/qa_log', { question: 'q', answer: 'a' }],
    ] as const) {
      expect((await ask('POST', path, { ...body, tenant_code: 'bravo' })).status).toBe(403);
      expect(errorOf(await ask('POST', path, { ...body, subject: 'li' }))).toEqual([403, 'subject_mismatch']);
    }
  });

  test('checks citations, and logs what it answered under its own name', async () => {
    const program = await start(['policy.search', 'policy.cite', 'policy.log']);
    const { items } = jsonOf<{ items: { chunkId: number }[] }>(
      await program.ask('POST', SEARCH, { query: '安全带' }),
    );
    const chunk = items[0]?.chunkId ?? 0;
    const checked = await program.ask('POST', '/api/core/kb/chunks/verify', { chunk_ids: [chunk, 999_999] });
    expect(itemsOf<object>(checked)).toMatchObject([
      { citable: true, reason: '' },
      { citable: false, reason: 'not_found' },
    ]);
    const answer = { question: 'belt?', answer: 'yes', citations: [{ chunk_id: chunk }] };
    expectStatus(await program.ask('POST', '/api/core/kb/qa_log', answer), 201);
    const logged = itemsOf<{ asker: string }>(
      await rig.admin('GET', `/api/core/kb/qa_log?tenant_code=${TENANT}&all_levels=1`),
    );
    expect(logged[0]?.asker).toBe(program.account);
  });

  test('opens nothing that its scopes do not name', async () => {
    const { ask } = await start(['policy.cite']);
    expect((await ask('POST', SEARCH, { query: 'x' })).status).toBe(403);
    expect((await ask('GET', '/api/core/events/list')).status).toBe(403);
    expect((await ask('GET', `/api/core/kb/docs?tenant_code=${TENANT}`)).status).not.toBe(200);
    expect((await ask('GET', '/api/core/audit')).status).not.toBe(200);
  });
});

test('a key that asks the library is of one tenant', async () => {
  const answer = await rig.admin('POST', '/api/core/consumers/roams/keys', { scopes: ['policy.search'] });
  expect(errorOf(answer)).toEqual([400, 'validation_failed']);
  expect(answer.text).toContain('a key that asks the policy library is of one tenant');
});

test('what a token opens follows its client: other scopes, disabled, enabled', async () => {
  const client = await newClient(['policy.search'], TENANT);
  const ask = bearing(await tokenOf(client, TENANT));
  const change = async (body: object): Promise<void> =>
    void expectStatus(await rig.admin('PATCH', `/api/integration/clients/${client.client_id}`, body), 200);
  const search = (): Promise<Answer> => ask('POST', SEARCH, { query: '高处作业' });
  expectStatus(await search(), 200);
  await change({ scopes: ['events.read'] });
  expect((await search()).status).toBe(403);
  expectStatus(await ask('GET', '/api/core/events/list'), 200);
  await change({ scopes: [] });
  expect((await ask('GET', '/api/core/events/list')).status).toBe(403);
  await change({ scopes: ['policy.search'] });
  expectStatus(await search(), 200);
  await change({ status: 'disabled' });
  expect(errorOf(await search())).toEqual([401, 'unauthorized']);
  await change({ status: 'enabled' });
  expect((await search()).status).toBe(401);
  expect((await bearing('flt_made-up')('POST', SEARCH, { query: 'x' })).status).toBe(401);
});

test('who may manage clients and no consumers gives no scopes', async () => {
  await rig.addUser('owner', {
    role: 'customer',
    tenant_code: TENANT,
    permissions: ['integration.view', 'integration.manage'],
  });
  const owner = await rig.browser('owner');
  const body = { tenant_code: TENANT, name: 'mine' };
  const created = await owner.call('POST', '/api/integration/clients', { body });
  const { client_id: id } = jsonOf<Client>(expectStatus(created, 201));
  const scopes = ['tasks.write'];
  const more = await owner.call('POST', '/api/integration/clients', { body: { ...body, scopes } });
  const changed = await owner.call('PATCH', `/api/integration/clients/${id}`, { body: { scopes } });
  expect([more.status, changed.status]).toEqual([403, 403]);
  expect(itemsOf<Client>(await owner.call('GET', '/api/integration/clients'))).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ client_id: id, scopes: [] })]),
  );
});
