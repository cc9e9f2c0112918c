import * as z from 'zod/mini';
import { described } from '../../common/http/described.ts';
import { type Route, route } from '../../common/http/route.ts';
import { ACCESS, TAG } from './document/access.ts';
import type { Origins } from './origin.ts';

const tenantsView = z
  .object({ tenants: z.nullable(z.array(z.string())) })
  .register(described, { id: 'PolicyTenants' });

/** Whose library a caller may ask for, so that it need not try (spec 3, "Authentication"). */
export const tenantsRoute = (origins: Origins): Route =>
  route({
    method: 'GET',
    path: '/api/core/kb/tenants',
    tag: TAG,
    access: ACCESS,
    permission: 'policy.view',
    summary: 'The tenants whose policy library you may use',
    description:
      'Of a portal session its own tenant; of a console session the operator and the evaluation tenant ' +
      'of the configuration, none where neither is named; null for the service channel: every one.',
    replies: { 200: { description: 'The tenant codes', schema: tenantsView } },
    handle: ({ actor }) => ({ body: { tenants: origins.allowed(actor)?.slice() ?? null } }),
  });
