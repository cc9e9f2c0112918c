// A second factor beside the password, on real Postgres: set up, asked for, used up, lost and demanded.
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../support/browser.ts';
import { HOUR, SECOND } from '../support/clock.ts';
import { type Answer, expectStatus, jsonOf } from '../support/request.ts';
import { login, openSessionRig, PASSWORD, type SessionRig } from './session-rig.ts';

const PATH = '/api/core/session/second_factor';
const errorOf = (answer: Answer): [number, string] => [
  answer.status,
  jsonOf<{ error: string }>(answer).error,
];
const who = async (browser: Browser): Promise<number> =>
  (await browser.call('GET', '/api/core/session')).status;

let rig: SessionRig;
beforeAll(async () => {
  rig = await openSessionRig();
});
afterAll(() => rig.close());

/** What an app shows for a secret, some steps of 30 s from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret }).generate({ timestamp: rig.clock.now() + steps * 30 * SECOND });
const enter = (name: string, code?: string, browser = new Browser(rig.hub.url)): Promise<Answer> =>
  browser.call('POST', '/api/core/session/login', {
    body: { name, password: PASSWORD, ...(code === undefined ? {} : { code }) },
  });
const own = (browser: Browser, path: string, body: object): Promise<Answer> =>
  browser.call('POST', `${PATH}/${path}`, { body });
const proof = { current_password: PASSWORD };

/** Sets one up. @returns the secret and the recovery codes */
async function setUp(browser: Browser): Promise<{ secret: string; codes: string[] }> {
  const { secret } = jsonOf<{ secret: string }>(
    expectStatus(await own(browser, 'authenticator', proof), 200),
  );
  const { recoveryCodes: codes } = jsonOf<{ recoveryCodes: string[] }>(
    expectStatus(await own(browser, 'confirm', { code: codeOf(secret) }), 200),
  );
  rig.clock.advance(90 * SECOND);
  return { secret, codes };
}

async function person(name: string): Promise<{ browser: Browser; secret: string; codes: string[] }> {
  await rig.addUser(name);
  const browser = await rig.browser(name);
  return { browser, ...(await setUp(browser)) };
}

describe('an authenticator app', () => {
  test('is set up with the password and a code, and ends the other sessions', async () => {
    await rig.addUser('an');
    const [here, there] = [await rig.browser('an'), await rig.browser('an')];
    expect(errorOf(await own(here, 'authenticator', { current_password: 'wrong one' }))).toEqual([
      403,
      'invalid_credentials',
    ]);
    expect(errorOf(await own(here, 'confirm', { code: '123456' }))).toEqual([409, 'no_second_factor']);
    const begun = jsonOf<{ secret: string; address: string; qr: string }>(
      expectStatus(await own(here, 'authenticator', proof), 200),
    );
    expect(begun.address).toMatch(/^otpauth:\/\/totp\/Fieldline:an\?/);
    expect(begun.qr).toMatch(/^<svg /);
    // It opens and asks for nothing yet.
    expectStatus(await enter('an'), 200);
    expect(errorOf(await own(here, 'confirm', { code: codeOf(begun.secret, 9) }))).toEqual([
      403,
      'second_factor_wrong',
    ]);
    const { recoveryCodes } = jsonOf<{ recoveryCodes: string[] }>(
      expectStatus(await own(here, 'confirm', { code: codeOf(begun.secret) }), 200),
    );
    expect(new Set(recoveryCodes).size).toBe(10);
    expect([await who(here), await who(there)]).toEqual([200, 401]);
    expect(errorOf(await own(here, 'authenticator', proof))).toEqual([409, 'second_factor_set']);
    expect(jsonOf(await here.call('GET', PATH))).toMatchObject({ demanded: false, recoveryCodesLeft: 10 });
  });

  test('is asked for when the password is right, and of nobody else', async () => {
    const { secret } = await person('bo');
    expect(errorOf(await login(new Browser(rig.hub.url), 'bo', 'not the password'))).toEqual([
      401,
      'invalid_credentials',
    ]);
    const browser = new Browser(rig.hub.url);
    expect(errorOf(await enter('bo', undefined, browser))).toEqual([401, 'second_factor_required']);
    expect(browser.cookies.size).toBe(0);
    const code = codeOf(secret);
    expectStatus(await enter('bo', `${code.slice(0, 3)} ${code.slice(3)}`, browser), 200);
    expect(await who(browser)).toBe(200);
  });

  test('has codes that are taken once, and by one of two who send the same', async () => {
    const { secret } = await person('chu');
    const code = codeOf(secret);
    const both = await Promise.all([enter('chu', code), enter('chu', code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(errorOf(await enter('chu', code))).toEqual([401, 'second_factor_wrong']);
    // Nor one of before.
    expect(errorOf(await enter('chu', codeOf(secret, -1)))).toEqual([401, 'second_factor_wrong']);
    rig.clock.advance(30 * SECOND);
    expectStatus(await enter('chu', codeOf(secret)), 200);
  });

  test('is not guessed: after five wrong codes each waits longer, from wherever they come', async () => {
    const { secret } = await person('di');
    const from = (address: string, code: string): Promise<Answer> =>
      enter('di', code, new Browser(rig.hub.url, address));
    for (let tries = 0; tries < 6; tries += 1)
      expect(errorOf(await from(`127.0.1.${tries + 1}`, codeOf(secret, 50 + tries)))).toEqual([
        401,
        'second_factor_wrong',
      ]);
    expect(errorOf(await from('127.0.1.9', codeOf(secret)))).toEqual([429, 'too_many_attempts']);
    rig.clock.advance(2 * HOUR);
    expectStatus(await from('127.0.1.9', codeOf(secret)), 200);
  });
});

describe('a recovery code', () => {
  test('takes the place of the app once, as it is typed, and is audited', async () => {
    const { codes } = await person('fu');
    const [code = ''] = codes;
    const browser = new Browser(rig.hub.url);
    expectStatus(await enter('fu', ` ${code.toLowerCase().replace('-', ' ')} `, browser), 200);
    expect(errorOf(await enter('fu', code))).toEqual([401, 'second_factor_wrong']);
    expect(jsonOf(await browser.call('GET', PATH))).toMatchObject({ recoveryCodesLeft: 9 });
    const audit = (await rig.admin('GET', '/api/core/audit?limit=1000')).text;
    for (const said of ['second_factor.set', 'second_factor.recovery_code_used'])
      expect(audit).toContain(said);
  });

  test('is of its user alone, and worth nothing when there are others', async () => {
    const [one, two] = [await person('gu'), await person('ha')];
    expect(errorOf(await enter('ha', one.codes[1]))).toEqual([401, 'second_factor_wrong']);
    const { recoveryCodes } = jsonOf<{ recoveryCodes: string[] }>(
      expectStatus(await own(two.browser, 'recovery_codes', proof), 200),
    );
    expect(errorOf(await enter('ha', two.codes[0]))).toEqual([401, 'second_factor_wrong']);
    expectStatus(await enter('ha', recoveryCodes[0]), 200);
  });
});

test('neither secret nor code stands in the database or the audit in clear', async () => {
  const { secret, codes } = await person('ji');
  const { rows } = await rig.hub.store.pool.query(
    `select t::text from totp_factors t union all select r::text from recovery_codes r
      union all select a::text from audit a`,
  );
  const all = JSON.stringify(rows);
  expect(all).toContain('ji');
  for (const shown of [secret, ...codes]) expect(all).not.toContain(shown);
});

test('it is removed with the password, and the login asks for it no more', async () => {
  const { browser } = await person('ke');
  expect(errorOf(await own(browser, 'remove', { current_password: 'wrong one' }))).toEqual([
    403,
    'invalid_credentials',
  ]);
  expectStatus(await own(browser, 'remove', proof), 200);
  expect(errorOf(await own(browser, 'remove', proof))).toEqual([409, 'no_second_factor']);
  expect(errorOf(await own(browser, 'recovery_codes', proof))).toEqual([409, 'no_second_factor']);
  expectStatus(await enter('ke'), 200);
});

test('who manages users resets it, but not of who may do more', async () => {
  const { browser } = await person('lu');
  await rig.addUser('clerk', { role: 'operator', permissions: ['users.manage'] });
  const clerk = await rig.browser('clerk');
  const reset = '/api/core/users/LU/second_factor/reset';
  expect(errorOf(await clerk.call('POST', reset))).toEqual([403, 'forbidden']);
  expectStatus(await rig.admin('POST', reset), 200);
  expect(await who(browser)).toBe(401);
  expectStatus(await enter('lu'), 200);
  expect(errorOf(await rig.admin('POST', reset))).toEqual([409, 'no_second_factor']);
  expect(errorOf(await rig.admin('POST', '/api/core/users/nobody/second_factor/reset'))).toEqual([
    404,
    'not_found',
  ]);
});

describe('where operators must have one', () => {
  let strict: SessionRig;
  beforeAll(async () => {
    strict = await openSessionRig({ CORE_SECOND_FACTOR: 'operators' });
  });
  afterAll(() => strict.close());

  test('an operator without it may do nothing but set it up, and a customer everything', async () => {
    await strict.addUser('ma');
    await strict.addUser('guest', { role: 'customer', tenant_code: 'acme' });
    const browser = await strict.browser('ma');
    const events = async (by: Browser): Promise<number> =>
      (await by.call('GET', '/api/core/events/list')).status;
    expect(await events(await strict.browser('guest'))).toBe(200);
    expect(await events(browser)).toBe(403);
    // Also when somebody changes the permissions meanwhile.
    expectStatus(await strict.admin('PATCH', '/api/core/users/ma', { permissions: ['events.view'] }), 200);
    expect(await events(browser)).toBe(403);
    const { secret } = jsonOf<{ secret: string }>(
      expectStatus(await own(browser, 'authenticator', proof), 200),
    );
    const code = new TOTP({ secret }).generate({ timestamp: strict.clock.now() });
    expectStatus(await own(browser, 'confirm', { code }), 200);
    expect(await events(browser)).toBe(200);
    expect((await browser.call('GET', '/api/core/users')).status).toBe(403);
    expect(errorOf(await own(browser, 'remove', proof))).toEqual([409, 'second_factor_demanded']);
  });
});
