import * as z from 'zod/mini';
import { described } from '../../common/http/described.ts';
import { type Route, route } from '../../common/http/route.ts';
import { formatTime } from '../../common/time.ts';
import type { LoginCodes } from './codes.ts';

/** How somebody at the gateway lets a telephone in. @param addresses of the page */
export function loginCodeRoute(codes: LoginCodes, addresses: () => readonly string[]): Route {
  return route({
    method: 'POST',
    path: '/api/core/session/codes',
    tag: 'Sessions',
    access: ['admin'],
    summary: 'Make a short code for the login of the page, good once and for ten minutes',
    description:
      'A new code takes the place of the one before; a restart of the site ends it. ' +
      '`addresses` are those of the page in the network of the site.',
    replies: {
      201: {
        description: 'The code, shown this once',
        schema: z
          .object({ code: z.string(), expiresAt: z.string(), addresses: z.array(z.string()) })
          .register(described, { id: 'LoginCode' }),
      },
    },
    handle: ({ actor }) => {
      const { code, expiresAt } = codes.issue(actor.name);
      return { status: 201, body: { code, expiresAt: formatTime(expiresAt), addresses: [...addresses()] } };
    },
  });
}
