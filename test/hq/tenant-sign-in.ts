// Calls about how one signs in, as a customer makes them who has a password alone.
import { expect } from 'vitest';
import { type Answer, jsonOf } from '../support/request.ts';

const CREDENTIAL = { id: 'eA', rawId: 'eA', type: 'public-key' };
const MADE = { ...CREDENTIAL, response: { clientDataJSON: 'eA', attestationObject: 'eA' } };
const SIGNED = {
  ...CREDENTIAL,
  response: { clientDataJSON: 'eA', authenticatorData: 'eA', signature: 'eA' },
};
const WRONG_PASSWORD = { current_password: 'a wrong one' };

export const SIGN_IN = {
  'GET /api/core/session/ways': { status: 200 },
  'POST /api/core/session/provider/start': { status: 404 },
  'POST /api/core/session/provider/finish': { body: () => ({ query: 'code=a&state=b' }), status: 404 },
  'DELETE /api/core/sessions': {
    target: () => '/api/core/sessions?user=bravo-user',
    missing: { target: () => '/api/core/sessions?user=nobody' },
    status: 403,
  },
  'GET /api/core/session/second_factor': {
    status: 200,
    check: (answer: Answer) =>
      expect(jsonOf(answer)).toEqual({
        password: true,
        demanded: false,
        totpSince: null,
        recoveryCodesLeft: 0,
      }),
  },
  'POST /api/core/session/second_factor/authenticator': { body: () => WRONG_PASSWORD, status: 403 },
  'POST /api/core/session/second_factor/recovery_codes': { body: () => WRONG_PASSWORD, status: 403 },
  'POST /api/core/session/second_factor/remove': { body: () => WRONG_PASSWORD, status: 403 },
  'POST /api/core/session/second_factor/confirm': { body: () => ({ code: '123456' }), status: 409 },
  'GET /api/core/session/passkeys': {
    status: 200,
    check: (answer: Answer) => expect(jsonOf(answer)).toMatchObject({ items: [], off: 'no_address' }),
  },
  'POST /api/core/session/passkeys/begin': { body: () => WRONG_PASSWORD, status: 404 },
  'POST /api/core/session/passkeys': { body: () => ({ name: 'x', credential: MADE }), status: 404 },
  'PATCH /api/core/session/passkeys/{id}': {
    target: () => '/api/core/session/passkeys/x',
    body: () => ({ name: 'x', ...WRONG_PASSWORD }),
    status: 403,
  },
  'POST /api/core/session/passkeys/{id}/remove': {
    target: () => '/api/core/session/passkeys/x/remove',
    body: () => WRONG_PASSWORD,
    status: 403,
  },
  'POST /api/core/session/passkey/start': { status: 404 },
  'POST /api/core/session/passkey/finish': { body: () => ({ credential: SIGNED }), status: 404 },
  'POST /api/core/users/{name}/second_factor/reset': {
    status: 403,
    target: () => '/api/core/users/bravo-user/second_factor/reset',
  },
};
