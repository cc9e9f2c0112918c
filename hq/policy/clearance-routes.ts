import * as z from 'zod/mini';
import { type Clock, stampOf } from '../../common/clock.ts';
import { pagedList, viewPage } from '../../common/cursor.ts';
import { actorOf } from '../../common/http/caller.ts';
import { pageOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import { levelOf, rankOf, securityLevels } from '../../common/policy/level.ts';
import type { Origins } from './origin.ts';
import type { ClearancePort } from './port.ts';
import type { Grant } from './record.ts';
import { grantInput, grantsQuery } from './schema.ts';
import { grantView, viewGrant } from './view.ts';

const GRANTS = pagedList('kb-clearance', ['string']);

const access = ['admin', 'session'] as const;
const tag = 'Policy library';
const permission = 'policy.manage';
const path = '/api/core/kb/clearance';

/** Clearance of accounts, tenant by tenant (spec 3, "Clearance levels"). */
export function clearanceRoutes(clearance: ClearancePort, origins: Origins, clock: Clock): Route[] {
  return [
    route({
      method: 'POST',
      path,
      tag,
      access,
      permission,
      body: grantInput,
      summary: 'Grant an account its highest clearance in a tenant; it replaces the one before',
      description:
        'Accounts that were never granted one count as `internal`; to lower one below that, grant `public`.',
      replies: {
        200: {
          description: 'The grant',
          schema: z.extend(grantView, { before: z.nullable(z.enum(securityLevels)) }),
        },
      },
      errors: { 403: 'tenant_not_allowed' },
      handle: async (call) => {
        const { tenant_code: named, subject, level } = call.body;
        const stamp = stampOf(clock);
        const grant: Grant = {
          tenantCode: origins.tenant(call.actor, named),
          subject,
          level: rankOf(level),
          grantedBy: actorOf(call),
          grantedAt: stamp.now,
        };
        const { before } = await clearance.grant(grant, stamp);
        return { body: { ...viewGrant(grant), before: before === null ? null : levelOf(before) } };
      },
    }),
    route({
      method: 'GET',
      path,
      tag,
      access,
      permission,
      query: grantsQuery,
      summary: 'The grants of a tenant, by account',
      replies: { 200: { description: 'A page of grants', schema: pageOf(grantView) } },
      errors: { 403: 'tenant_not_allowed' },
      handle: async ({ actor, query }) => {
        const after = GRANTS.positionOf(query.cursor)?.[0] ?? null;
        const rows = await clearance.list(origins.tenant(actor, query.tenant_code), after, query.limit + 1);
        const page = GRANTS.page(rows, query.limit, ({ subject }) => [subject]);
        return { body: viewPage(page, viewGrant) };
      },
    }),
  ];
}
