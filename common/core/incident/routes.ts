import * as z from 'zod/mini';
import { actorOf, tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { idParam, keptBy, limitParam, pageOf } from '../../http/list.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import { code, tenantCode } from '../event/schema.ts';
import {
  confirmInput,
  incidentLayers,
  incidentStates,
  mergeInput,
  splitInput,
  upsertInput,
} from './schema.ts';
import type { Deciding, IncidentService } from './service.ts';
import { detailView, incidentView, orderedView, viewOf, viewOfDetail, viewOfOrdered } from './view.ts';

const cursor = z.optional(z.string().check(z.maxLength(512)));
const listQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  layer: z.optional(z.enum(incidentLayers)),
  site_ref: z.optional(code(128)),
  instance: z.optional(code(128)),
  state: z.optional(z.enum(incidentStates)),
  event_id: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  include_test: z._default(z.enum(['true', 'false']), 'false'),
  limit: limitParam(100, 1000),
  cursor,
});
const upsertReply = z
  .object({
    id: z.nullable(z.int()),
    created: z.boolean(),
    added: z.int(),
    skipped: z.array(z.object({ eventId: z.int(), incidentId: z.int() })),
    differences: z.array(z.object({ field: z.string(), reported: z.unknown(), computed: z.unknown() })),
    redirectedFrom: z.nullable(z.int()),
  })
  .register(described, { id: 'IncidentUpsertResult' });
const KEPT = 'group_changed, group_ordered, group_of_site, site_outdated; write_contention (retryable)';
const CLOSED = `incident_closed, ${KEPT}`;
const ORDERED = { description: 'The site that keeps the group was ordered to do it', schema: orderedView };
/** What is said of every decision. */
const BY_ORDER =
  ' A group that a site keeps is changed there: the answer is 202 with the order, whose state the group ' +
  'shows (`orders`). The site refuses it where somebody there decided on the group meanwhile. One order ' +
  'waits for a group at a time (`group_ordered`). `seen` names the `revision` of each group as the caller ' +
  'saw it: where somebody else decided since, the answer is 409 `group_changed`.';
const TAG = 'Incidents';

function decidingOf(call: Pick<Call<{ id: number }>, 'params' | 'actor' | 'ip'>): Deciding {
  return { id: call.params.id, actor: call.actor, actorText: actorOf(call) };
}

/** Groups of events that are one incident (spec 2, "Incident groups"). */
export function incidentRoutes(service: IncidentService, self: string): Route[] {
  return [upsertRoute(service), ...readRoutes(service, self), ...decisionRoutes(service)];
}

function upsertRoute(service: IncidentService): Route {
  return route({
    method: 'POST',
    path: '/api/core/incidents/upsert',
    tag: TAG,
    access: ['admin', 'session', 'consumer'],
    permission: 'incidents.manage',
    scopes: ['incidents.write'],
    body: upsertInput,
    summary: 'Write back one group, by its source key; members are only added',
    description:
      'They are added to where the group was merged, if it was (`redirectedFrom`). Facts are computed ' +
      'from the members; what was reported is compared and differences ' +
      'are listed. An event that belongs to another group of the layer is skipped and named with that ' +
      'group; `id` is null when that leaves nothing to make a group of.',
    replies: {
      201: { description: 'The group was created', schema: upsertReply },
      200: { description: 'The group was known, or none was made', schema: upsertReply },
    },
    errors: { 403: 'forbidden, tenant_mismatch', 409: 'write_contention (retryable)' },
    handle: async (call) => {
      const answer = await service.upsert(call.body, call.actor, actorOf(call));
      return { status: answer.created ? 201 : 200, body: answer };
    },
  });
}

function readRoutes(service: IncidentService, self: string): Route[] {
  const access = ['admin', 'session', 'consumer'] as const;
  const permission = 'events.view';
  const scopes = ['incidents.read', 'incidents.write'] as const;
  return [
    route({
      method: 'GET',
      path: '/api/core/incidents',
      tag: TAG,
      access,
      permission,
      scopes,
      query: listQuery,
      summary: 'List live real groups by the time of their last member, newest first',
      description:
        '`event_id`: those that this event is a member of, at most one a layer. Test groups also, with ' +
        '`include_test=true`; groups of one state with `state` (`closed`: those ' +
        'merged away); those that one site keeps, or headquarters itself, with `instance`.',
      replies: { 200: { description: 'A page of groups', schema: pageOf(incidentView) } },
      handle: async ({ actor, query }) => {
        const filter = {
          tenantCode: tenantFor(actor, query.tenant_code),
          includeTest: query.include_test === 'true',
          ...(query.state === undefined ? {} : { state: query.state }),
          ...(query.event_id === undefined ? {} : { eventId: query.event_id }),
          ...(query.layer === undefined ? {} : { layer: query.layer }),
          ...(query.site_ref === undefined ? {} : { siteRef: query.site_ref }),
          ...keptBy(query.instance, self),
        };
        const page = await service.list(filter, query.cursor, query.limit);
        return { body: { ...page, items: page.items.map(viewOf) } };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/incidents/{id}',
      tag: TAG,
      access,
      permission,
      scopes,
      params: idParam,
      query: z.strictObject({ tenant_code: z.optional(tenantCode), limit: limitParam(200, 1000), cursor }),
      summary:
        'One group with a page of its members, earliest first, and the groups that the same events ' +
        'belong to in other layers',
      description:
        'A group that was merged away says where it went (`wentTo`) and shows its former members. ' +
        '`cursor` pages through the members.',
      replies: { 200: { description: 'The group', schema: detailView } },
      errors: { 404: 'not_found' },
      handle: async ({ actor, params, query }) => ({
        body: viewOfDetail(
          await service.detail(params.id, actor.tenantCode ?? query.tenant_code ?? null, query),
          self,
        ),
      }),
    }),
  ];
}

function decisionRoutes(service: IncidentService): Route[] {
  const common = {
    method: 'POST',
    tag: TAG,
    access: ['admin', 'session'],
    permission: 'incidents.manage',
    params: idParam,
  } as const;
  return [
    route({
      ...common,
      path: '/api/core/incidents/{id}/confirm',
      body: confirmInput,
      summary: 'A person confirms the group; the first appearance is locked',
      description: `Confirming again changes nothing and answers \`changed: false\`.${BY_ORDER}`,
      replies: {
        202: ORDERED,
        200: { description: 'The group', schema: z.object({ changed: z.boolean(), incident: incidentView }) },
      },
      errors: { 404: 'not_found', 409: CLOSED },
      handle: async (call) => {
        const done = await service.confirm(decidingOf(call), call.body);
        if (done.kind === 'ordered') return { status: 202, body: viewOfOrdered(done) };
        return { body: { changed: done.changed, incident: viewOf(done.incident) } };
      },
    }),
    route({
      ...common,
      path: '/api/core/incidents/{id}/split',
      body: splitInput,
      summary:
        'A person splits members off into a new group; the group keeps its state and at least one member',
      description:
        'The new group is in state `split`; an agent that writes its events back again does not pull ' +
        'them out of it. A first appearance that is not locked yet is taken ' +
        `anew from what is left, then locked in both.${BY_ORDER}`,
      replies: {
        202: ORDERED,
        201: {
          description: 'The group and what was split off',
          schema: z.object({ incident: incidentView, splitOff: incidentView }),
        },
      },
      errors: { 404: 'not_found', 409: CLOSED },
      handle: async (call) => {
        const done = await service.split(decidingOf(call), call.body);
        if (done.kind === 'ordered') return { status: 202, body: viewOfOrdered(done) };
        return {
          status: 201,
          body: { incident: viewOf(done.incident), splitOff: viewOf(done.splitOff) },
        };
      },
    }),
    route({
      ...common,
      path: '/api/core/incidents/{id}/merge',
      body: mergeInput,
      summary:
        'A person moves the members of other groups of the tenant and layer into this one, which keeps ' +
        'its state',
      description:
        'The others are closed and point here. All of them or none. Groups of different keepers cannot be ' +
        `one: each keeps its events itself (\`group_of_site\`).${BY_ORDER}`,
      replies: {
        202: ORDERED,
        200: {
          description: 'The group and those merged into it',
          schema: z.object({ incident: incidentView, merged: z.array(incidentView) }),
        },
      },
      errors: { 404: 'not_found', 409: CLOSED },
      handle: async (call) => {
        const done = await service.merge(decidingOf(call), call.body);
        if (done.kind === 'ordered') return { status: 202, body: viewOfOrdered(done) };
        return { body: { incident: viewOf(done.incident), merged: done.merged.map(viewOf) } };
      },
    }),
    route({
      ...common,
      path: '/api/core/incidents/{id}/unmerge',
      body: confirmInput,
      summary: 'Restore a group that was merged away, in its former state',
      description:
        'With its former members and what its agent added since. Refused once any of them was cleared ' +
        `or split off (\`members_gone\`).${BY_ORDER}`,
      replies: {
        202: ORDERED,
        200: {
          description: 'The group and the one it was taken back from',
          schema: z.object({ incident: incidentView, from: incidentView }),
        },
      },
      errors: {
        404: 'not_found',
        409: `not_merged, members_gone, every_member, ${KEPT}`,
      },
      handle: async (call) => {
        const done = await service.unmerge(decidingOf(call), call.body);
        if (done.kind === 'ordered') return { status: 202, body: viewOfOrdered(done) };
        return { body: { incident: viewOf(done.incident), from: viewOf(done.from) } };
      },
    }),
  ];
}
