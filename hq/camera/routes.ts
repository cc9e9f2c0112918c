import * as z from 'zod/mini';
import { type Clock, stampOf } from '../../common/clock.ts';
import { code, tenantCode } from '../../common/core/event/schema.ts';
import { actorOf, tenantFor } from '../../common/http/caller.ts';
import { described } from '../../common/http/described.ts';
import { notFound } from '../../common/http/error.ts';
import { listOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import type { CameraNamePort } from './port.ts';
import { tooManyNames } from './refusals.ts';

const PATH = '/api/core/camera-names';

const nameInput = z
  .strictObject({
    tenant_code: tenantCode,
    instance: code(128),
    camera_ref: z.string().check(z.minLength(1), z.maxLength(128)),
    name: z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(128))),
  })
  .register(described, { id: 'CameraNameInput' });

const nameView = z
  .object({ tenantCode: z.string(), instance: z.string(), cameraRef: z.string(), name: z.string() })
  .register(described, { id: 'CameraName' });

export interface CameraRouteOptions {
  names: CameraNamePort;
  /** Of headquarters, whose own cameras may be of any tenant. */
  instance: string;
  /** Whose events a site brings; null: there is no such site. */
  tenantsOf: (instance: string) => Promise<readonly string[] | null>;
  clock: Clock;
}

/** What people call cameras. */
export const cameraRoutes = (options: CameraRouteOptions): Route[] => [
  listRoute(options),
  giveRoute(options),
];

const listRoute = ({ names }: CameraRouteOptions): Route =>
  route({
    method: 'GET',
    path: PATH,
    tag: 'Cameras',
    access: ['admin', 'session'],
    permission: 'events.view',
    query: z.strictObject({ tenant_code: z.optional(tenantCode) }),
    summary: 'The names that people gave cameras',
    description: 'Of a camera that is not among them the name is `cameraName` of its events.',
    replies: { 200: { description: 'By tenant, site and camera', schema: listOf(nameView) } },
    handle: async ({ actor, query }) => {
      const items = await names.list(tenantFor(actor, query.tenant_code));
      return { body: { items, nextCursor: null, hasMore: false } };
    },
  });

const giveRoute = ({ names, instance: own, tenantsOf, clock }: CameraRouteOptions): Route =>
  route({
    method: 'PUT',
    path: PATH,
    tag: 'Cameras',
    access: ['admin', 'session'],
    permission: 'sites.manage',
    body: nameInput,
    summary: 'Give a camera the name by which people know it, everywhere; null: as its events name it',
    errors: { 404: 'not_found', 409: 'too_many_camera_names' },
    replies: { 200: { description: 'Named', schema: z.object({ named: z.boolean() }) } },
    handle: async (call) => {
      const { tenant_code: tenant, instance, camera_ref: cameraRef, name } = call.body;
      const there = instance === own || ((await tenantsOf(instance)) ?? []).includes(tenant);
      if (!there) throw notFound(`The site ${instance} of the tenant ${tenant}`);
      const camera = { tenantCode: tenant, instance, cameraRef, name };
      if (!(await names.give(camera, actorOf(call), stampOf(clock)))) throw tooManyNames();
      return { body: { named: name !== null } };
    },
  });
