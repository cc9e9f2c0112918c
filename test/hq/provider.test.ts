// Sign-in by a real OpenID Connect provider over HTTP: who gets in with what, and what goes wrong.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ProviderClient } from '../../hq/auth/provider/client.ts';
import type { ProviderConfig } from '../../hq/auth/provider/record.ts';
import { readHubConfig } from '../../hq/config.ts';
import { createHttpClient } from '../../hq/http-client.ts';
import { Browser } from '../support/browser.ts';
import { HOUR } from '../support/clock.ts';
import {
  type IdentityProvider,
  startIdentityProvider,
  throughProvider,
} from '../support/identity-provider.ts';
import { type Answer, expectStatus, jsonOf } from '../support/request.ts';
import { login, openSessionRig, type SessionRig } from './session-rig.ts';

const PUBLIC = 'https://hq.example.test';
const PATH = '/api/core/session/provider';
const errorOf = (answer: Answer): [number, string] => [
  answer.status,
  jsonOf<{ error: string }>(answer).error,
];
const who = async (browser: Browser): Promise<number> =>
  (await browser.call('GET', '/api/core/session')).status;

let provider: IdentityProvider;
let rig: SessionRig;
beforeAll(async () => {
  provider = await startIdentityProvider(PUBLIC);
  rig = await openSessionRig(provider.env);
});
afterAll(async () => {
  await rig.close();
  await provider.close();
});
beforeEach(() => {
  provider.wrongKeys = false;
  // The tries of the tests before are forgotten.
  rig.clock.advance(2 * HOUR);
});

/** Of a hub that goes by the provider. */
function configOf(env: Record<string, string>): ProviderConfig {
  const read = readHubConfig({ DATABASE_URL: 'postgresql://h/d', ...provider.env, ...env });
  if (read.signIn.provider === null) throw new Error('there is no provider');
  return read.signIn.provider;
}

const begin = async (browser: Browser): Promise<string> =>
  jsonOf<{ goTo: string }>(expectStatus(await browser.call('POST', `${PATH}/start`), 200)).goTo;
const finish = (browser: Browser, query: string): Promise<Answer> =>
  browser.call('POST', `${PATH}/finish`, { body: { query } });

const through = (goTo: string): Promise<string> => throughProvider(goTo, PUBLIC);

/** Signs a person in whom the provider says this of. */
async function signIn(
  person: string | null,
  groups: string[] = [],
  name = person,
): Promise<{
  browser: Browser;
  answer: Answer;
}> {
  provider.person = person;
  if (person !== null) provider.claims[person] = { preferred_username: name, groups };
  const browser = new Browser(rig.hub.url);
  const answer = await finish(browser, await through(await begin(browser)));
  return { browser, answer };
}

test('the login page is told the ways, and the configuration what belongs together', async () => {
  expect(jsonOf(await new Browser(rig.hub.url).call('GET', '/api/core/session/ways'))).toEqual({
    password: 'all',
    provider: 'Company ID',
    passkeys: 'https://hq.example.test',
  });
  const read = (env: Record<string, string>) => () =>
    readHubConfig({ DATABASE_URL: 'postgresql://h/d', ...provider.env, ...env });
  expect(read({})().signIn.provider?.mapping.roles).toEqual({ desk: 'operator', partners: 'customer' });
  for (const [name, value] of [
    ['CORE_OIDC_ISSUER', 'http://id.example.org'],
    ['CORE_OIDC_ISSUER', 'http://localhost:1'],
    ['CORE_OIDC_ROLES', '{"desk":"king"}'],
    ['CORE_OIDC_ROLES', 'desk=operator'],
    ['CORE_OIDC_ROLES', '{}'],
    ['CORE_OIDC_SCOPES', 'profile'],
    ['CORE_OIDC_CLEARANCES', '{"x":{"acme":"top"}}'],
  ] as const)
    expect(read({ [name]: value })).toThrow(name);
  expect(() => readHubConfig({ DATABASE_URL: 'postgresql://h/d', CORE_PASSWORD_LOGIN: 'emergency' })).toThrow(
    'CORE_OIDC_ISSUER',
  );
});

describe('a person', () => {
  test('is made a user at the first sign-in, with a session of its own, and known by the subject', async () => {
    const first = await signIn('s-1', ['desk'], 'Li.Na');
    expect(jsonOf(expectStatus(first.answer, 200))).toMatchObject({ name: 'li.na', role: 'operator' });
    expect(first.answer.headers['set-cookie']?.[0]).toMatch(
      /^fieldline_session=flx_.*HttpOnly; SameSite=Lax/,
    );
    // The name at the provider may change: the person stays the same.
    const again = await signIn('s-1', ['desk'], 'li.wang');
    expect(jsonOf(again.answer)).toMatchObject({ name: 'li.na' });
    expect([await who(first.browser), await who(again.browser)]).toEqual([200, 200]);
    const { items } = jsonOf<{ items: object[] }>(await rig.admin('GET', '/api/core/users?q=li.na'));
    expect(items).toMatchObject([{ name: 'li.na', ofProvider: true }]);
    // No password opens it, and none can be given to it.
    expect((await login(new Browser(rig.hub.url), 'li.na')).status).toBe(401);
    const patch = (body: object) => rig.admin('PATCH', '/api/core/users/li.na', body);
    expect(errorOf(await patch({ password: 'nine yellow kettles' }))).toEqual([409, 'user_of_provider']);
    expect(errorOf(await patch({ emergency: true }))).toEqual([409, 'user_of_provider']);
  });

  test('has role, tenant and clearance of the claims at each sign-in, and loses what is lost', async () => {
    const customer = await signIn('s-2', ['partners', 'acme-people', 'secret-readers'], 'partner');
    expect(jsonOf(expectStatus(customer.answer, 200))).toMatchObject({
      role: 'customer',
      tenantCode: 'acme',
    });
    const clearances = async () =>
      (
        await rig.hub.store.pool.query(
          "select tenant_code, level from kb_clearance where subject = 'partner'",
        )
      ).rows as object[];
    expect(await clearances()).toEqual([{ tenant_code: 'acme', level: 3 }]);
    const moved = await signIn('s-2', ['partners', 'other-people'], 'partner');
    expect(jsonOf(moved.answer)).toMatchObject({ tenantCode: 'other' });
    expect(await clearances()).toEqual([]);
    expect([await who(customer.browser), await who(moved.browser)]).toEqual([401, 200]);
    const out = await signIn('s-2', ['somewhere'], 'partner');
    expect(errorOf(out.answer)).toEqual([403, 'provider_no_role']);
    expect(await who(moved.browser)).toBe(401);
    const back = await signIn('s-2', ['desk'], 'partner');
    expect(jsonOf(expectStatus(back.answer, 200))).toMatchObject({ role: 'operator', tenantCode: null });
  });

  test('who was disabled here stays out, whatever the provider says', async () => {
    const { browser } = await signIn('s-3', ['desk'], 'leaver');
    expectStatus(await rig.admin('PATCH', '/api/core/users/leaver', { disabled: true }), 200);
    expect(await who(browser)).toBe(401);
    expect(errorOf((await signIn('s-3', [], 'leaver')).answer)).toEqual([403, 'provider_no_role']);
    expect(errorOf((await signIn('s-3', ['desk'], 'leaver')).answer)).toEqual([403, 'account_disabled']);
    expectStatus(await rig.admin('PATCH', '/api/core/users/leaver', { disabled: false }), 200);
    expectStatus((await signIn('s-3', ['desk'], 'leaver')).answer, 200);
  });

  test.each([
    ['no_role', ['acme-people']],
    ['no_tenant', ['partners']],
    ['several_tenants', ['partners', 'acme-people', 'other-people']],
  ])('is refused in words for %s, and nothing is made', async (fault, groups) => {
    const { answer, browser } = await signIn(`s-${fault}`, groups, `nobody-${fault}`);
    expect(errorOf(answer)).toEqual([403, `provider_${fault}`]);
    expect(jsonOf<{ messageZh: string }>(answer).messageZh).toMatch(/[一-鿿]/);
    expect([...browser.cookies.keys()]).not.toContain('fieldline_session');
    expect((await rig.admin('GET', `/api/core/users?q=nobody-${fault}`)).text).not.toContain('nobody');
  });

  test('is never matched by name: an account that is here already stays its own', async () => {
    await rig.addUser('boss');
    const { answer } = await signIn('s-4', ['desk'], 'boss');
    expect(errorOf(answer)).toEqual([409, 'provider_name_taken']);
    expectStatus(await login(new Browser(rig.hub.url), 'boss'), 200);
    expect(errorOf((await signIn('s-5', ['desk'], 'two words')).answer)).toEqual([403, 'provider_no_name']);
  });

  test('logs out here and at the provider', async () => {
    const { browser } = await signIn('s-6', ['desk'], 'goer');
    const stolen = new Browser(rig.hub.url);
    for (const [name, value] of browser.cookies) stolen.cookies.set(name, value);
    const { goTo } = jsonOf<{ goTo: string }>(
      expectStatus(await browser.call('POST', `${PATH}/logout`), 200),
    );
    expect(await who(stolen)).toBe(401);
    const at = new URL(goTo);
    expect([at.origin, at.searchParams.get('post_logout_redirect_uri')]).toEqual([
      provider.issuer,
      `${PUBLIC}/login`,
    ]);
    expect((await fetch(goTo)).status).toBe(200);
    const local = await rig.browser('boss');
    expect(jsonOf(await local.call('POST', `${PATH}/logout`))).toEqual({ ended: true, goTo: null });
  });
});

describe('an answer of the provider', () => {
  const prepared = async (): Promise<{ browser: Browser; query: string }> => {
    provider.person = 's-7';
    provider.claims['s-7'] = { preferred_username: 'seven', groups: ['desk'] };
    const browser = new Browser(rig.hub.url);
    return { browser, query: await through(await begin(browser)) };
  };
  const nothing = async (browser: Browser): Promise<void> => {
    expect([...browser.cookies.keys()]).not.toContain('fieldline_session');
    expect((await rig.admin('GET', '/api/core/users?q=seven')).text).not.toContain('seven');
  };

  test('that the person refused is said so', async () => {
    const { browser, answer } = await signIn(null);
    expect(errorOf(answer)).toEqual([403, 'provider_denied']);
    await nothing(browser);
  });

  test('is worth nothing in another browser, after ten minutes, or with another state', async () => {
    const one = await prepared();
    const thief = new Browser(rig.hub.url);
    await begin(thief);
    expect(errorOf(await finish(thief, one.query))).toEqual([403, 'sign_in_stale']);
    // It was shown, and is gone for everybody.
    expect(errorOf(await finish(one.browser, one.query))).toEqual([403, 'sign_in_stale']);
    const late = await prepared();
    rig.clock.advance(HOUR);
    expect(errorOf(await finish(late.browser, late.query))).toEqual([403, 'sign_in_stale']);
    const other = await prepared();
    expect(errorOf(await finish(other.browser, other.query.replace(/state=./, 'state=x_')))).toEqual([
      403,
      'sign_in_stale',
    ]);
    for (const { browser } of [one, late, other]) await nothing(browser);
  });

  test('with an expired code, of another issuer, or signed by another key is refused', async () => {
    const expired = await prepared();
    await provider.expire(new URLSearchParams(expired.query).get('code') ?? '');
    expect(errorOf(await finish(expired.browser, expired.query))).toEqual([403, 'provider_answer_refused']);
    const elsewhere = await prepared();
    const query = new URLSearchParams(elsewhere.query);
    query.set('iss', 'https://evil.example.org');
    expect(errorOf(await finish(elsewhere.browser, query.toString()))).toEqual([
      403,
      'provider_answer_refused',
    ]);
    const other = await openSessionRig(provider.env);
    try {
      provider.wrongKeys = true;
      const browser = new Browser(other.hub.url);
      const back = await through(await begin(browser));
      expect(errorOf(await finish(browser, back))).toEqual([403, 'provider_answer_refused']);
    } finally {
      await other.close();
    }
    for (const { browser } of [expired, elsewhere]) await nothing(browser);
  });

  test('is taken once, also when it comes twice at the same moment', async () => {
    const { browser, query } = await prepared();
    const both = await Promise.all([finish(browser, query), finish(browser, query)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
  });
});

describe('a provider that is away', () => {
  test.each([
    ['no JSON', 200, '<html>'],
    ['JSON of another kind', 200, '[null]'],
    ['members of other kinds', 200, '{"issuer":{"a":1},"authorization_endpoint":7}'],
    ['another issuer', 200, '{"issuer":"https://evil.example.org","authorization_endpoint":"https://x"}'],
    ['no address to go to', 200, '{"issuer":"ISSUER"}'],
    ['an error', 500, '{}'],
    ['more than anybody needs', 200, `{"issuer":"${'x'.repeat(600_000)}"}`],
    ['what leads elsewhere', 302, ''],
  ])('or answers with %s, is said so', async (_, status, body) => {
    const server = createServer((_request, response) => {
      const { port } = server.address() as AddressInfo;
      response.writeHead(status, { 'content-type': 'application/json', location: 'http://127.0.0.1:1/' });
      response.end(body.replace('ISSUER', `http://127.0.0.1:${port}`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = new ProviderClient({
      config: { ...configOf({}), issuer },
      secret: () => 'x',
      http: createHttpClient(),
      monotonic: () => 0,
    });
    try {
      await expect(client.begin()).rejects.toThrow();
    } finally {
      client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test('at an address that is not open to the hub is not asked', async () => {
    const { CORE_OIDC_NETWORKS: _open, ...closed } = provider.env;
    const apart = await openSessionRig(closed);
    try {
      const browser = new Browser(apart.hub.url);
      expect(errorOf(await browser.call('POST', `${PATH}/start`))).toEqual([502, 'provider_away']);
    } finally {
      await apart.close();
    }
  });

  test('is said so, and an emergency account gets in, which is alarmed and audited', async () => {
    const gone = await startIdentityProvider(PUBLIC);
    await gone.close();
    const strict = await openSessionRig({ ...gone.env, CORE_PASSWORD_LOGIN: 'emergency' });
    try {
      const browser = new Browser(strict.hub.url);
      expect(errorOf(await browser.call('POST', `${PATH}/start`))).toEqual([502, 'provider_away']);
      await strict.addUser('daily');
      await strict.addUser('glass');
      expectStatus(await strict.admin('PATCH', '/api/core/users/glass', { emergency: true }), 200);
      expect(errorOf(await login(new Browser(strict.hub.url), 'daily'))).toEqual([
        401,
        'invalid_credentials',
      ]);
      const standing = async () =>
        jsonOf<{ items: { key: string; severity: string; messageZh: string }[] }>(
          await strict.admin('GET', '/api/core/alarms'),
        ).items;
      expect(await standing()).toEqual([]);
      expectStatus(await login(browser, 'glass'), 200);
      expect(await standing()).toMatchObject([
        {
          key: 'emergency_login:glass',
          severity: 'critical',
          messageZh: expect.stringContaining('应急账号'),
        },
      ]);
      const audit = (await strict.admin('GET', '/api/core/audit?limit=100')).text;
      expect(audit).toContain('user.emergency_used');
    } finally {
      await strict.close();
    }
  });
});

test('no secret, code or token of the provider stands in the database in clear', async () => {
  const { answer } = await signIn('s-8', ['desk'], 'eight');
  expectStatus(answer, 200);
  const { rows } = await rig.hub.store.pool.query(
    'select s::text from sessions s union all select i::text from sign_ins i union all select a::text from audit a',
  );
  const all = JSON.stringify(rows);
  expect(all).toContain('eight');
  // The head of a token in base64url, and the secret.
  for (const shown of ['eyJ', provider.env.OIDC_SECRET]) expect(all).not.toContain(shown);
});
