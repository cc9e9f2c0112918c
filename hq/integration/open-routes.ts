import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { tenantCode } from '../../common/core/event/schema.ts';
import { described } from '../../common/http/described.ts';
import { throughUnnamedProxy } from '../../common/http/forwarded.ts';
import { askedOrigin } from '../../common/http/origin.ts';
import type { NetworkList } from '../../common/http/outbound/address.ts';
import { type Route, route } from '../../common/http/route.ts';
import { TOKEN_LIFETIME_S } from './decide.ts';
import { enveloped, envelopeOf, NO_STORE, OPEN_CODES_TEXT } from './envelope.ts';
import type { TokenService } from './token/service.ts';

const access = ['public'] as const;
const tag = 'Open interface';

/** Members that OAuth clients send beside these (`scope` …) are passed over. */
const tokenBody = z
  .object({
    grant_type: z.optional(z.string().check(z.maxLength(256))),
    client_id: z.optional(z.string().check(z.maxLength(256))),
    client_secret: z.optional(z.string().check(z.maxLength(1024))),
  })
  .register(described, { id: 'TokenRequest' });
const tokenView = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.literal(TOKEN_LIFETIME_S),
  })
  .register(described, { id: 'Token' });
/** In the envelope, and beside it as RFC 6749 §5.1 has it. */
const tokenAnswer = z
  .extend(envelopeOf(tokenView), tokenView.def.shape)
  .register(described, { id: 'TokenAnswer' });

const told = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  described.add(schema, { description });
  return schema;
};
const percent =
  'percent, the plain mean over the leaves of the work breakdown, to two decimals; null: none says it';
const snapshotView = z
  .object({
    project_code: told(z.string(), 'Code of the project in the business system'),
    project_name: told(z.nullable(z.string()), 'Its name there; null: it states none'),
    status: told(
      z.nullable(z.int()),
      'Its status there: a code of the business system; null: it states none',
    ),
    health_score: told(z.nullable(z.number()), '0 to 100; null: not assessed'),
    plan_progress: told(z.nullable(z.number()), `Planned progress in ${percent}`),
    actual_progress: told(z.nullable(z.number()), `Actual progress in ${percent}`),
    milestones_total: told(z.int(), 'Milestones of the project'),
    milestones_at_risk: told(z.int(), 'Those of them with the status 4 (warning) or 5 (delayed)'),
    open_ncr: told(z.int(), 'Quality nonconformities that are not closed'),
    generated_at: told(
      z.string(),
      'When this answer was made, Beijing time; the data are as old as the last pull',
    ),
  })
  .register(described, { id: 'ProjectSnapshot' });

const headerOf = (request: IncomingMessage, name: string): string | undefined =>
  request.headers[name] as string | undefined;

const TOKEN_PATH = '/open/v1/oauth/token';

/** What third-party systems call (spec 1, "Endpoints"). */
export function openRoutes(service: TokenService): Route[] {
  return [
    route({
      method: 'POST',
      path: TOKEN_PATH,
      tag,
      access,
      body: tokenBody,
      form: true,
      bodyOptional: true,
      credentials: 'client',
      headers: {
        'X-Tenant-Code': {
          required: false,
          description: 'The tenant of the client, unless `tenant_code` names it',
          example: 'acme',
        },
      },
      query: z.strictObject({ tenant_code: z.optional(tenantCode) }),
      envelope: true,
      maxBody: 16 * 1024,
      summary: 'Exchange client credentials for an access token',
      description:
        'The body is JSON or a form; the credentials may come by HTTP ' +
        'Basic instead. The tenant of the client stands in `X-Tenant-Code`, or, for OAuth clients that ' +
        'set no headers, in the address (`?tenant_code=acme`). ' +
        'A token is valid 7200 s, for its tenant only, and ends at ' +
        'once when its client is disabled or deleted. After 10 failed requests for one client from one ' +
        'address within 15 minutes, all for it from there are 429 until the 15 minutes are over; after 200 ' +
        'from one address, all from there that fail. Other addresses are not held up. `RateLimit` says how ' +
        'many failed requests are borne still (`r`) for how many seconds (`t`), of this client ' +
        '(`"client"`) and in all (`"address"`), and `RateLimit-Policy` how many at the most (`q`) in ' +
        'how many seconds ' +
        '(`w`). The token stands in `data`, and ' +
        'beside it as RFC 6749 has it, so that OAuth clients take the answer as it is.\n\n' +
        OPEN_CODES_TEXT,
      replies: { 200: { description: 'The token', schema: tokenAnswer } },
      errors: {
        400: 'tenant_required, unsupported_grant_type',
        401: 'invalid_client',
        403: 'client_disabled',
        429: 'too_many_requests',
      },
      handle: async ({ body, query, request, ip }) => {
        const { token, headers } = await service.issue({
          grantType: body.grant_type,
          clientId: body.client_id,
          clientSecret: body.client_secret,
          ip,
          unsureIp: throughUnnamedProxy(request, ip),
          authorization: headerOf(request, 'authorization'),
          tenantCode: headerOf(request, 'x-tenant-code') ?? query.tenant_code,
          otherTenant: query.tenant_code,
        });
        const issued = { access_token: token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_S };
        return { headers: { ...NO_STORE, ...headers }, body: { ...enveloped(issued), ...issued } };
      },
    }),
    route({
      method: 'GET',
      path: '/open/v1/project/{project_code}/snapshot',
      tag,
      access,
      credentials: 'token',
      envelope: true,
      anyTarget: true,
      params: z.strictObject({ project_code: z.string().check(z.minLength(1), z.maxLength(512)) }),
      summary: "Summary of one project of the token's tenant",
      description:
        'With `Authorization: Bearer <access token>`; no tenant header is needed. The token is looked at ' +
        'before anything else, and parameters that are not known are passed over. What is told is what ' +
        'headquarters has pulled of the business system: as old as the last run of its datasets, by the ' +
        'schedule of the source (`lastRun` of `GET /api/dataset/sources/{id}`).\n\n' +
        OPEN_CODES_TEXT,
      replies: { 200: { description: 'The snapshot', schema: envelopeOf(snapshotView) } },
      errors: { 401: 'invalid_token', 404: 'not_found', 409: 'several_projects' },
      handle: async ({ params, request }) => ({
        headers: NO_STORE,
        body: enveloped(await service.snapshot(headerOf(request, 'authorization'), params.project_code)),
      }),
    }),
  ];
}

const serverMetadata = z
  .object({
    issuer: z.string(),
    token_endpoint: z.string(),
    grant_types_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    service_documentation: z.string(),
  })
  .register(described, { id: 'AuthorizationServer' });

const METADATA_PATH = '/.well-known/oauth-authorization-server';

/**
 * By which OAuth clients find the token endpoint (RFC 8414).
 * @param trusted proxies that say under which host they were asked
 */
export function metadataRoutes(trusted: NetworkList): Route[] {
  const metadata = (origin: string, tenant: string | null): z.infer<typeof serverMetadata> => ({
    issuer: tenant === null ? origin : `${origin}/${tenant}`,
    token_endpoint:
      origin + TOKEN_PATH + (tenant === null ? '' : `?${new URLSearchParams({ tenant_code: tenant })}`),
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    service_documentation: `${origin}/docs`,
  });
  const shown = {
    method: 'GET',
    tag,
    access,
    replies: { 200: { description: 'The metadata', schema: serverMetadata } },
  } as const;
  return [
    route({
      ...shown,
      path: METADATA_PATH,
      summary: 'Where tokens are had, for OAuth clients (RFC 8414)',
      description:
        'The token endpoint that it names wants the header `X-Tenant-Code`. Clients that set no headers ' +
        'take the issuer of their tenant, `/{tenant_code}`.',
      handle: ({ request }) => Promise.resolve({ body: metadata(askedOrigin(request, trusted), null) }),
    }),
    route({
      ...shown,
      path: `${METADATA_PATH}/{tenant_code}`,
      params: z.strictObject({ tenant_code: tenantCode }),
      summary: 'Where tokens of one tenant are had, for OAuth clients (RFC 8414)',
      description:
        'Of the issuer `/{tenant_code}`. The token endpoint has the tenant in its address, so that no ' +
        'header is needed. The answer is the same whether there is such a tenant.',
      handle: ({ params, request }) =>
        Promise.resolve({ body: metadata(askedOrigin(request, trusted), params.tenant_code) }),
    }),
  ];
}
