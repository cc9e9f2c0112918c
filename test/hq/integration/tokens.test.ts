// Open clients, their tokens and the snapshot, over HTTP (spec 1, "Authentication", "Errors").
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { LastUse } from '../../../hq/integration/client/last-use.ts';
import { IntegrationUpkeep } from '../../../hq/integration/upkeep.ts';
import { type Answer, expectStatus, jsonOf, request } from '../../support/request.ts';
import { type Client, type IntegrationRig, openIntegrationRig } from './rig.ts';

let rig: IntegrationRig;
beforeAll(async () => {
  rig = await openIntegrationRig();
  for (const [tenant, name] of [
    ['acme', 'Tunnel'],
    ['bravo', 'Bridge'],
  ]) {
    await rig.hub.store.pool.query(
      `insert into projects (tenant_code, project_id, code, name, status, health_score, plan_progress,
        actual_progress, milestones_total, milestones_at_risk, open_ncr)
       values ($1, 7, 'P-1', $2, 2, null, 40.25, null, 5, 2, 3)`,
      [tenant, name],
    );
  }
});
afterAll(() => rig.close());

const tokenOf = (answer: Answer): string =>
  jsonOf<{ data: { access_token: string } }>(expectStatus(answer, 200)).data.access_token;
const snapshot = (token: string, { project = 'P-1', url = rig.hub.url } = {}): Promise<Answer> =>
  request({
    url,
    method: 'GET',
    path: `/open/v1/project/${project}/snapshot`,
    headers: { authorization: `Bearer ${token}` },
  });
const post = (headers: Record<string, string>, body?: string): Promise<Answer> =>
  request({
    url: rig.hub.url,
    method: 'POST',
    path: '/open/v1/oauth/token',
    headers: { 'x-forwarded-for': '192.0.2.77', ...headers },
    ...(body === undefined ? {} : { body }),
  });
const change = (client: Client, body: object) =>
  rig.admin('PATCH', `/api/integration/clients/${client.client_id}`, body);
const failure = (status: number, code: number, message: string) => ({
  status,
  body: expect.objectContaining({ code, message, data: null }) as unknown,
});
const seen = (answer: Answer) => ({ status: answer.status, body: jsonOf<object>(answer) });

describe('a token', () => {
  test('is given for JSON, a form and HTTP Basic alike, and is for 7200 s', async () => {
    const client = await rig.client();
    const basic = {
      'x-tenant-code': 'acme',
      authorization: `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`,
    };
    // RFC 6749 §2.3.1 has both parts form-encoded before they are joined.
    const percent = (text: string): string =>
      [...text].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('');
    const encoded = {
      ...basic,
      authorization:
        'Basic ' +
        `${Buffer.from(`${percent(client.client_id)}:${percent(client.client_secret)}`).toString('base64')}`,
    };
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.client_id,
      client_secret: client.client_secret,
      scope: 'all',
    });
    const answers = [
      await rig.token(client),
      await post(basic),
      await post(encoded),
      await post(
        { ...basic, 'content-type': 'application/x-www-form-urlencoded' },
        'grant_type=client_credentials',
      ),
      await post(
        { 'x-tenant-code': 'acme', 'content-type': 'application/x-www-form-urlencoded' },
        form.toString(),
      ),
    ];
    for (const answer of answers) {
      const token = {
        access_token: expect.stringMatching(/^flt_[\w-]{43}$/) as string,
        token_type: 'Bearer',
        expires_in: 7200,
      };
      expect(jsonOf(expectStatus(answer, 200))).toEqual({ code: 0, message: 'ok', data: token, ...token });
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    expect([client.client_id, client.client_secret]).toEqual([
      expect.stringMatching(/^flc_/),
      expect.stringMatching(/^fls_[\w-]{43}$/),
    ]);
    const { rows } = await rig.hub.store.pool.query<{ all: string }>(
      'select (select json_agg(c) from open_clients c)::text || (select json_agg(t) from open_tokens ' +
        't)::text as all',
    );
    expect(rows[0]?.all).not.toMatch(/flt_|fls_/);
  });

  test('is found by OAuth clients, which set no header where the address has the tenant', async () => {
    const read = async (path: string, headers: Record<string, string> = {}) =>
      request({ url: rig.hub.url, method: 'GET', path: `/.well-known/${path}`, headers });
    const answer = await read('oauth-authorization-server/acme');
    const origin = rig.hub.url.replace(/\/$/, '');
    expect(jsonOf(expectStatus(answer, 200))).toEqual({
      issuer: `${origin}/acme`,
      token_endpoint: `${origin}/open/v1/oauth/token?tenant_code=acme`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      service_documentation: `${origin}/docs`,
    });
    expect(jsonOf(await read('oauth-authorization-server'))).toMatchObject({
      issuer: origin,
      token_endpoint: `${origin}/open/v1/oauth/token`,
    });
    const client = await rig.client();
    const { token_endpoint: endpoint } = jsonOf<{ token_endpoint: string }>(answer);
    const { pathname, search } = new URL(endpoint);
    const asked = (headers: Record<string, string>, path = pathname + search) =>
      request({
        url: rig.hub.url,
        method: 'POST',
        path,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ grant_type: 'client_credentials', ...client }).toString(),
      });
    expect(jsonOf(expectStatus(await snapshot(tokenOf(await asked({}))), 200))).toMatchObject({ code: 0 });
    expectStatus(await asked({ 'x-tenant-code': 'acme' }), 200);
    expect(seen(await asked({ 'x-tenant-code': 'bravo' }))).toMatchObject({
      status: 400,
      body: { code: 40000, error_description: expect.stringContaining('X-Tenant-Code') as string },
    });
    expect(seen(await asked({}, `${pathname}?tenant_code=bravo`))).toMatchObject({ status: 401 });
  });

  test('is refused by the table of errors', async () => {
    const client = await rig.client();
    const body = (more: object) => JSON.stringify({ ...client, ...more });
    const json = { 'x-tenant-code': 'acme', 'content-type': 'application/json' };
    const tenantless = await post({ 'content-type': 'application/json' }, body({}));
    expect(seen(tenantless)).toEqual(failure(400, 40001, 'the header X-Tenant-Code is missing'));
    expect(seen(await post(json, body({ grant_type: 'password' })))).toEqual(
      failure(400, 40002, 'grant_type must be client_credentials'),
    );
    const invalid = failure(401, 40101, 'invalid client credentials');
    expect(seen(await post(json, body({ client_secret: 'fls_wrong' })))).toEqual(invalid);
    expect(seen(await post(json, body({ client_id: 'flc_nobody' })))).toEqual(invalid);
    expect(seen(await post({ ...json, 'x-tenant-code': 'bravo' }, body({})))).toEqual(invalid);
    expect(seen(await post(json, '{}'))).toMatchObject({
      status: 400,
      body: { code: 40000, details: [{ path: 'client_id' }, { path: 'client_secret' }] },
    });
    expectStatus(await change(client, { status: 'disabled' }), 200);
    expect(seen(await post(json, body({})))).toEqual(failure(403, 40301, 'client disabled'));
    expect(seen(await post(json, body({ client_secret: 'fls_wrong' })))).toEqual(invalid);
  });

  test('shows a project of its own tenant only', async () => {
    const [acme, bravo] = [
      tokenOf(await rig.token(await rig.client())),
      tokenOf(await rig.token(await rig.client('bravo'), { tenant: 'bravo' })),
    ];
    expect(jsonOf(expectStatus(await snapshot(acme), 200))).toEqual({
      code: 0,
      message: 'ok',
      data: {
        project_code: 'P-1',
        project_name: 'Tunnel',
        status: 2,
        health_score: null,
        plan_progress: 40.25,
        actual_progress: null,
        milestones_total: 5,
        milestones_at_risk: 2,
        open_ncr: 3,
        generated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+08:00$/) as string,
      },
    });
    expect(jsonOf(await snapshot(bravo))).toMatchObject({ data: { project_name: 'Bridge' } });
    expect(seen(await snapshot(acme, { project: 'P-2' }))).toEqual(
      failure(404, 40401, 'project does not exist'),
    );
    expect(seen(await snapshot('flt_nobody'))).toEqual(failure(401, 40102, 'invalid or expired token'));
    expect(
      seen(await request({ url: rig.hub.url, method: 'GET', path: '/open/v1/project/P-1/snapshot' })),
    ).toEqual(failure(401, 40102, 'invalid or expired token'));
  });

  test('ends after 7200 s, and is swept', async () => {
    const token = tokenOf(await rig.token(await rig.client()));
    rig.clock.advance(7_199_999);
    expectStatus(await snapshot(token), 200);
    rig.clock.advance(1);
    expect(seen(await snapshot(token))).toEqual(failure(401, 40102, 'invalid or expired token'));
    const { tokens } = rig.hub.store.integration;
    expect(await tokens.sweep(rig.clock.now(), 1_000)).toBeGreaterThan(0);
    const { rows } = await rig.hub.store.pool.query('select 1 from open_tokens where expires_at <= $1', [
      rig.clock.now(),
    ]);
    expect(rows).toEqual([]);
  });

  test('ends at once in every process when its client is disabled, and does not come back', async () => {
    const peer = await rig.peer();
    const client = await rig.client();
    const token = tokenOf(await rig.token(client));
    expectStatus(await snapshot(token, { url: peer.url }), 200);
    expectStatus(await change(client, { status: 'disabled' }), 200);
    for (const url of [rig.hub.url, peer.url]) expect((await snapshot(token, { url })).status).toBe(401);
    expectStatus(await rig.token(client, { url: peer.url }), 403);
    expectStatus(await change(client, { status: 'enabled' }), 200);
    expect((await snapshot(token, { url: peer.url })).status).toBe(401);
    const again = tokenOf(await rig.token(client, { url: peer.url }));
    expectStatus(await rig.admin('DELETE', `/api/integration/clients/${client.client_id}`), 200);
    expect((await snapshot(again)).status).toBe(401);
    expectStatus(await rig.token(client), 401);
  });
});

test('two secrets live during a rotation', async () => {
  const client = await rig.client();
  const rotate = async (hours: number) =>
    jsonOf<Client & { previousSecretUntil: string | null }>(
      expectStatus(
        await rig.admin('POST', `/api/integration/clients/${client.client_id}/rotate`, {
          overlap_hours: hours,
        }),
        200,
      ),
    );
  const second = await rotate(1);
  expect(second.previousSecretUntil).not.toBeNull();
  for (const known of [client, second]) expectStatus(await rig.token(known), 200);
  rig.clock.advance(3_600_000);
  expectStatus(await rig.token(client), 401);
  expectStatus(await rig.token(second), 200);
  const third = await rotate(0);
  expectStatus(await rig.token(second), 401);
  expectStatus(await rig.token(third), 200);
});

test('failures hold up the address that made them, not the owner', async () => {
  const client = await rig.client();
  const stranger = { ip: '198.51.100.9', secret: 'fls_guess' };
  const guesses = await Promise.all(Array.from({ length: 30 }, () => rig.token(client, stranger)));
  expect(guesses.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(10);
  const held = await rig.token(client, { ip: stranger.ip });
  expect([held.status, Number(held.headers['retry-after']) > 0, jsonOf<{ code: number }>(held).code]).toEqual(
    [429, true, 42901],
  );
  expectStatus(await rig.token(client, { ip: '198.51.100.10' }), 200);
  expectStatus(await rig.token(await rig.client(), { ip: stranger.ip }), 200);
  rig.clock.advance(15 * 60_000);
  expectStatus(await rig.token(client, { ip: stranger.ip }), 200);
});

test('who was held up may try again once an operator says so, or the secret is a new one', async () => {
  const client = await rig.client();
  const path = `/api/integration/clients/${client.client_id}`;
  const from = { ip: '198.51.100.77' };
  const lift = {
    rotate: async () => jsonOf<Client>(expectStatus(await rig.admin('POST', `${path}/rotate`), 200)),
    enable: async () => {
      expectStatus(await rig.admin('PATCH', path, { status: 'enabled' }), 200);
      return client;
    },
  };
  for (const how of [lift.enable, lift.rotate]) {
    for (let tries = 0; tries < 10; tries += 1)
      expectStatus(await rig.token(client, { ...from, secret: 'fls_guess' }), 401);
    expectStatus(await rig.token(client, from), 429);
    expectStatus(await rig.token(await how(), from), 200);
  }
});

test('says how many wrong requests are borne still, and for how long', async () => {
  const client = await rig.client();
  const from = { ip: '198.51.100.31' };
  const shown = ({ headers }: Answer) => [headers['ratelimit-policy'], headers.ratelimit];
  const policy = '"client";q=10;w=900, "address";q=200;w=900';
  expect(shown(expectStatus(await rig.token(client, from), 200))).toEqual([
    policy,
    '"client";r=10;t=900, "address";r=200;t=900',
  ]);
  const wrong = await rig.token(client, { ...from, secret: 'fls_guess' });
  expect(shown(expectStatus(wrong, 401))).toEqual([policy, '"client";r=9;t=900, "address";r=199;t=900']);
  rig.clock.advance(60_000);
  for (let tries = 0; tries < 9; tries += 1) await rig.token(client, { ...from, secret: 'fls_guess' });
  const held = expectStatus(await rig.token(client, from), 429);
  expect(shown(held)).toEqual([policy, '"client";r=0;t=840, "address";r=190;t=840']);
  expect(held.headers['retry-after']).toBe('840');
});

test('nobody holds up the right secrets of others from one address, as behind a proxy that is not named', async () => {
  const [mine, theirs] = [await rig.client(), await rig.client('other')];
  const from = { ip: '198.51.100.50' };
  const guess = (n: number) => rig.token({ client_id: `flc_${n}`, client_secret: 'x' }, from);
  const guesses = await Promise.all(Array.from({ length: 230 }, (_, n) => guess(n)));
  expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  expectStatus(await guess(0), 429);
  expectStatus(await rig.token(mine, from), 200);
  expectStatus(await rig.token(theirs, { ...from, tenant: 'other' }), 200);
  expect(await alarms()).toContainEqual(
    expect.objectContaining({ key: 'tokens.address_held:198.51.100.50', tenantCode: null }),
  );
  rig.clock.advance(15 * 60_000);
  expect(await alarms()).toEqual([]);
});

test('behind a proxy that nobody has named a right secret is taken, whoever guesses', async () => {
  const open = await openIntegrationRig({ CORE_TRUSTED_PROXIES: '' });
  try {
    const client = await open.client();
    for (let tries = 0; tries < 12; tries += 1) await open.token(client, { secret: 'fls_guess' });
    expectStatus(await open.token(client, { secret: 'fls_guess' }), 429);
    expectStatus(await open.token(client, { ip: '198.51.100.60' }), 200);
  } finally {
    await open.close();
  }
});

test('who is held up, and when a client was last used, is told to whoever looks after the integration', async () => {
  const client = await rig.client('watched');
  const path = '/api/integration/clients?tenant_code=watched';
  const listed = async () =>
    jsonOf<{ items: object[] }>(expectStatus(await rig.admin('GET', path), 200)).items[0];
  expect(await listed()).toMatchObject({ lastUsedAt: null, heldUp: [] });
  expectStatus(await rig.token(client, { tenant: 'watched' }), 200);
  const used = new Date(rig.clock.now()).toISOString();
  expect(await listed()).toMatchObject({ lastUsedAt: used });
  const from = { tenant: 'watched', ip: '198.51.100.70' };
  for (let tries = 0; tries < 10; tries += 1) await rig.token(client, { ...from, secret: 'fls_guess' });
  const until = new Date(rig.clock.now() + 15 * 60_000).toISOString();
  expect(await listed()).toMatchObject({ heldUp: [{ ip: from.ip, until }] });
  await rig.addUser('keeper', { role: 'operator', permissions: ['integration.view'] });
  const keeper = await rig.browser('keeper');
  expect((await keeper.call('GET', '/api/core/alarms')).status).toBe(403);
  const [alarm, ...more] = await alarms((p) => keeper.call('GET', p));
  expect(more, 'one for both hubs').toEqual([]);
  expect(alarm).toMatchObject({
    instance: 'hq',
    key: `tokens.client_held:${client.client_id}`,
    tenantCode: 'watched',
    messageZh: expect.stringContaining(from.ip) as string,
  });
  expectStatus(
    await rig.admin('PATCH', `/api/integration/clients/${client.client_id}`, { status: 'enabled' }),
    200,
  );
  expect([await alarms(), await listed()]).toMatchObject([[], { heldUp: [], lastUsedAt: used }]);
});

/** As they stand after the next round of upkeep of two hubs. */
async function alarms(
  get: (path: string) => Promise<Answer> = (path) => rig.admin('GET', path),
): Promise<{ key: string }[]> {
  const { integration, alarms: port } = rig.hub.store;
  const { queue, tokens, clients } = integration;
  const use = new LastUse(clients);
  const parts = { queue, tokens, use, alarms: port, clock: rig.clock, log: silentLogger() };
  for (const instance of ['hq', 'hq-2'])
    await new IntegrationUpkeep({ ...parts, instance, keepDays: 30 }).round();
  const answer = expectStatus(await get('/api/integration/alarms'), 200);
  return jsonOf<{ items: { key: string }[] }>(answer).items;
}

test('every change is in the audit, and no secret is', async () => {
  const client = await rig.client('audited');
  await change(client, { name: 'another', status: 'disabled' });
  await rig.admin('POST', `/api/integration/clients/${client.client_id}/rotate`);
  await rig.admin('DELETE', `/api/integration/clients/${client.client_id}`);
  const answer = await rig.admin('GET', `/api/core/audit?subject=client:${client.client_id}`);
  expect(
    jsonOf<{ items: { action: string }[] }>(answer)
      .items.map(({ action }) => action)
      .sort(),
  ).toEqual(['client.changed', 'client.created', 'client.removed', 'client.rotated']);
  expect(answer.text).not.toMatch(/fls_|sha256/i);
});

test('the list of one tenant has the clients of that tenant only', async () => {
  await rig.client('listed');
  const { items } = jsonOf<{ items: { tenantCode: string }[] }>(
    expectStatus(await rig.admin('GET', '/api/integration/clients?tenant_code=listed'), 200),
  );
  expect(items).toMatchObject([{ tenantCode: 'listed' }]);
});

test.each([
  ['/api/core/events/list', 401, { error: 'unauthorized', message: expect.any(String) as string }],
  ['/api/nothing', 404, { error: 'not_found' }],
  ['/open/v1/project/P-1/snapshot', 401, { code: 40102, data: null, error: 'invalid_token' }],
])(
  'an error is told as a problem to who asks for that, and else in its own form: %s',
  async (path, status, own) => {
    const read = (accept: string) => request({ url: rig.hub.url, method: 'GET', path, headers: { accept } });
    for (const accept of ['application/problem+json', 'application/json, Application/Problem+JSON;q=0.9']) {
      const answer = await read(accept);
      expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
      const body = jsonOf<{ detail: string; message: string }>(expectStatus(answer, status));
      expect(body).toMatchObject({ type: 'about:blank', status, ...own });
      expect(body.detail).toBe(body.message);
    }
    for (const accept of [
      '*/*',
      'application/json',
      'application/problem+json;q=0',
      'application/problem+jsonx',
    ]) {
      const answer = await read(accept);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(jsonOf(expectStatus(answer, status))).not.toHaveProperty('title');
    }
  },
);
