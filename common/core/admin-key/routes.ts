import * as z from 'zod/mini';
import { adminActor } from '../../http/access.ts';
import { actorOf } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { listOf } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime, formatTimeOrNull } from '../../time.ts';
import { HOUR_MS } from '../key/routes.ts';
import { rotateInput } from '../key/schema.ts';
import type { SessionPort } from '../session/port.ts';
import type { AdminKeyRecord } from './port.ts';
import { adminKeyInput, adminKeyParams } from './schema.ts';
import type { AdminKeyService } from './service.ts';

export interface AdminKeyRouteOptions {
  service: AdminKeyService;
  sessions: SessionPort;
  now: () => number;
}

const issued = z
  .object({ name: z.string(), secret: z.string() })
  .register(described, { id: 'IssuedAdminKey' });
const view = z
  .object({
    name: z.string(),
    configured: z.boolean(),
    createdAt: z.string(),
    createdBy: z.string(),
    previousSecretUntil: z.nullable(z.string()),
    lastUsedAt: z.nullable(z.string()),
    lastUsedFrom: z.nullable(z.string()),
  })
  .register(described, { id: 'AdminKey' });

const TAG = 'Admin keys';
const PATH = '/api/core/admin_keys';
const access = ['admin'] as const;
const secretOnce = { description: 'The key with its secret, shown this once', schema: issued };
const noKey = { 404: 'not_found' };

/** Admin keys beside that of the configuration, each with a name by which the audit tells who acted. */
export function adminKeyRoutes({ service, sessions, now }: AdminKeyRouteOptions): Route[] {
  const endSessions = (name: string, actor: string): Promise<number> =>
    sessions.endAllOf(adminActor(name), null, now(), actor);
  return [
    route({
      method: 'POST',
      path: PATH,
      tag: TAG,
      access,
      body: adminKeyInput,
      summary: 'Make a further admin key',
      description:
        'Each holder and each program gets one of its own: the audit names it (`admin:<name>`), and it ' +
        'is rotated and withdrawn without the others. Only its digest is kept.',
      replies: { 201: secretOnce },
      errors: { 409: 'key_exists' },
      handle: async (call) => ({ status: 201, body: await service.issue(call.body.name, actorOf(call)) }),
    }),
    route({
      method: 'GET',
      path: PATH,
      tag: TAG,
      access,
      summary:
        'List the admin keys with their last use; that of the configuration is among them once it was used',
      description: '`lastUsedAt` is up to five minutes old.',
      replies: {
        200: {
          description: 'The keys',
          schema: listOf(view),
        },
      },
      handle: async () => ({
        body: {
          items: (await service.list()).map((key) => viewOf(key, now())),
          nextCursor: null,
          hasMore: false,
        },
      }),
    }),
    route({
      method: 'POST',
      path: `${PATH}/{name}/rotate`,
      tag: TAG,
      access,
      params: adminKeyParams,
      body: rotateInput,
      bodyOptional: true,
      summary: 'Give an admin key a new secret; the old one works on for overlap_hours (default 24)',
      description:
        'Rotating again ends the oldest of the secrets at once. With `overlap_hours: 0` the old one ' +
        'ends at once, and so do the sessions that were opened with the key. ' +
        'The key of the configuration is changed there.',
      replies: { 200: secretOnce },
      errors: noKey,
      handle: async (call) => {
        const { name } = call.params;
        const key = await service.rotate(name, call.body.overlap_hours * HOUR_MS, actorOf(call));
        if (call.body.overlap_hours === 0) await endSessions(name, actorOf(call));
        return { body: key };
      },
    }),
    route({
      method: 'DELETE',
      path: `${PATH}/{name}`,
      tag: TAG,
      access,
      params: adminKeyParams,
      summary:
        'Withdraw an admin key; it stops working at once, and the sessions that were opened with it end',
      replies: { 200: { description: 'Withdrawn', schema: z.object({ removed: z.boolean() }) } },
      errors: noKey,
      handle: async (call) => {
        await service.remove(call.params.name, actorOf(call));
        await endSessions(call.params.name, actorOf(call));
        return { body: { removed: true } };
      },
    }),
  ];
}

function viewOf(key: AdminKeyRecord, now: number): z.infer<typeof view> {
  const { name, createdBy, previousUntil, lastUsedFrom } = key;
  return {
    name,
    configured: key.secretHash === null,
    createdAt: formatTime(key.createdAt),
    createdBy,
    lastUsedAt: formatTimeOrNull(key.lastUsedAt),
    lastUsedFrom,
    previousSecretUntil: previousUntil !== null && previousUntil > now ? formatTime(previousUntil) : null,
  };
}
