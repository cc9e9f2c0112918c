import * as z from 'zod/mini';
import { sessionOf } from '../../../common/core/session/routes.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { formatTimeOrNull } from '../../../common/time.ts';
import { factorCode, factorView, newTotpView, passwordProof, recoveryCodesView } from './schema.ts';
import type { FactorService } from './service.ts';

const OWN = { tag: 'Sessions', access: ['session'], permission: 'self' } as const;
const PATH = '/api/core/session/second_factor';
const PASSWORD_ERRORS = { 403: 'invalid_credentials, csrf', 429: 'too_many_attempts', 503: 'overloaded' };

/** One's own second factor. */
export function factorRoutes(service: FactorService): Route[] {
  return [
    route({
      ...OWN,
      method: 'GET',
      path: PATH,
      summary: 'Your second factor, and whether one is demanded of you',
      replies: { 200: { description: 'As it is', schema: factorView } },
      handle: async ({ actor }) => {
        const { password, demanded, totpSince, codesLeft } = await service.own(sessionOf(actor));
        return {
          body: { password, demanded, totpSince: formatTimeOrNull(totpSince), recoveryCodesLeft: codesLeft },
        };
      },
    }),
    beginRoute(service),
    confirmRoute(service),
    renewRoute(service),
    removeRoute(service),
  ];
}

const beginRoute = (service: FactorService): Route =>
  route({
    ...OWN,
    method: 'POST',
    path: `${PATH}/authenticator`,
    body: passwordProof,
    summary: 'Begin to set up an authenticator app: the secret, as text and as a picture',
    description: 'It holds once a code of the app has come. The secret is shown this once.',
    errors: { ...PASSWORD_ERRORS, 409: 'second_factor_set' },
    replies: { 200: { description: 'For the app', schema: newTotpView } },
    handle: async ({ actor, body }) => ({
      body: await service.begin(sessionOf(actor), body.current_password),
    }),
  });

const confirmRoute = (service: FactorService): Route =>
  route({
    ...OWN,
    method: 'POST',
    path: `${PATH}/confirm`,
    body: factorCode,
    summary: 'Show a code of the app, which is the second factor from then on; your other sessions end',
    description:
      'Answers with ten recovery codes, each for one login without the app. They are shown this once.',
    errors: { 403: 'second_factor_wrong, csrf', 409: 'no_second_factor', 429: 'too_many_attempts' },
    replies: { 200: { description: 'Set', schema: recoveryCodesView } },
    handle: async (call) => ({
      body: {
        recoveryCodes: await service.confirm(sessionOf(call.actor), call.body.code, actorOf(call)),
      },
    }),
  });

const renewRoute = (service: FactorService): Route =>
  route({
    ...OWN,
    method: 'POST',
    path: `${PATH}/recovery_codes`,
    body: passwordProof,
    summary: 'Make other recovery codes; those that there were are worth nothing',
    errors: { ...PASSWORD_ERRORS, 409: 'no_second_factor' },
    replies: { 200: { description: 'The codes, this once', schema: recoveryCodesView } },
    handle: async (call) => ({
      body: {
        recoveryCodes: await service.renewCodes(
          sessionOf(call.actor),
          call.body.current_password,
          actorOf(call),
        ),
      },
    }),
  });

const removeRoute = (service: FactorService): Route =>
  route({
    ...OWN,
    method: 'POST',
    path: `${PATH}/remove`,
    body: passwordProof,
    summary: 'Remove your second factor; your other sessions end',
    errors: { ...PASSWORD_ERRORS, 409: 'no_second_factor, second_factor_demanded' },
    replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
    handle: async (call) => {
      await service.remove(sessionOf(call.actor), call.body.current_password, actorOf(call));
      return { body: { removed: true } };
    },
  });
