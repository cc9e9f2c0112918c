import * as z from 'zod/mini';
import { code } from '../../../common/core/event/schema.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { described } from '../../../common/http/described.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { formatTime } from '../../../common/time.ts';
import type { JoiningCodes } from './codes.ts';

/** How a site gets its key without anybody carrying it there. */
export const joiningRoutes = (codes: JoiningCodes): Route[] => [codeRoute(codes), joinRoute(codes)];

function codeRoute(codes: JoiningCodes): Route {
  return route({
    method: 'POST',
    path: '/api/core/sites/{instance}/codes',
    tag: 'Sites',
    access: ['admin', 'session'],
    permission: 'sites.manage',
    params: z.strictObject({ instance: code(128) }),
    summary: 'Make a short code with which the site fetches a key of its own, once and within ten minutes',
    description: 'A new code takes the place of the one before. Keys that the site has stay as they are.',
    replies: {
      201: {
        description: 'The code, shown this once',
        schema: z
          .object({ instance: z.string(), code: z.string(), expiresAt: z.string() })
          .register(described, { id: 'JoiningCode' }),
      },
    },
    errors: { 404: 'not_found', 409: 'too_many_keys' },
    handle: async (call) => {
      const { instance } = call.params;
      const made = await codes.issue(instance, actorOf(call));
      return { status: 201, body: { instance, code: made.code, expiresAt: formatTime(made.expiresAt) } };
    },
  });
}

function joinRoute(codes: JoiningCodes): Route {
  return route({
    method: 'POST',
    path: '/api/core/sites/join',
    tag: 'Sites',
    access: ['public'],
    maxBody: 4 * 1024,
    body: z
      .strictObject({ code: z.string().check(z.maxLength(64)), instance: z.optional(code(128)) })
      .register(described, { id: 'Joining', example: { code: '7K2M-Q9TD', instance: 'tunnel-7' } }),
    summary: 'Give a site its key for the code that was made for it',
    description:
      'For `fieldline-site setup`. A code is good once, for ten minutes, and for the site that it was made ' +
      'for; case and blanks do not matter. After five wrong codes from one address each further one waits ' +
      'longer, 429 with `Retry-After`; a right one is taken meanwhile.',
    replies: {
      200: {
        description: 'The key with its secret, given this once',
        schema: z.object({ instance: z.string(), keyId: z.string(), secret: z.string() }),
      },
    },
    errors: { 401: 'invalid_code', 409: 'too_many_keys', 429: 'too_many_attempts' },
    handle: async ({ body, ip }) => ({ body: await codes.redeem(body.code, body.instance, ip) }),
  });
}
