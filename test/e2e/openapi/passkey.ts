// Calls about passkeys.
import { type Asked, Authenticator } from '../../support/authenticator.ts';
import { Browser } from '../../support/browser.ts';
import { type Answer, expectStatus } from '../../support/request.ts';
import type { Line } from './line.ts';
import { guesses } from './operation.ts';
import { type Ask, PASSWORD, PUBLIC, type World } from './world.ts';

const PATH = '/api/core/session/passkeys';
const SIGN_IN = '/api/core/session/passkey';
const proof = { current_password: PASSWORD };
const wrong = { current_password: 'wrong' };
const optionsOf = (answer: Answer): Asked =>
  (JSON.parse(expectStatus(answer, 200).text) as { options: Asked }).options;

const plain = async (w: World): Promise<{ browser: Browser }> => ({ browser: await w.login(await w.user()) });

/** Somebody whom the hub has asked for a new one. */
async function asked(w: World, key = new Authenticator(PUBLIC)) {
  const { browser } = await plain(w);
  const options = optionsOf(await browser.call('POST', `${PATH}/begin`, { body: proof }));
  return { browser, key, body: { name: w.fresh('key'), credential: key.make(options) } };
}

/** Somebody who has one. */
async function owner(w: World) {
  const { browser, key, body } = await asked(w);
  const answer = expectStatus(await browser.call('POST', PATH, { body }), 201);
  return { browser, key, id: (JSON.parse(answer.text) as { id: string }).id };
}

/** A browser that was asked to sign. @param sign what it answers */
async function signing(w: World, sign: (key: Authenticator, options: Asked) => object): Promise<Ask> {
  const { key } = await owner(w);
  const browser = new Browser(w.url);
  const options = optionsOf(await browser.call('POST', `${SIGN_IN}/start`));
  return { browser, body: { credential: sign(key, options) } };
}

/** What asks for the password once more. @param tail of the path, below the passkey */
const withPassword = (tail: string, more: object, method = 'POST'): Line => ({
  only: 'hub',
  good: async (w) => {
    const { browser, id } = await owner(w);
    return { browser, target: `${PATH}/${id}${tail}`, body: { ...more, ...proof } };
  },
  more: {
    '403 invalid_credentials': async (w) => ({
      ...(await plain(w)),
      target: `${PATH}/x${tail}`,
      body: { ...more, ...wrong },
    }),
    '404 not_found': async (w) => ({
      ...(await plain(w)),
      target: `${PATH}/x${tail}`,
      body: { ...more, ...proof },
    }),
    '429 too_many_attempts': async (w) => {
      const [target, body] = [`${PATH}/x${tail}`, { ...more, ...wrong }];
      const again = (browser: Browser) => browser.call(method, target, { body });
      return { ...(await guesses(again)((await plain(w)).browser)), target, body };
    },
  },
  unseen: { 409: 'test/hq/passkey.test.ts sees it' },
});

export const PASSKEYS: Record<string, Line> = {
  [`GET ${PATH}`]: { only: 'hub', good: () => ({ as: 'session' }) },
  [`POST ${PATH}/begin`]: {
    only: 'hub',
    good: async (w) => ({ ...(await plain(w)), body: proof }),
    more: {
      '403 invalid_credentials': async (w) => ({ ...(await plain(w)), body: wrong }),
      '429 too_many_attempts': async (w) => {
        const again = (browser: Browser) => browser.call('POST', `${PATH}/begin`, { body: wrong });
        return { ...(await guesses(again)((await plain(w)).browser)), body: wrong };
      },
    },
    unseen: { 404: 'this hub has the address of its console' },
  },
  [`POST ${PATH}`]: {
    only: 'hub',
    good: async (w) => {
      const { browser, body } = await asked(w);
      return { browser, body };
    },
    more: {
      '403 passkey_stale': async (w) => ({ ...(await plain(w)), body: (await asked(w)).body }),
      '403 passkey_refused': async (w) => {
        const { browser, body } = await asked(w, new Authenticator('https://elsewhere.example'));
        return { browser, body };
      },
      '409 passkey_known': async (w) => {
        const { browser, body } = await asked(w, (await owner(w)).key);
        return { browser, body };
      },
    },
    unseen: { 404: 'this hub has the address of its console' },
  },
  [`PATCH ${PATH}/{id}`]: withPassword('', { name: 'Telephone' }, 'PATCH'),
  [`POST ${PATH}/{id}/remove`]: withPassword('/remove', {}),
  [`POST ${SIGN_IN}/start`]: {
    only: 'hub',
    good: (w) => ({ browser: new Browser(w.url) }),
    unseen: { 404: 'this hub has the address of its console' },
  },
  [`POST ${SIGN_IN}/finish`]: {
    only: 'hub',
    good: (w) => signing(w, (key, options) => key.sign(options)),
    more: {
      '403 passkey_unknown': (w) => signing(w, (_, options) => new Authenticator(PUBLIC).sign(options)),
      '403 passkey_refused': (w) => signing(w, (key, options) => key.sign(options, { verified: false })),
    },
    unseen: { 404: 'this hub has the address of its console' },
  },
};
