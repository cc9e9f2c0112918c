// Passkeys, on real Postgres: registered, asked for beside the password and in its place, and every answer
// that is not the person's refused.
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asked, Authenticator, type Wrong } from '../support/authenticator.ts';
import { Browser } from '../support/browser.ts';
import { HOUR, SECOND } from '../support/clock.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { type Answer, expectStatus, jsonOf } from '../support/request.ts';
import { openSessionRig, PASSWORD, type SessionRig } from './session-rig.ts';

const ORIGIN = 'https://desk.example.com';
const PATH = '/api/core/session/passkeys';
const SIGN_IN = '/api/core/session/passkey';
const proof = { current_password: PASSWORD };
const MINUTE = 60 * SECOND;

let rig: SessionRig;
beforeAll(async () => {
  rig = await openSessionRig({ AGENT_LINK_URL: ORIGIN });
});
afterAll(() => rig.close());

const errorOf = (answer: Answer): [number, string] => [
  answer.status,
  jsonOf<{ error: string }>(answer).error,
];
const post = (browser: Browser, path: string, body?: object): Promise<Answer> =>
  browser.call('POST', path, body === undefined ? {} : { body });
const optionsOf = (answer: Answer): Asked => jsonOf<{ options: Asked }>(expectStatus(answer, 200)).options;
const who = async (browser: Browser): Promise<number> =>
  (await browser.call('GET', '/api/core/session')).status;
const fresh = (): Browser => new Browser(rig.hub.url);

const begin = async (browser: Browser): Promise<Asked> =>
  optionsOf(await post(browser, `${PATH}/begin`, proof));

interface Registered {
  browser: Browser;
  key: Authenticator;
  id: string;
  codes: string[];
}

async function register(browser: Browser, name = 'Telephone', counter = 0): Promise<Registered> {
  const key = new Authenticator(ORIGIN);
  key.counter = counter;
  const made = await post(browser, PATH, { name, credential: key.make(await begin(browser)) });
  const { id, recoveryCodes } = jsonOf<{ id: string; recoveryCodes: string[] }>(expectStatus(made, 201));
  // The oldest stands first.
  rig.clock.advance(1);
  return { browser, key, id, codes: recoveryCodes };
}

async function person(name: string, counter = 0): Promise<Registered> {
  await rig.addUser(name);
  return register(await rig.browser(name), 'Telephone', counter);
}

const enter = (name: string, more: object = {}, browser = fresh()): Promise<Answer> =>
  post(browser, '/api/core/session/login', { name, password: PASSWORD, ...more });

/** What the login asks of the passkey, once the password was right. */
async function askedBeside(name: string): Promise<Asked> {
  const answer = await enter(name);
  expect(errorOf(answer)).toEqual([401, 'second_factor_required']);
  return jsonOf<{ passkey: Asked }>(answer).passkey;
}

/** Signs in by the passkey alone. */
async function alone(key: Authenticator, wrong: Wrong = {}, browser = fresh()): Promise<Answer> {
  const asked = optionsOf(await post(browser, `${SIGN_IN}/start`));
  return post(browser, `${SIGN_IN}/finish`, { credential: key.sign(asked, wrong) });
}

describe('a passkey is registered', () => {
  test('with the password, named, and ends the other sessions; the first one brings recovery codes', async () => {
    await rig.addUser('an');
    const [here, there] = [await rig.browser('an'), await rig.browser('an')];
    expect(errorOf(await post(here, `${PATH}/begin`, { current_password: 'wrong' }))).toEqual([
      403,
      'invalid_credentials',
    ]);
    const first = await register(here, '  Telephone ');
    expect(first.codes).toHaveLength(10);
    expect([await who(here), await who(there)]).toEqual([200, 401]);
    expect((await register(here, 'Key')).codes).toEqual([]);
    expect(jsonOf(await here.call('GET', PATH))).toMatchObject({
      items: [
        { name: 'Telephone', host: 'desk.example.com', lastUsedAt: null },
        { name: 'Key', lastUsedAt: null },
      ],
      origin: ORIGIN,
      off: null,
    });
    expectStatus(await enter('an', { code: first.codes[0] }), 200);
  });

  test.each<[string, Wrong]>([
    ['of another origin', { origin: 'https://desk.example.org' }],
    ['of another host', { rpId: 'example.org' }],
  ])('but not with an answer %s, which is worth nothing afterwards either', async (what, wrong) => {
    const name = `new-${what.split(' ').at(-1)}`;
    await rig.addUser(name);
    const browser = await rig.browser(name);
    const [asked, key] = [await begin(browser), new Authenticator(ORIGIN)];
    const add = (credential: object) => post(browser, PATH, { name: 'x', credential });
    expect(errorOf(await add(key.make(asked, wrong)))).toEqual([403, 'passkey_refused']);
    expect(errorOf(await add(key.make(asked)))).toEqual([403, 'passkey_stale']);
  });

  test('but not twice, nor late, nor for another session', async () => {
    const { browser, key } = await person('bo');
    await rig.addUser('bo-two');
    const other = await rig.browser('bo-two');
    const add = (by: Browser, credential: object) => post(by, PATH, { name: 'x', credential });
    // The same credential, by somebody else too.
    expect(errorOf(await add(other, key.make(await begin(other))))).toEqual([409, 'passkey_known']);
    const another = new Authenticator(ORIGIN);
    const asked = await begin(browser);
    expect(errorOf(await add(other, another.make(asked)))).toEqual([403, 'passkey_stale']);
    expectStatus(await add(browser, another.make(asked)), 201);
    expect(errorOf(await add(browser, new Authenticator(ORIGIN).make(asked)))).toEqual([
      403,
      'passkey_stale',
    ]);
    const late = await begin(browser);
    rig.clock.advance(5 * MINUTE);
    expect(errorOf(await add(browser, new Authenticator(ORIGIN).make(late)))).toEqual([403, 'passkey_stale']);
  });

  test('but not from garbage, nor by the megabyte', async () => {
    await rig.addUser('chu');
    const browser = await rig.browser('chu');
    const asked = await begin(browser);
    const true_ = new Authenticator(ORIGIN).make(asked) as { response: object };
    const add = (credential: unknown) => post(browser, PATH, { name: 'x', credential });
    const response = (more: object) => ({ ...true_, response: { ...true_.response, ...more } });
    for (const credential of [
      null,
      'x',
      {},
      response({ clientDataJSON: '!!' }),
      response({ attestationObject: 5 }),
    ])
      expect(errorOf(await add(credential))).toEqual([400, 'validation_failed']);
    expect(errorOf(await add(response({ clientDataJSON: 'bm90IGpzb24' })))).toEqual([403, 'passkey_refused']);
    expect(errorOf(await add(response({ attestationObject: 'a'.repeat(100_000) })))).toEqual([
      413,
      'body_too_large',
    ]);
    expect(errorOf(await add(response({ attestationObject: 'AAAA' })))).toEqual([403, 'passkey_refused']);
    expect(jsonOf(await browser.call('GET', PATH))).toMatchObject({ items: [] });
  });
});

describe('beside the password', () => {
  test('it is asked for by name, and lets in', async () => {
    const { key } = await person('di');
    const asked = await askedBeside('di');
    expect(asked).toMatchObject({ allowCredentials: [{ id: key.id }], userVerification: 'preferred' });
    const browser = fresh();
    // A key that does not verify its owner is a second factor all the same.
    expectStatus(await enter('di', { passkey: key.sign(asked, { verified: false }) }, browser), 200);
    const { items } = jsonOf<{ items: { lastUsedAt: string | null }[] }>(await browser.call('GET', PATH));
    expect(items[0]?.lastUsedAt).not.toBeNull();
  });

  test('each answer is taken once, in time, and of its own address', async () => {
    const { key } = await person('fu');
    const asked = await askedBeside('fu');
    const passkey = key.sign(asked);
    const both = await Promise.all([enter('fu', { passkey }), enter('fu', { passkey })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const wrongs: Wrong[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { challenge: 'bm90IHRoaXMgb25l' },
      { userHandle: 'c29tZWJvZHkgZWxzZQ' },
    ];
    for (const wrong of wrongs) {
      rig.clock.advance(2 * HOUR);
      const signed = key.sign(await askedBeside('fu'), wrong);
      expect(errorOf(await enter('fu', { passkey: signed }))).toEqual([401, 'second_factor_wrong']);
    }
    rig.clock.advance(2 * HOUR);
    const late = await askedBeside('fu');
    rig.clock.advance(5 * MINUTE);
    expect(errorOf(await enter('fu', { passkey: key.sign(late) }))).toEqual([401, 'second_factor_wrong']);
    expectStatus(await enter('fu', { passkey: key.sign(await askedBeside('fu')) }), 200);
  });

  test('that of somebody else opens nothing, of another tenant neither, nor what was asked of him', async () => {
    const one = await person('gu');
    await rig.addUser('guest', { role: 'customer', tenant_code: 'acme' });
    const guest = await register(await rig.browser('guest'));
    const asked = await askedBeside('gu');
    expect(errorOf(await enter('gu', { passkey: guest.key.sign(asked) }))).toEqual([
      401,
      'second_factor_wrong',
    ]);
    // Asked of the guest, signed and sent by the other.
    const foreign = await askedBeside('guest');
    expect(errorOf(await enter('gu', { passkey: one.key.sign(foreign) }))).toEqual([
      401,
      'second_factor_wrong',
    ]);
    expectStatus(await enter('guest', { passkey: guest.key.sign(foreign) }), 200);
    expect(errorOf(await enter('guest', { tenant: 'beta' }))).toEqual([401, 'invalid_credentials']);
  });

  test('one that counts backwards was copied, and is refused', async () => {
    const { key } = await person('ha', 7);
    expectStatus(await enter('ha', { passkey: key.sign(await askedBeside('ha')) }), 200);
    for (const counter of [8, 7, 0]) {
      rig.clock.advance(2 * HOUR);
      const passkey = key.sign(await askedBeside('ha'), { counter });
      expect(errorOf(await enter('ha', { passkey }))).toEqual([401, 'second_factor_wrong']);
    }
    rig.clock.advance(2 * HOUR);
    expect(errorOf(await alone(key, { counter: 3 }))).toEqual([403, 'passkey_refused']);
    expectStatus(await enter('ha', { passkey: key.sign(await askedBeside('ha'), { counter: 30 }) }), 200);
  });
});

describe('in place of the password', () => {
  test('it lets its owner in, whom it must have verified, and that is audited', async () => {
    const { key } = await person('ji');
    expect(errorOf(await alone(key, { verified: false }))).toEqual([403, 'passkey_refused']);
    const browser = fresh();
    const answer = await alone(key, {}, browser);
    expect(jsonOf(expectStatus(answer, 200))).toMatchObject({ name: 'ji', role: 'operator' });
    expect(await who(browser)).toBe(200);
    const audit = (await rig.admin('GET', '/api/core/audit?limit=1000')).text;
    for (const said of ['user:ji from', 'session.refused']) expect(audit).toContain(said);
  });

  test('a challenge is of its browser alone, good once, and for five minutes', async () => {
    const { key } = await person('ke');
    const browser = fresh();
    const asked = optionsOf(await post(browser, `${SIGN_IN}/start`));
    expect(asked).toMatchObject({ userVerification: 'required', rpId: 'desk.example.com' });
    const finish = (by: Browser, signed: object) => post(by, `${SIGN_IN}/finish`, { credential: signed });
    const signed = key.sign(asked);
    expect(errorOf(await finish(fresh(), signed))).toEqual([403, 'passkey_stale']);
    expectStatus(await finish(browser, signed), 200);
    expect(errorOf(await finish(browser, signed))).toEqual([403, 'passkey_stale']);
    const late = optionsOf(await post(browser, `${SIGN_IN}/start`));
    rig.clock.advance(5 * MINUTE);
    expect(errorOf(await finish(browser, key.sign(late)))).toEqual([403, 'passkey_stale']);
  });

  test('nobody who is unknown, removed or disabled gets in', async () => {
    const { key, browser, id } = await person('li');
    expect(errorOf(await alone(new Authenticator(ORIGIN), { userHandle: 'eA' }))).toEqual([
      403,
      'passkey_unknown',
    ]);
    expect(errorOf(await alone(key, { userHandle: 'eA' }))).toEqual([403, 'passkey_refused']);
    expectStatus(await rig.admin('PATCH', '/api/core/users/li', { disabled: true }), 200);
    expect(errorOf(await alone(key))).toEqual([403, 'account_disabled']);
    expectStatus(await rig.admin('PATCH', '/api/core/users/li', { disabled: false }), 200);
    const again = fresh();
    expectStatus(await alone(key, {}, again), 200);
    expectStatus(await post(again, `${PATH}/${id}/remove`, proof), 200);
    expect(errorOf(await alone(key))).toEqual([403, 'passkey_unknown']);
    expect(await who(browser)).toBe(401);
  });

  test('it is not asked without end: sign-ins of one network that come to nothing are held up', async () => {
    const start = () => fresh().call('POST', `${SIGN_IN}/start`, { from: '127.0.77.1' });
    const answers: number[] = [];
    for (let tries = 0; tries < 22; tries += 1) answers.push((await start()).status);
    expect(answers.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answers.at(-1)).toBe(429);
  });
});

describe('its owner', () => {
  test('renames and removes it with the password, and nobody else does', async () => {
    const { browser, id, key } = await person('mo');
    await rig.addUser('mo-two');
    const other = await rig.browser('mo-two');
    const rename = (by: Browser, password = PASSWORD) =>
      by.call('PATCH', `${PATH}/${id}`, { body: { name: 'Old key', current_password: password } });
    expect(errorOf(await rename(browser, 'wrong one'))).toEqual([403, 'invalid_credentials']);
    expect(errorOf(await rename(other))).toEqual([404, 'not_found']);
    expectStatus(await rename(browser), 200);
    expect(errorOf(await post(other, `${PATH}/${id}/remove`, proof))).toEqual([404, 'not_found']);
    expect(errorOf(await post(browser, `${PATH}/${id}/remove`, { current_password: 'wrong' }))).toEqual([
      403,
      'invalid_credentials',
    ]);
    expectStatus(await post(browser, `${PATH}/${id}/remove`, proof), 200);
    // The last second factor: the password is enough again, and the recovery codes are gone.
    expectStatus(await enter('mo'), 200);
    expect(errorOf(await alone(key))).toEqual([403, 'passkey_unknown']);
    const audit = (await rig.admin('GET', '/api/core/audit?limit=1000')).text;
    for (const said of ['second_factor.set', 'second_factor.renamed', 'second_factor.removed', 'Old key'])
      expect(audit).toContain(said);
  });

  test('has an app beside it, and each stays when the other goes', async () => {
    const { browser, id, key } = await person('nu');
    const own = (path: string, body: object) =>
      post(browser, `/api/core/session/second_factor/${path}`, body);
    expect(errorOf(await own('remove', proof))).toEqual([409, 'no_second_factor']);
    const { secret } = jsonOf<{ secret: string }>(expectStatus(await own('authenticator', proof), 200));
    const code = new TOTP({ secret }).generate({ timestamp: rig.clock.now() });
    expectStatus(await own('confirm', { code }), 200);
    expectStatus(await own('remove', proof), 200);
    const asked = await askedBeside('nu');
    expectStatus(await enter('nu', { passkey: key.sign(asked) }), 200);
    expectStatus(await post(browser, `${PATH}/${id}/remove`, proof), 200);
    expectStatus(await enter('nu'), 200);
  });

  test('loses it when an administrator resets the second factor, with every session', async () => {
    const { browser, key } = await person('pi');
    expectStatus(await rig.admin('POST', '/api/core/users/pi/second_factor/reset'), 200);
    expect(await who(browser)).toBe(401);
    expect(errorOf(await alone(key))).toEqual([403, 'passkey_unknown']);
    expectStatus(await enter('pi'), 200);
  });

  test('has at most twenty', async () => {
    const { browser } = await person('qi');
    for (let more = 1; more < 20; more += 1) await register(browser, `Key ${more}`);
    const credential = new Authenticator(ORIGIN).make(await begin(browser));
    expect(errorOf(await post(browser, PATH, { name: 'x', credential }))).toEqual([409, 'passkeys_many']);
  });
});

test('challenges are bounded for each who is asked, and the oldest of them are void', async () => {
  await rig.addUser('ri');
  const browser = await rig.browser('ri');
  const asked: Asked[] = [];
  for (let tabs = 0; tabs < 7; tabs += 1) {
    asked.push(await begin(browser));
    rig.clock.advance(1);
  }
  const { rows } = await rig.hub.store.pool.query(
    'select bound_to, count(*) n from passkey_challenges group by bound_to having count(*) > 5',
  );
  expect(rows).toEqual([]);
  const credential = new Authenticator(ORIGIN).make(asked[0] as Asked);
  expect(errorOf(await post(browser, PATH, { name: 'x', credential }))).toEqual([403, 'passkey_stale']);
});

describe('where it is demanded, or not everybody may log in by password', () => {
  test('the last one is not removed, and a session that waits may register one', async () => {
    const strict = await openSessionRig({ CORE_SECOND_FACTOR: 'all', AGENT_LINK_URL: ORIGIN });
    try {
      await strict.addUser('sun');
      const browser = await strict.browser('sun');
      const events = async () => (await browser.call('GET', '/api/core/events/list')).status;
      expect(await events()).toBe(403);
      const { id } = await register(browser);
      expect(await events()).toBe(200);
      expect(errorOf(await post(browser, `${PATH}/${id}/remove`, proof))).toEqual([
        409,
        'second_factor_demanded',
      ]);
      await register(browser, 'Key');
      expectStatus(await post(browser, `${PATH}/${id}/remove`, proof), 200);
    } finally {
      await strict.close();
    }
  });

  test.each<[string | undefined, string]>([
    [undefined, 'no_address'],
    ['https://10.0.0.4:8443', 'address_without_name'],
    ['http://desk.example.com', 'address_without_tls'],
  ])('at the address %s there are none, and the page is told %s', async (address, off) => {
    const plain = await openSessionRig(address === undefined ? {} : { AGENT_LINK_URL: address });
    try {
      await plain.addUser('tan');
      const browser = await plain.browser('tan');
      expect(jsonOf(await browser.call('GET', PATH))).toEqual({ items: [], origin: null, off });
      expect(errorOf(await post(browser, `${PATH}/begin`, proof))).toEqual([404, 'passkeys_off']);
      expect(errorOf(await post(browser, `${SIGN_IN}/start`))).toEqual([404, 'passkeys_off']);
      expect(jsonOf(await browser.call('GET', '/api/core/session/ways'))).toMatchObject({ passkeys: null });
    } finally {
      await plain.close();
    }
  });
});

test('where passwords are for emergency accounts alone, so are passkeys: at each sign-in, and told each time', async () => {
  const provider = await startIdentityProvider(ORIGIN);
  const env = { ...provider.env, AGENT_LINK_URL: ORIGIN, CORE_PASSWORD_LOGIN: 'emergency' };
  const shared = rig;
  rig = await openSessionRig(env);
  try {
    await rig.addUser('glass');
    const mark = (emergency: boolean): Promise<Answer> =>
      rig.admin('PATCH', '/api/core/users/glass', { emergency });
    const told = async (): Promise<string[]> =>
      jsonOf<{ items: { key: string }[] }>(await rig.admin('GET', '/api/core/alarms')).items.map(
        ({ key }) => key,
      );
    expectStatus(await mark(true), 200);
    const { key } = await register(await rig.browser('glass'));
    expect(await told()).toEqual(['emergency_login:glass']);
    // By the passkey alone, which stands for the password.
    expectStatus(await alone(key), 200);
    const used = await rig.admin('GET', '/api/core/audit?action=user.emergency_used');
    expect(jsonOf<{ items: object[] }>(used).items).toHaveLength(2);
    // No emergency account any more: neither lets in, and nothing tells which of them would have been right.
    expectStatus(await mark(false), 200);
    expect(errorOf(await alone(key))).toEqual([403, 'passkey_unknown']);
    expect(errorOf(await enter('glass'))).toEqual([401, 'invalid_credentials']);
    expectStatus(await mark(true), 200);
    expectStatus(await alone(key), 200);
  } finally {
    await rig.close();
    await provider.close();
    rig = shared;
  }
});
