import * as z from 'zod/mini';
import { code, tenantCode } from '../../common/core/event/schema.ts';
import { tenantFor } from '../../common/http/caller.ts';
import { described } from '../../common/http/described.ts';
import { limitParam, listOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import { formatTime, formatTimeOrNull } from '../../common/time.ts';
import type { ConflictRecord } from './port.ts';
import type { UplinkStatus } from './uplink-status.ts';

const time = z.nullable(z.string());

const conflictView = z
  .object({
    tenantCode: z.string(),
    idempotencyKey: z.string(),
    instance: z.string(),
    originId: z.int(),
    type: z.string(),
    severity: z.nullable(z.string()),
    occurredAt: time,
    receivedAt: z.string(),
    heldBy: z.string(),
    heldId: z.int(),
    firstAt: z.string(),
    lastAt: z.string(),
    count: z.int(),
  })
  .register(described, { id: 'UplinkConflict' });

/** Events of sites that could not be stored. */
export function conflictsRoute(uplinks: UplinkStatus): Route {
  return route({
    method: 'GET',
    path: '/api/core/uplink/conflicts',
    tag: 'Uplink',
    access: ['admin', 'session'],
    permission: 'uplink.view',
    query: z.strictObject({
      instance: z.optional(code(128)),
      tenant_code: z.optional(tenantCode),
      limit: limitParam(100, 1000),
    }),
    summary: 'Events of sites that are not stored here, because their idempotency key is of another event',
    description:
      'Last sent first, at most 10,000 a site. `heldBy` and `heldId` name the event that has the key; ' +
      'where `heldBy` is the site itself, it came again with another content. ' +
      'An event leaves the list when its site sends it again and it can be taken.',
    replies: {
      200: {
        description: 'The events',
        schema: listOf(conflictView),
      },
    },
    handle: async ({ actor, query }) => {
      const rows = await uplinks.conflicts(
        { instance: query.instance, tenantCode: tenantFor(actor, query.tenant_code) },
        query.limit + 1,
      );
      return {
        body: {
          items: rows.slice(0, query.limit).map((row) => conflictOf(row, uplinks.instance)),
          nextCursor: null,
          hasMore: rows.length > query.limit,
        },
      };
    },
  });
}

const conflictOf = ({ key, heldBy, ...row }: ConflictRecord, self: string): z.infer<typeof conflictView> => ({
  ...row,
  idempotencyKey: key,
  heldBy: heldBy ?? self,
  occurredAt: formatTimeOrNull(row.occurredAt),
  receivedAt: formatTime(row.receivedAt),
  firstAt: formatTime(row.firstAt),
  lastAt: formatTime(row.lastAt),
});
