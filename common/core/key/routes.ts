import * as z from 'zod/mini';
import { actorOf } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { listOf } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime } from '../../time.ts';
import type { KeyRecord } from './port.ts';
import { keyParams, nodeInput, rotateInput } from './schema.ts';
import type { KeyService } from './service.ts';

export const HOUR_MS = 3_600_000;
const issued = z.object({ keyId: z.string(), secret: z.string() }).register(described, { id: 'IssuedKey' });
export const secretOnce = { description: 'The key with its secret, shown this once', schema: issued };
export const keyView = z
  .object({
    keyId: z.string(),
    tenantCode: z.nullable(z.string()),
    name: z.string(),
    createdAt: z.string(),
    previousSecretUntil: z.nullable(z.string()),
  })
  .register(described, { id: 'Key' });

export function viewOf(record: KeyRecord, now: number): z.infer<typeof keyView> {
  const live = record.previousUntil !== null && record.previousUntil > now;
  return {
    keyId: record.keyId,
    tenantCode: record.tenantCode,
    name: record.subject,
    createdAt: formatTime(record.createdAt),
    previousSecretUntil: live ? formatTime(record.previousUntil as number) : null,
  };
}

/** The node registry. A secret is shown once, when it is made. */
export function keyRoutes(service: KeyService, now: () => number): Route[] {
  const access = ['admin'] as const;
  const noKey = { 404: 'not_found' };
  return [
    route({
      method: 'POST',
      path: '/api/core/nodes',
      tag: 'Nodes',
      summary: 'Register an edge node and give it a signing key',
      access,
      body: nodeInput,
      replies: { 201: secretOnce },
      errors: { 409: 'key_exists' },
      handle: async (call) => ({
        status: 201,
        body: await service.issue(
          {
            purpose: 'node',
            tenantCode: call.body.tenant_code,
            subject: call.body.name,
            keyId: call.body.key_id,
          },
          actorOf(call),
        ),
      }),
    }),
    route({
      method: 'GET',
      path: '/api/core/nodes',
      tag: 'Nodes',
      summary: 'List the edge nodes',
      access,
      replies: {
        200: {
          description: 'The nodes',
          schema: listOf(keyView),
        },
      },
      handle: async () => ({
        body: {
          items: (await service.list('node')).map((key) => viewOf(key, now())),
          nextCursor: null,
          hasMore: false,
        },
      }),
    }),
    route({
      method: 'POST',
      path: '/api/core/nodes/{key_id}/rotate',
      tag: 'Nodes',
      access,
      params: keyParams,
      body: rotateInput,
      bodyOptional: true,
      summary: 'Give a node a new secret; the old one works on for overlap_hours (default 24)',
      description:
        'Rotating again ends the oldest of the secrets at once. With `overlap_hours: 0` the old one ' +
        'ends at once.',
      replies: { 200: secretOnce },
      errors: noKey,
      handle: async (call) => ({
        body: await service.rotate(
          call.params.key_id,
          'node',
          call.body.overlap_hours * HOUR_MS,
          actorOf(call),
        ),
      }),
    }),
    route({
      method: 'DELETE',
      path: '/api/core/nodes/{key_id}',
      tag: 'Nodes',
      access,
      params: keyParams,
      summary: 'Remove a node; its key stops working at once',
      replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
      errors: noKey,
      handle: async (call) => {
        await service.remove(call.params.key_id, 'node', actorOf(call));
        return { body: { removed: true } };
      },
    }),
  ];
}
