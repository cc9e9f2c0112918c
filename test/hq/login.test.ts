// Users, login and sessions of the hub on real Postgres: who gets in, for how long, and how guessing is held
// up.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IDLE_MS, TOUCH_EVERY_MS } from '../../common/core/session/decide.ts';
import { setCookie } from '../../common/http/cookie.ts';
import { formatTime } from '../../common/time.ts';
import { PasswordHasher } from '../../hq/auth/password.ts';
import { Browser } from '../support/browser.ts';
import { HOUR, SECOND } from '../support/clock.ts';
import { type Answer, expectStatus, jsonOf } from '../support/request.ts';
import { login, openSessionRig, PASSWORD, type SessionRig } from './session-rig.ts';

let rig: SessionRig;
beforeAll(async () => {
  rig = await openSessionRig();
});
afterAll(() => rig.close());

const WRONG = 'not the password';
const errorOf = (answer: Answer): [number, string] => [
  answer.status,
  jsonOf<{ error: string }>(answer).error,
];
const items = <T>(answer: Answer): T[] => jsonOf<{ items: T[] }>(expectStatus(answer, 200)).items;
const who = async (browser: Browser): Promise<number> =>
  (await browser.call('GET', '/api/core/session')).status;
/** Lets the failures of the tests before be forgotten. */
const forget = () => rig.clock.advance(2 * HOUR);

test('a password is hashed with argon2id, with a salt of its own, and at the cost that OWASP asks for', async () => {
  const hasher = new PasswordHasher();
  const [one, two] = [await hasher.hash('p\u00e4ssword'), await hasher.hash('p\u00e4ssword')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(two);
  // The same word typed as other code points.
  expect(await hasher.verify('pa\u0308ssword', one)).toEqual({ right: true, stale: false });
  expect(await hasher.verify('password', one)).toEqual({ right: false, stale: false });
  expect(await hasher.verify('password', null)).toEqual({ right: false, stale: false });
  const attempts = await Promise.allSettled(Array.from({ length: 40 }, () => hasher.verify('x', one)));
  for (const attempt of attempts)
    if (attempt.status === 'rejected')
      expect(attempt.reason).toMatchObject({ status: 503, code: 'overloaded' });
  expect(attempts.filter((attempt) => attempt.status === 'rejected')).toHaveLength(8);
});

describe('login', () => {
  test('gives a session in a cookie that scripts and other sites do not get', async () => {
    await rig.addUser('Chief');
    const browser = new Browser(rig.hub.url);
    const answer = await login(browser, 'CHIEF');
    expect(jsonOf(expectStatus(answer, 200))).toMatchObject({
      name: 'chief',
      role: 'operator',
      tenantCode: null,
    });
    const [line] = answer.headers['set-cookie'] ?? [];
    expect(line).toMatch(
      /^fieldline_session=flx_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    );
    expect(setCookie('n', 'v', { path: '/', maxAgeSeconds: 1, secure: true })).toMatch(/; Secure$/);
    expect(jsonOf(await browser.call('GET', '/api/core/session'))).toMatchObject({ name: 'chief' });
    expect((await rig.hub.store.pool.query('select token_hash from sessions')).rows).toEqual([
      { token_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  test('says the same of an unknown name, a wrong password, a wrong tenant and a disabled user', async () => {
    await rig.addUser('chen', { role: 'customer', tenant_code: 'acme' });
    await rig.addUser('gone');
    expectStatus(await rig.admin('PATCH', '/api/core/users/gone', { disabled: true }), 200);
    const browser = new Browser(rig.hub.url);
    const answers = [
      await login(browser, 'nobody'),
      await login(browser, 'chen', WRONG),
      await login(browser, 'chen', PASSWORD, 'other'),
      await login(browser, 'gone'),
      await login(browser, 'chief', PASSWORD, 'acme'),
    ];
    expect(new Set(answers.map((answer) => answer.text.replace(/"requestId":"[^"]*"/, '')))).toHaveProperty(
      'size',
      1,
    );
    for (const answer of answers) expect(errorOf(answer)).toEqual([401, 'invalid_credentials']);
    expect(browser.cookies.size).toBe(0);
    expectStatus(await login(browser, 'chen', PASSWORD, 'acme'), 200);
    forget();
  });

  test('is audited, and the audit holds neither password nor token', async () => {
    const all = (await rig.admin('GET', '/api/core/audit?limit=1000')).text;
    expect(all).toContain('session.started');
    expect(all).toContain('session.refused');
    for (const secret of [PASSWORD, WRONG, '$argon2', 'flx_']) expect(all).not.toContain(secret);
  });

  test('takes only JSON, so that a form of another site cannot log anybody in', async () => {
    const answer = await new Browser(rig.hub.url).call('POST', '/api/core/session/login', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(415);
  });

  test('renews a hash that was made with other parameters', async () => {
    const weak = await new PasswordHasher({ memory: 32, passes: 1, parallelism: 1 }).hash(PASSWORD);
    const at = rig.clock.now();
    await rig.hub.store.users.add(
      {
        name: 'old',
        role: 'operator',
        tenantCode: null,
        permissions: null,
        passwordHash: weak,
        ...{ issuer: null, subject: null, withdrawnAt: null, emergency: false },
        secondFactorSince: null,
        disabledAt: null,
        lastSeenAt: null,
        createdAt: at,
        updatedAt: at,
      },
      'test',
    );
    await rig.browser('old');
    const renewed = (await rig.hub.store.users.get('old'))?.passwordHash;
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
    await rig.browser('old');
    expect((await rig.hub.store.users.get('old'))?.passwordHash).toBe(renewed);
  });

  test('of a user that is disabled at that moment leaves no session', async () => {
    await rig.addUser('racer');
    const hash = (await rig.hub.store.users.get('racer'))?.passwordHash ?? '';
    expectStatus(await rig.admin('PATCH', '/api/core/users/racer', { disabled: true }), 200);
    const now = rig.clock.now();
    const draft = {
      id: 'r',
      tokenHash: 'r',
      createdAt: now,
      lastSeenAt: now,
      expiresAt: now + 1,
      ip: '',
      userAgent: null,
    };
    expect(
      await rig.hub.store.users.startSession(
        { name: 'racer', passwordHash: hash, proof: null, waits: false },
        draft,
        'test',
      ),
    ).toBeNull();
    expect(
      await rig.hub.store.users.startSession(
        { name: 'old', passwordHash: 'another', proof: null, waits: false },
        draft,
        'test',
      ),
    ).toBeNull();
  });
});

describe('a session', () => {
  test('ends by logout, and its cookie is taken away', async () => {
    const browser = await rig.browser('chief');
    const { cookies } = browser;
    const stolen = new Browser(rig.hub.url);
    for (const [name, value] of cookies) stolen.cookies.set(name, value);
    expectStatus(await browser.call('POST', '/api/core/session/logout'), 200);
    expect(cookies.has('fieldline_session')).toBe(false);
    expect(await who(stolen)).toBe(401);
  });

  test('ends after 12 hours without use, and not before', async () => {
    const [idle, used] = [await rig.browser('chief'), await rig.browser('chief')];
    rig.clock.advance(IDLE_MS - TOUCH_EVERY_MS);
    expect(await who(used)).toBe(200);
    rig.clock.advance(TOUCH_EVERY_MS);
    expect([await who(idle), await who(used)]).toEqual([401, 200]);
  });

  test('ends after 7 days however much it is used', async () => {
    const browser = await rig.browser('chief');
    for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
      rig.clock.advance(6 * HOUR);
      expect(await who(browser)).toBe(200);
    }
    rig.clock.advance(6 * HOUR);
    expect(await who(browser)).toBe(401);
  });

  test('tells when its user was last seen, also after it has ended', async () => {
    await rig.addUser('seen');
    const seen = async () =>
      items<{ name: string; lastSeenAt: string | null }>(await rig.admin('GET', '/api/core/users')).find(
        ({ name }) => name === 'seen',
      )?.lastSeenAt;
    const now = () => formatTime(rig.clock.now());
    expect(await seen()).toBeNull();
    const browser = await rig.browser('seen');
    expect(await seen()).toBe(now());
    rig.clock.advance(TOUCH_EVERY_MS);
    expect(await who(browser)).toBe(200);
    expect(await seen()).toBe(now());
    const last = now();
    rig.clock.advance(IDLE_MS);
    expect(await who(browser)).toBe(401);
    expect(await seen()).toBe(last);
  });

  test('is listed to its user, and to an operator who manages users; each ends what it sees', async () => {
    const [one, two, chief] = [
      await rig.browser('chen'),
      await rig.browser('chen'),
      await rig.browser('chief'),
    ];
    const own = items<{ id: string; current: boolean; name: string }>(
      await one.call('GET', '/api/core/sessions'),
    );
    expect(own.map(({ name }) => name)).toEqual(['chen', 'chen']);
    expect(own.filter(({ current }) => current)).toHaveLength(1);
    const chiefs =
      items<{ id: string }>(await chief.call('GET', '/api/core/sessions?user=chief'))[0]?.id ?? '';
    expect(errorOf(await one.call('DELETE', `/api/core/sessions/${chiefs}`))).toEqual([404, 'not_found']);
    const other = own.find(({ current }) => !current)?.id ?? '';
    expectStatus(await one.call('DELETE', `/api/core/sessions/${other}`), 200);
    expect([await who(one), await who(two)]).toEqual([200, 401]);
    const [left] = items<{ id: string }>(await chief.call('GET', '/api/core/sessions?user=Chen'));
    expectStatus(await chief.call('DELETE', `/api/core/sessions/${left?.id}`), 200);
    expect(await who(one)).toBe(401);
  });
});

describe('all sessions of a user', () => {
  const end = (browser: Browser, query = '') => browser.call('DELETE', `/api/core/sessions${query}`);

  test('but the own are ended by that user, and nobody else is', async () => {
    await rig.addUser('deng', { role: 'customer', tenant_code: 'acme' });
    const [here, there, other] = [
      await rig.browser('deng'),
      await rig.browser('deng'),
      await rig.browser('chief'),
    ];
    expect(jsonOf(expectStatus(await end(here), 200))).toEqual({ ended: 1 });
    expect([await who(here), await who(there), await who(other)]).toEqual([200, 401, 200]);
    expect(errorOf(await end(here, '?user=chief'))).toEqual([403, 'forbidden']);
    expect(await who(other)).toBe(200);
  });

  test('are ended by who manages users, and by the admin key, which says whose', async () => {
    const [chief, one, two] = [
      await rig.browser('chief'),
      await rig.browser('chen'),
      await rig.browser('chen'),
    ];
    expectStatus(await end(chief, '?user=CHEN'), 200);
    expect([await who(one), await who(two), await who(chief)]).toEqual([401, 401, 200]);
    expectStatus(await rig.admin('DELETE', '/api/core/sessions'), 400);
    expectStatus(await rig.admin('DELETE', '/api/core/sessions?user=chief'), 200);
    expect(await who(chief)).toBe(401);
  });
});

describe('a user', () => {
  test('is checked when added', async () => {
    const add = (body: object) =>
      rig.admin('POST', '/api/core/users', {
        name: 'new-user',
        password: PASSWORD,
        role: 'operator',
        ...body,
      });
    const paths = async (body: object) =>
      jsonOf<{ details: { path: string }[] }>(expectStatus(await add(body), 400)).details.map(
        ({ path }) => path,
      );
    expect(await paths({ password: 'nine char' })).toEqual(['password']);
    expect(await paths({ name: 'Long-enough', password: 'long-ENOUGH' })).toEqual(['password']);
    expect(await paths({ role: 'customer' })).toEqual(['tenant_code']);
    expect(await paths({ tenant_code: 'acme' })).toEqual(['tenant_code']);
    expect(
      await paths({
        role: 'customer',
        tenant_code: 'acme',
        permissions: ['events.view', 'users.manage', 'uplink.view'],
      }),
    ).toEqual(['permissions[1]', 'permissions[2]']);
    expect(await paths({ permissions: ['events.fly'] })).toEqual(['permissions[0]']);
    expect(await paths({ name: 'two words' })).toEqual(['name']);
    expect(errorOf(await add({ name: 'CHIEF' }))).toEqual([409, 'user_exists']);
    expect(
      items<{ name: string }>(await rig.admin('GET', '/api/core/users')).map(({ name }) => name),
    ).not.toContain('new-user');
    expect((await rig.admin('GET', '/api/core/users')).text).not.toContain('argon2');
  });

  test('are listed by name, page by page, and found by a part of the name or tenant', async () => {
    for (const name of ['page-a', 'page-b', 'page-c']) await rig.addUser(name);
    await rig.addUser('page-d', { role: 'customer', tenant_code: 'Paged-Tenant' });
    const page = async (query: string) =>
      jsonOf<{ items: { name: string }[]; nextCursor: string | null; hasMore: boolean }>(
        expectStatus(await rig.admin('GET', `/api/core/users?${query}`), 200),
      );
    const first = await page('q=PAGE&limit=3');
    expect(first.items.map(({ name }) => name)).toEqual(['page-a', 'page-b', 'page-c']);
    const rest = await page(`q=PAGE&limit=3&cursor=${first.nextCursor}`);
    expect([rest.items.map(({ name }) => name), rest.nextCursor, rest.hasMore]).toEqual([
      ['page-d'],
      null,
      false,
    ]);
    expect((await page('q=paged-ten')).items).toMatchObject([{ name: 'page-d' }]);
    expect((await page('q=%25')).items).toEqual([]);
    const foreign = jsonOf<{ nextCursor: string }>(
      await rig.admin('GET', '/api/core/audit?limit=1'),
    ).nextCursor;
    expect((await rig.admin('GET', `/api/core/users?cursor=${foreign}`)).status).toBe(400);
  });

  test('who is disabled is out at once, and may come back', async () => {
    const browser = await rig.browser('chen');
    expectStatus(await rig.admin('PATCH', '/api/core/users/Chen', { disabled: true }), 200);
    expect(await who(browser)).toBe(401);
    expectStatus(await rig.admin('PATCH', '/api/core/users/chen', { disabled: false }), 200);
    expect(await who(browser)).toBe(401);
    await rig.browser('chen');
  });

  test('whose permissions change has them in the sessions that stand', async () => {
    const browser = await rig.browser('chen');
    expectStatus(
      await rig.admin('PATCH', '/api/core/users/chen', { permissions: ['subscriptions.view'] }),
      200,
    );
    expect((await browser.call('GET', '/api/core/events/list')).status).toBe(403);
    expectStatus(await rig.admin('PATCH', '/api/core/users/chen', { permissions: null }), 200);
    expect((await browser.call('GET', '/api/core/events/list')).status).toBe(200);
    expect(errorOf(await rig.admin('PATCH', '/api/core/users/nobody', { disabled: true }))).toEqual([
      404,
      'not_found',
    ]);
    expect((await rig.admin('PATCH', '/api/core/users/chen', {})).status).toBe(400);
  });

  test('with a new password from an operator is logged out everywhere', async () => {
    const browser = await rig.browser('chen');
    expectStatus(await rig.admin('PATCH', '/api/core/users/chen', { password: 'another long one' }), 200);
    expect(await who(browser)).toBe(401);
    expect((await login(new Browser(rig.hub.url), 'chen')).status).toBe(401);
    expectStatus(await rig.admin('PATCH', '/api/core/users/chen', { password: PASSWORD }), 200);
  });

  test('who changes the own password stays, and the other sessions end', async () => {
    const [here, there] = [await rig.browser('chen'), await rig.browser('chen')];
    const change = (current: string, wanted: string) =>
      here.call('POST', '/api/core/session/password', {
        body: { current_password: current, new_password: wanted },
      });
    expect(errorOf(await change(WRONG, 'another long one'))).toEqual([403, 'invalid_credentials']);
    for (const refused of ['short', PASSWORD]) expect((await change(PASSWORD, refused)).status).toBe(400);
    expect([await who(here), await who(there)]).toEqual([200, 200]);
    expectStatus(await change(PASSWORD, 'another long one'), 200);
    expect([await who(here), await who(there)]).toEqual([200, 401]);
    for (let tries = 0; tries < 6; tries += 1) await change(WRONG, PASSWORD);
    expect(errorOf(await change('another long one', PASSWORD))).toEqual([429, 'too_many_attempts']);
    forget();
    expectStatus(await change('another long one', PASSWORD), 200);
  });

  test('cannot hand out more than it holds, nor take over who holds more', async () => {
    await rig.addUser('clerk', { role: 'operator', permissions: ['users.manage', 'events.view'] });
    const clerk = await rig.browser('clerk');
    const add = (permissions: string[] | null) =>
      clerk.call('POST', '/api/core/users', {
        body: { name: 'made', role: 'operator', password: PASSWORD, permissions },
      });
    expect((await add(null)).status).toBe(403);
    expect((await add(['events.judge'])).status).toBe(403);
    expect((await clerk.call('PATCH', '/api/core/users/clerk', { body: { permissions: null } })).status).toBe(
      403,
    );
    expect(
      (await clerk.call('PATCH', '/api/core/users/chief', { body: { password: 'mine from now on' } })).status,
    ).toBe(403);
    expect((await add(['events.view'])).status).toBe(201);
    expect((await clerk.call('PATCH', '/api/core/users/made', { body: { disabled: true } })).status).toBe(
      200,
    );
  });
});

describe('guessing', () => {
  const retryAfter = (answer: Answer): number => Number(answer.headers['retry-after']);

  test(
    'is held up longer and longer, for a name that exists and for one that does not, and not for the ' +
      'owner elsewhere',
    async () => {
      forget();
      const stranger = new Browser(rig.hub.url, '127.0.0.7');
      for (const name of ['chief', 'nobody']) {
        for (let tries = 0; tries < 6; tries += 1)
          expect((await login(stranger, name, WRONG)).status).toBe(401);
        const held = await login(stranger, name, WRONG);
        expect([...errorOf(held), retryAfter(held)]).toEqual([429, 'too_many_attempts', 1]);
        rig.clock.advance(SECOND);
        expect((await login(stranger, name, WRONG)).status).toBe(401);
        expect(retryAfter(await login(stranger, name, WRONG))).toBe(2);
      }
      expect((await login(stranger, 'chief', PASSWORD)).status).toBe(429);
      expect((await login(new Browser(rig.hub.url, '127.0.0.8'), 'chief')).status).toBe(200);
      forget();
      expect((await login(stranger, 'chief')).status).toBe(200);
    },
  );

  test('from the address of the owner does not hold up the browser that is known', async () => {
    const known = await rig.browser('chief');
    const stranger = new Browser(rig.hub.url);
    for (let tries = 0; tries < 6; tries += 1) await login(stranger, 'chief', WRONG);
    expect((await login(stranger, 'chief')).status).toBe(429);
    expect((await login(known, 'chief')).status).toBe(200);
    // Known to another user, or made up, it is as any other.
    const chens = await (async () => {
      forget();
      return rig.browser('chen');
    })();
    for (let tries = 0; tries < 6; tries += 1) await login(stranger, 'chief', WRONG);
    expect((await login(chens, 'chief')).status).toBe(429);
    forget();
  });

  test('at many names from one address is held up as well, for a minute at most', async () => {
    const stranger = new Browser(rig.hub.url, '127.0.0.9');
    const statuses: number[] = [];
    for (let index = 0; index < 22; index += 1)
      statuses.push((await login(stranger, `name-${index}`, WRONG)).status);
    expect(statuses).toEqual([...Array<number>(21).fill(401), 429]);
    expect((await login(new Browser(rig.hub.url, '127.0.0.10'), 'name-1', WRONG)).status).toBe(401);
    forget();
  });

  test('is counted by every process of one database, also when it comes all at once', async () => {
    const peer = await rig.peer();
    const [here, there] = [new Browser(rig.hub.url, '127.0.0.11'), new Browser(peer.url, '127.0.0.11')];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => login(index % 2 ? here : there, 'chief', WRONG)),
    );
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(6);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(6);
    const browser = await rig.browser('chief');
    const elsewhere = new Browser(peer.url);
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    expect(await who(elsewhere)).toBe(200);
    expectStatus(await elsewhere.call('POST', '/api/core/session/logout'), 200);
    expect(await who(browser)).toBe(401);
  });
});
