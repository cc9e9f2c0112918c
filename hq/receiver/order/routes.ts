import * as z from 'zod/mini';
import { code, tenantCode } from '../../../common/core/event/schema.ts';
import { orderStates } from '../../../common/core/task/schema.ts';
import { orderView, viewOrder } from '../../../common/core/task/view.ts';
import { pagedList, viewPage } from '../../../common/cursor.ts';
import { tenantFor } from '../../../common/http/caller.ts';
import { limitParam, pageOf } from '../../../common/http/list.ts';
import { type Route, route } from '../../../common/http/route.ts';
import type { OrderPort } from './port.ts';

const ORDERS = pagedList('orders', ['number']);

/** What was ordered of sites, and what came of it. */
export function ordersRoute(orders: Pick<OrderPort, 'list'>): Route {
  return route({
    method: 'GET',
    path: '/api/core/uplink/orders',
    tag: 'Uplink',
    access: ['admin', 'session'],
    permission: 'uplink.view',
    query: z.strictObject({
      instance: z.optional(code(128)),
      state: z.optional(z.enum(orderStates)),
      task_id: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
      tenant_code: z.optional(tenantCode),
      limit: limitParam(100, 1000),
      cursor: z.optional(z.string().check(z.maxLength(512))),
    }),
    summary: 'What was ordered here on tasks that sites keep, newest first',
    description:
      '`pending`: it waits for the next call of the site, or the site has not told yet what came of it. ' +
      '`refused`: the site did not carry it out, as `reason` says; the inbox and the timeline of the event ' +
      'say so too. `unclear`: the site answered, but in a form that is not understood here (`reason`); the ' +
      'answer is parked at the site, and settles the order when it is replayed. `result` tells whether the ' +
      'camera was told.',
    replies: { 200: { description: 'A page of orders', schema: pageOf(orderView) } },
    handle: async ({ actor, query }) => {
      const rows = await orders.list(
        {
          tenantCode: tenantFor(actor, query.tenant_code),
          instance: query.instance,
          state: query.state,
          taskId: query.task_id,
        },
        ORDERS.positionOf(query.cursor)?.[0] ?? null,
        query.limit + 1,
      );
      const page = ORDERS.page(rows, query.limit, ({ seq }) => [seq]);
      return { body: viewPage(page, ({ seq: _seq, ...order }) => viewOrder(order)) };
    },
  });
}
