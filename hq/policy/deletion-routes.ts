import * as z from 'zod/mini';
import { type Clock, stampOf } from '../../common/clock.ts';
import { actorOf } from '../../common/http/caller.ts';
import { notFound } from '../../common/http/error.ts';
import { pageOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import type { DeletionService } from './deletion.ts';
import type { Origins } from './origin.ts';
import type { RetentionScopePort } from './port.ts';
import { deletionInput, deletionPreviewInput, scopeClearInput, scopeInput, scopesQuery } from './schema.ts';
import { scopeView, viewScope } from './view.ts';

const counts = { tenantCode: z.string(), docs: z.int(), chunks: z.int(), clearance: z.int(), qaLog: z.int() };

/** Targeted deletion of a tenant (spec 3), only with the admin key. */
export function deletionRoutes(service: DeletionService): Route[] {
  const access = ['admin'] as const;
  const tag = 'Policy library';
  const errors = { 409: 'originals_missing', 503: 'originals_unavailable' };
  return [
    route({
      method: 'POST',
      path: '/api/core/kb/tenant_deletion/preview',
      tag,
      access,
      body: deletionPreviewInput,
      summary:
        'What a targeted deletion would delete; refused when the store of the originals cannot be reached',
      replies: { 200: { description: 'The counts', schema: z.object({ ...counts, originals: z.int() }) } },
      errors,
      handle: async ({ body }) => ({
        body: {
          tenantCode: body.tenant_code,
          ...(await service.preview(body.tenant_code, body.accept_missing)),
        },
      }),
    }),
    route({
      method: 'POST',
      path: '/api/core/kb/tenant_deletion',
      tag,
      access,
      body: deletionInput,
      summary:
        "Delete a tenant's policy files, chunks, clearance grants and question-and-answer log, then " +
        'its originals',
      description:
        '`confirm` is the tenant code once more. When the store of the originals cannot be reached, or ' +
        'shows fewer than the ledger knows to be stored, nothing is deleted; `accept_missing` says how ' +
        'many of ' +
        'them are lost for good. Should it fail between the rows and the originals, `originals` is ' +
        'null and they are deleted in the background; repeating the call is harmless. Knowledge ' +
        'objects stay.',
      replies: {
        200: {
          description: 'What was deleted',
          schema: z.object({ ...counts, originals: z.nullable(z.int()) }),
        },
      },
      errors,
      handle: async (call) => ({
        body: {
          tenantCode: call.body.tenant_code,
          ...(await service.delete(call.body.tenant_code, actorOf(call), call.body.accept_missing)),
        },
      }),
    }),
  ];
}

/** How long what a tenant logs is kept. */
export function retentionScopeRoutes(scopes: RetentionScopePort, origins: Origins, clock: Clock): Route[] {
  const access = ['admin', 'session'] as const;
  const permission = 'policy.manage';
  const tag = 'Operation';
  const path = '/api/core/retention/scopes';
  const errors = { 403: 'tenant_not_allowed' };
  return [
    route({
      method: 'GET',
      path,
      tag,
      access,
      permission,
      query: scopesQuery,
      summary: 'What tenants set to be deleted by age',
      replies: { 200: { description: 'The scopes', schema: pageOf(scopeView) } },
      errors,
      handle: async ({ actor, query }) => {
        const tenants = origins.tenants(actor, query.tenant_code);
        const all =
          tenants === null
            ? await scopes.list(null)
            : (await Promise.all(tenants.map((tenant) => scopes.list(tenant)))).flat();
        return { body: { items: all.map(viewScope), nextCursor: null, hasMore: false } };
      },
    }),
    route({
      method: 'POST',
      path,
      tag,
      access,
      permission,
      body: scopeInput,
      summary: 'Keep the question-and-answer log of a tenant for so many days; cleaned hourly',
      description: 'Until this is set nothing of the log is deleted. There is no default for `days`.',
      replies: { 200: { description: 'The scope', schema: scopeView } },
      errors,
      handle: async (call) => {
        const { tenant_code: named, scope, days } = call.body;
        return {
          body: viewScope(
            await scopes.set(
              { tenantCode: origins.tenant(call.actor, named), scope, days, actor: actorOf(call) },
              stampOf(clock),
            ),
          ),
        };
      },
    }),
    route({
      method: 'DELETE',
      path,
      tag,
      access,
      permission,
      query: scopeClearInput,
      summary: 'Keep it for ever again',
      replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
      errors: { ...errors, 404: 'not_found' },
      handle: async (call) => {
        const { tenant_code: named, scope } = call.query;
        if (!(await scopes.clear(origins.tenant(call.actor, named), scope, actorOf(call), stampOf(clock))))
          throw notFound('The retention scope');
        return { body: { removed: true } };
      },
    }),
  ];
}
