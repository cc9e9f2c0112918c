import * as z from 'zod/mini';
import { code, tenantCode, zonedTime } from '../../common/core/event/schema.ts';
import { actorOf, tenantFor } from '../../common/http/caller.ts';
import { listOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import { formatTime, parseTime } from '../../common/time.ts';
import { MAX_PICTURE, type NamedPlan, type Plan } from './record.ts';
import { planChange, planInput, planLine, planView } from './schema.ts';
import type { PlanService } from './service.ts';

const cameraRef = z.string().check(z.minLength(1), z.maxLength(128));
const params = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(64)) });
const view = { access: ['admin', 'session'], permission: 'events.view', tag: 'Plans' } as const;
const manage = { access: ['admin', 'session'], permission: 'sites.manage', tag: 'Plans' } as const;
/** A picture in base64, with its pins. */
const maxBody = Math.ceil(MAX_PICTURE / 3) * 4 + 256 * 1024;

/** Drawings of sites, with where their cameras are. */
export const planRoutes = (service: PlanService): Route[] => [
  listRoute(service),
  detailRoute(service),
  createRoute(service),
  changeRoute(service),
  removeRoute(service),
  pictureRoute(service),
];

const listRoute = (service: PlanService): Route =>
  route({
    ...view,
    method: 'GET',
    path: '/api/core/plans',
    query: z.strictObject({
      tenant_code: z.optional(tenantCode),
      instance: z.optional(code(128)),
      camera_ref: z.optional(cameraRef),
    }),
    summary: 'List the plans of sites, without the places of their cameras',
    description: '`camera_ref`: only those on which this camera stands.',
    replies: { 200: { description: 'The plans, by site and name', schema: listOf(planLine) } },
    handle: async ({ actor, query }) => {
      const plans = await service.list({
        tenantCode: tenantFor(actor, query.tenant_code),
        instance: query.instance ?? null,
        cameraRef: query.camera_ref ?? null,
      });
      return { body: { items: plans.map(lineOf), nextCursor: null, hasMore: false } };
    },
  });

const detailRoute = (service: PlanService): Route =>
  route({
    ...view,
    method: 'GET',
    path: '/api/core/plans/{id}',
    params,
    summary: 'A plan of a site, with where its cameras are',
    replies: { 200: { description: 'The plan', schema: planView } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params: { id } }) => ({ body: viewOf(await service.get(id, actor.tenantCode)) }),
  });

const createRoute = (service: PlanService): Route =>
  route({
    ...manage,
    method: 'POST',
    path: '/api/core/plans',
    body: planInput,
    maxBody,
    summary: 'Make a plan of a site from a picture',
    description:
      'The type of the picture is found by its bytes. A page of a PDF is to be made a picture before, as ' +
      'the console does. Pins name cameras as their events do; `x` and `y` are shares of width and height ' +
      'from the upper left corner, so that another picture of the same form keeps them.',
    replies: { 201: { description: 'Made', schema: planView } },
    errors: { 409: 'plan_exists, too_many_plans' },
    handle: async (call) => ({ status: 201, body: viewOf(await service.create(call.body, actorOf(call))) }),
  });

const changeRoute = (service: PlanService): Route =>
  route({
    ...manage,
    method: 'PUT',
    path: '/api/core/plans/{id}',
    params,
    query: z.strictObject({ seen_at: z.optional(zonedTime) }),
    body: planChange,
    maxBody,
    summary: 'Change a plan: its name, its pins, and its picture where one is given',
    description: '`seen_at`: its `updatedAt` as it was read; where it was changed since, 409 `plan_changed`.',
    replies: { 200: { description: 'The plan', schema: planView } },
    errors: { 404: 'not_found', 409: 'plan_exists, plan_changed' },
    handle: async (call) => {
      const seenAt = parseTime(call.query.seen_at ?? '');
      return { body: viewOf(await service.change(call.params.id, call.body, seenAt, actorOf(call))) };
    },
  });

const removeRoute = (service: PlanService): Route =>
  route({
    ...manage,
    method: 'DELETE',
    path: '/api/core/plans/{id}',
    params,
    summary: 'Remove a plan of a site',
    replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
    errors: { 404: 'not_found' },
    handle: async (call) => {
      await service.remove(call.params.id, actorOf(call));
      return { body: { removed: true } };
    },
  });

const pictureRoute = (service: PlanService): Route =>
  route({
    ...view,
    method: 'GET',
    path: '/api/core/plans/{id}/picture',
    params,
    summary: 'The picture of a plan',
    replies: { 200: { description: 'The bytes, of the type that the plan names', contentType: '*/*' } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params: { id } }) => {
      const { plan, bytes } = await service.picture(id, actor.tenantCode);
      return {
        body: bytes,
        contentType: plan.picture.contentType,
        headers: {
          'Cache-Control': 'private, no-store, no-transform',
          'Content-Security-Policy': "default-src 'none'; sandbox",
        },
      };
    },
  });

const lineOf = ({ pins, createdAt, ...plan }: Plan): z.infer<typeof planLine> => ({
  ...plan,
  cameras: pins.length,
  updatedAt: formatTime(plan.updatedAt),
});

const viewOf = ({ createdAt, updatedAt, ...plan }: NamedPlan): z.infer<typeof planView> => ({
  ...plan,
  createdAt: formatTime(createdAt),
  updatedAt: formatTime(updatedAt),
});
