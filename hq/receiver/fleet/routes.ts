import * as z from 'zod/mini';
import { tenantCode } from '../../../common/core/event/schema.ts';
import { actorOf, tenantFor } from '../../../common/http/caller.ts';
import { listOf } from '../../../common/http/list.ts';
import { type Route, route } from '../../../common/http/route.ts';
import type { SiteRegistry } from '../sites.ts';
import type { UplinkStatus } from '../uplink-status.ts';
import { fleetOf } from './decide.ts';
import type { SiteGroupPort } from './port.ts';
import { fleetQuery, fleetView, groupChange, groupView } from './schema.ts';

/** All sites in short, and the groups that they are looked after by. */
export const fleetRoutes = (
  uplinks: UplinkStatus,
  registry: SiteRegistry,
  groups: SiteGroupPort,
): Route[] => [fleetRoute(uplinks), groupsRoute(groups), groupRoute(registry)];

function fleetRoute(uplinks: UplinkStatus): Route {
  return route({
    method: 'GET',
    path: '/api/core/uplink/sites',
    tag: 'Uplink',
    access: ['admin', 'session'],
    permission: 'uplink.view',
    query: fleetQuery,
    summary: 'Sites in short, one line each, by pages',
    description:
      'For lists that are read again and again; GET /api/core/uplink/status has each flow. ' +
      '`q` is part of the id, the name, a tenant or a group of the site; `state` is one or several, ' +
      'separated by commas; `care`: `true` leaves out what is as it should be. Ordered by `state`, ' +
      'worst first and longest unheard within it, unless `order` says otherwise. ' +
      '`total` counts the sites that fit, `counts` all of them by their state, whatever is asked for, and ' +
      '`tenants` and `groups` are what there is to choose from. ' +
      '`there` is what waits at the site to come up, with what was `parked` because it was refused here; ' +
      'null: a site of an older version, which does not tell. `toSite` counts the decisions and orders ' +
      'that wait to go down, `filesWanted` the evidence asked for, `refused` what was not taken here since ' +
      'ever, `shed` what the site deleted to make room. `report` is of its machine; null: nothing yet. ' +
      '`needsCare`: it is not heard, something is parked, or its machine is not as it should be.',
    replies: { 200: { description: 'The sites', schema: fleetView } },
    handle: async ({ actor, query }) => ({
      body: fleetOf(await uplinks.lines(actor.tenantCode), query),
    }),
  });
}

function groupsRoute(groups: SiteGroupPort): Route {
  return route({
    method: 'GET',
    path: '/api/core/site-groups',
    tag: 'Sites',
    access: ['admin', 'session'],
    permission: 'events.view',
    query: z.strictObject({ tenant_code: z.optional(tenantCode) }),
    summary: 'The groups that sites are looked after by, which lists are narrowed to by `site_group`',
    description:
      '`sites` counts those that bring events of the tenant. To the people of a tenant there are the ' +
      'groups of sites that are theirs alone.',
    replies: { 200: { description: 'By name', schema: listOf(groupView) } },
    handle: async ({ actor, query }) => {
      const reader = {
        tenantCode: tenantFor(actor, query.tenant_code),
        bound: actor.tenantCode !== null,
      };
      return { body: { items: await groups.list(reader), nextCursor: null, hasMore: false } };
    },
  });
}

function groupRoute(registry: SiteRegistry): Route {
  return route({
    method: 'POST',
    path: '/api/core/site-groups',
    tag: 'Sites',
    access: ['admin', 'session'],
    permission: 'sites.manage',
    body: groupChange,
    summary: 'Put sites into a group and take others out of it, all of them or none',
    description:
      'A group is there as long as a site is in it; GET /api/core/uplink/sites has all names and lists ' +
      'the sites of one. A site that is in both `add` and `remove` is in it afterwards.',
    replies: {
      200: { description: 'Done', schema: z.object({ name: z.string(), added: z.int(), removed: z.int() }) },
    },
    errors: { 404: 'not_found', 409: 'too_many_groups' },
    handle: async (call) => {
      const { name } = call.body;
      return { body: { name, ...(await registry.regroup(call.body, actorOf(call))) } };
    },
  });
}
