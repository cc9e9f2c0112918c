import type { Access, Route } from '../route.ts';
import type { Json } from './schemas.ts';

const SECURITY: Record<Exclude<Access, 'public'>, string> = {
  admin: 'adminKey',
  session: 'session',
  node: 'nodeSignature',
  site: 'siteSignature',
  consumer: 'consumerSignature',
};

const signature = (whose: string): Json => ({
  type: 'apiKey',
  in: 'header',
  name: 'X-Core-Signature',
  description:
    `Signed with the key of a ${whose}: X-Core-Key, X-Core-Timestamp and X-Core-Signature; see ` +
    '"Signature" in the description of this API.',
});

const SECURITY_SCHEMES: Json = {
  adminKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Admin-Key',
    description: 'The key of the configuration, or a named one: POST /api/core/admin_keys',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'fieldline_session',
    description: 'Set by POST /api/core/session/login; with X-Requested-With: fieldline on every change',
  },
  nodeSignature: signature('node'),
  siteSignature: signature('site'),
  consumerSignature: signature('consumer'),
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The access token of POST /open/v1/oauth/token: for the open interface, and, of a client with ' +
      'scopes, for the calls that name one of these with consumerSignature',
  },
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Signature',
    description:
      'What this program signs its webhooks with, and Standard Webhooks beside it: see each of them',
  },
  clientSecret: {
    type: 'http',
    scheme: 'basic',
    description: 'The open interface alone: client_id and client_secret; they may stand in the body instead',
  },
};

/** The ways in, each sufficient; an empty one stands for no credentials at all. */
export function securityOf(route: Route): Json[] {
  if (route.credentials === 'token') return [{ accessToken: [] }];
  if (route.credentials === 'client') return [{ clientSecret: [] }, {}];
  if (route.access.includes('public')) return [];
  const guarded = route.access.filter((way): way is Exclude<Access, 'public'> => way !== 'public');
  return [
    ...guarded.flatMap((way) =>
      way === 'consumer'
        ? (route.scopes ?? []).map((scope) => ({ [SECURITY[way]]: [scope] }))
        : [{ [SECURITY[way]]: [] }],
    ),
    ...(route.openTo === undefined ? [] : [{}]),
  ];
}

/** The schemes that these routes name. @param sends whether webhooks are sent */
export function schemesOf(routes: readonly Route[], sends: boolean): Json {
  const used = new Set(routes.flatMap((route) => securityOf(route).flatMap((way) => Object.keys(way))));
  if (sends) used.add('webhookSignature');
  return Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => used.has(name)));
}
