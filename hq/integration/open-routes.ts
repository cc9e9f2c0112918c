import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { described } from '../../common/http/described.ts';
import { route, type Route } from '../../common/http/route.ts';
import { TOKEN_LIFETIME_S } from './decide.ts';
import { enveloped, envelopeOf, NO_STORE } from './envelope.ts';
import type { TokenService } from './token-service.ts';

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
const snapshotView = z
  .object({
    project_code: z.string(),
    project_name: z.string(),
    status: z.int(),
    health_score: z.nullable(z.number()),
    plan_progress: z.nullable(z.number()),
    actual_progress: z.nullable(z.number()),
    milestones_total: z.int(),
    milestones_at_risk: z.int(),
    open_ncr: z.int(),
    generated_at: z.string(),
  })
  .register(described, { id: 'ProjectSnapshot' });

const headerOf = (request: IncomingMessage, name: string): string | undefined =>
  request.headers[name] as string | undefined;

/** What third-party systems call (spec 1, "Endpoints"). */
export function openRoutes(service: TokenService): Route[] {
  return [
    route({
      method: 'POST',
      path: '/open/v1/oauth/token',
      tag,
      access,
      body: tokenBody,
      form: true,
      bodyOptional: true,
      envelope: true,
      maxBody: 16 * 1024,
      summary: 'Exchange client credentials for an access token',
      description:
        'With the header `X-Tenant-Code`. The body is JSON or a form; the credentials may come by HTTP ' +
        'Basic instead. A token is valid 7200 s, for its tenant only, and ends at ' +
        'once when its client is disabled or deleted. After 10 failed requests for one client from one ' +
        'address, or 200 from one address, within 15 minutes, further ones from there are 429 ' +
        'until the 15 minutes are over; other addresses are not held up.',
      replies: { 200: { description: 'The token', schema: envelopeOf(tokenView) } },
      errors: {
        400: 'tenant_required, unsupported_grant_type',
        401: 'invalid_client',
        403: 'client_disabled',
        429: 'too_many_requests',
      },
      handle: async ({ body, request, ip }) => {
        const token = await service.issue({
          grantType: body.grant_type,
          clientId: body.client_id,
          clientSecret: body.client_secret,
          ip,
          authorization: headerOf(request, 'authorization'),
          tenantCode: headerOf(request, 'x-tenant-code'),
        });
        return {
          headers: NO_STORE,
          body: enveloped({ access_token: token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_S }),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/open/v1/project/{project_code}/snapshot',
      tag,
      access,
      envelope: true,
      params: z.strictObject({ project_code: z.string().check(z.minLength(1), z.maxLength(256)) }),
      summary: "Summary of one project of the token's tenant",
      description:
        'With `Authorization: Bearer <access token>`; no tenant header is needed. Progress is in percent.',
      replies: { 200: { description: 'The snapshot', schema: envelopeOf(snapshotView) } },
      errors: { 401: 'invalid_token', 404: 'not_found' },
      handle: async ({ params, request }) => ({
        headers: NO_STORE,
        body: enveloped(await service.snapshot(headerOf(request, 'authorization'), params.project_code)),
      }),
    }),
  ];
}
