// Calls about second factors and the provider of identities.
import { TOTP } from 'otpauth';
import { Browser } from '../../support/browser.ts';
import { throughProvider } from '../../support/identity-provider.ts';
import { expectStatus } from '../../support/request.ts';
import { at, type Line } from './line.ts';
import { guesses } from './operation.ts';
import { type Ask, PASSWORD, PUBLIC, type World } from './world.ts';

const PATH = '/api/core/session/second_factor';
const proof = { current_password: PASSWORD };
const SEEN_ELSEWHERE = { 409: 'test/hq/second-factor.test.ts sees it' };
const codeOf = (secret: string): string => new TOTP({ secret }).generate();

const plain = async (w: World): Promise<{ browser: Browser }> => ({ browser: await w.login(await w.user()) });

/** A user who sets up an authenticator app. */
async function beginning(w: World): Promise<{ name: string; browser: Browser; secret: string }> {
  const name = await w.user();
  const browser = await w.login(name);
  const answer = await browser.call('POST', `${PATH}/authenticator`, { body: proof });
  const { secret } = JSON.parse(expectStatus(answer, 200).text) as { secret: string };
  return { name, browser, secret };
}

/** The same, who has done so. */
export async function factored(w: World): Promise<{ name: string; browser: Browser }> {
  const { name, browser, secret } = await beginning(w);
  const body = { code: codeOf(secret) };
  expectStatus(await browser.call('POST', `${PATH}/confirm`, { body }), 200);
  return { name, browser };
}

/** Lines of what asks for the password once more. */
const withPassword = (path: string, made: (w: World) => Promise<{ browser: Browser }>): Line => ({
  only: 'hub',
  good: async (w) => ({ browser: (await made(w)).browser, body: proof }),
  more: {
    '403 invalid_credentials': async (w) => ({
      browser: (await made(w)).browser,
      body: { current_password: 'wrong' },
    }),
    '429 too_many_attempts': async (w) => {
      const body = { current_password: 'wrong' };
      const again = (browser: Browser) => browser.call('POST', path, { body });
      return { ...(await guesses(again)((await made(w)).browser)), body };
    },
  },
  unseen: SEEN_ELSEWHERE,
});

export const SECOND_FACTOR: Record<string, Line> = {
  'GET /api/core/session/second_factor': { only: 'hub', good: () => ({ as: 'session' }) },
  'POST /api/core/session/second_factor/authenticator': withPassword(`${PATH}/authenticator`, plain),
  'POST /api/core/session/second_factor/confirm': {
    only: 'hub',
    good: async (w) => {
      const { browser, secret } = await beginning(w);
      return { browser, body: { code: codeOf(secret) } };
    },
    more: {
      '403 second_factor_wrong': async (w) => ({
        browser: (await beginning(w)).browser,
        body: { code: 'AAAA-AAAA' },
      }),
      '409 no_second_factor': async (w) => ({ ...(await plain(w)), body: { code: '123456' } }),
      '429 too_many_attempts': async (w) => {
        const body = { code: 'AAAA-AAAA' };
        const again = (browser: Browser) => browser.call('POST', `${PATH}/confirm`, { body });
        return { ...(await guesses(again)((await beginning(w)).browser)), body };
      },
    },
  },
  'POST /api/core/session/second_factor/recovery_codes': withPassword(`${PATH}/recovery_codes`, factored),
  'POST /api/core/session/second_factor/remove': withPassword(`${PATH}/remove`, factored),
  'POST /api/core/users/{name}/second_factor/reset': {
    only: 'hub',
    good: async (w) => at(`/api/core/users/${(await factored(w)).name}/second_factor/reset`),
    more: {
      '409 no_second_factor': async (w) => at(`/api/core/users/${await w.user()}/second_factor/reset`),
    },
  },
};

const PROVIDER = '/api/core/session/provider';

/** Somebody of that name comes back from the provider. */
async function returning(w: World, name: string): Promise<Ask> {
  const { identities } = w;
  if (identities === null) throw new Error('only headquarters has a provider');
  const subject = w.fresh('subject');
  identities.person = subject;
  identities.claims[subject] = { preferred_username: name, groups: ['desk'] };
  const browser = new Browser(w.url);
  const answer = expectStatus(await browser.call('POST', `${PROVIDER}/start`), 200);
  const { goTo } = JSON.parse(answer.text) as { goTo: string };
  return { browser, body: { query: await throughProvider(goTo, PUBLIC) } };
}

export const SIGN_IN: Record<string, Line> = {
  'GET /api/core/session/ways': { only: 'hub', good: () => ({}) },
  'POST /api/core/session/provider/start': {
    only: 'hub',
    good: (w) => ({ browser: new Browser(w.url) }),
    unseen: { 404: 'this hub has a provider', 502: 'which is there' },
  },
  'POST /api/core/session/provider/finish': {
    only: 'hub',
    good: (w) => returning(w, w.fresh('person')),
    more: {
      '403 sign_in_stale': () => ({ body: { query: 'code=x&state=y' } }),
      '409 provider_name_taken': (w) => returning(w, 'chief'),
    },
    unseen: { 404: 'this hub has a provider', 502: 'which is there' },
  },
  'POST /api/core/session/provider/logout': {
    only: 'hub',
    good: async (w) => ({ browser: await w.login(await w.user()) }),
  },
};
