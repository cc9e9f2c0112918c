// What headquarters ordered sites to do to their tasks and incident groups: what waits for its site, and what
// came of it.
import { and, count, desc, eq, inArray, lt, min, type SQL, sql } from 'drizzle-orm';
import type { TaskOrder } from '../../../common/core/task/record.ts';
import type { GroupOrderItem } from '../../../common/uplink/group-order.ts';
import type { Order } from '../../../common/uplink/order.ts';
import { orderOf } from '../../store/adapter/task/order.ts';
import type { Database } from '../../store/engine/database.ts';
import { tasks } from '../../store/schema/tables.ts';
import type { OrderCounts, OrderFilter, OrderPort } from '../order/port.ts';
import type { DecisionName } from '../port.ts';
import { groupOrders, siteOrders } from './schema.ts';

type OrderRow = typeof siteOrders.$inferSelect;

const NONE: OrderCounts = { waiting: 0, waitingBytes: 0, oldestWaitingAt: null, refused: 0 };

export class HubOrders implements OrderPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  open(named: readonly DecisionName[]): Promise<Order[]> {
    const tenants = [...new Set(named.map(({ tenantCode }) => tenantCode))];
    const ids = named.map(({ id }) => id);
    return this.#database.read(async (db) => {
      const rows = await db
        .select({ order: siteOrders, originId: tasks.originId, createdAt: tasks.createdAt })
        .from(siteOrders)
        .innerJoin(tasks, and(eq(tasks.tenantCode, siteOrders.tenantCode), eq(tasks.id, siteOrders.taskId)))
        .where(and(pendingState, inArray(siteOrders.tenantCode, tenants), inArray(siteOrders.id, ids)));
      const makers = await makersOf(
        db,
        rows.map(({ order }) => order.taskId),
      );
      return rows.map(({ order, originId, createdAt }) =>
        onTheWire(order, originId === null ? null : { id: originId, created_at: createdAt }, makers),
      );
    });
  }

  openOnGroups(named: readonly DecisionName[]): Promise<GroupOrderItem[]> {
    return this.#database.read(async (db) => {
      const rows = await db
        .select()
        .from(groupOrders)
        .where(
          and(
            sql`${groupOrders.state} = 'pending'`,
            inArray(groupOrders.tenantCode, [...new Set(named.map(({ tenantCode }) => tenantCode))]),
            inArray(
              groupOrders.id,
              named.map(({ id }) => id),
            ),
          ),
        );
      return rows.map(({ id, tenantCode, by, createdAt, body }) => ({
        order_id: id,
        tenant_code: tenantCode,
        by,
        at: createdAt,
        ...body,
      }));
    });
  }

  list(
    { tenantCode, instance, state, taskId }: OrderFilter,
    before: number | null,
    limit: number,
  ): Promise<(TaskOrder & { seq: number })[]> {
    return this.#database.read(async (db) => {
      const rows = await db
        .select()
        .from(siteOrders)
        .where(
          and(
            tenantCode === null ? undefined : eq(siteOrders.tenantCode, tenantCode),
            instance === undefined ? undefined : eq(siteOrders.instance, instance),
            state === undefined ? undefined : eq(siteOrders.state, state),
            taskId === undefined ? undefined : eq(siteOrders.taskId, taskId),
            before === null ? undefined : lt(siteOrders.seq, before),
          ),
        )
        .orderBy(desc(siteOrders.seq))
        .limit(limit);
      return rows.map((row) => ({ ...orderOf(row), seq: row.seq }));
    });
  }

  counts(): Promise<Map<string, OrderCounts>> {
    return this.#database.read(async (db) => {
      const of = (table: typeof siteOrders | typeof groupOrders, where: SQL) => {
        const { instance, state, createdAt, body } = table;
        const bytes = sql<number>`sum(octet_length(${body}))`.mapWith(Number);
        return db
          .select({ instance, state, total: count(), oldest: min(createdAt), bytes })
          .from(table)
          .where(where)
          .groupBy(instance, state);
      };
      const rows = (
        await Promise.all([
          of(siteOrders, pendingState),
          of(siteOrders, refusedStates),
          of(groupOrders, sql`${groupOrders.state} = 'pending'`),
          of(groupOrders, sql`${groupOrders.state} in ('refused', 'unclear')`),
        ])
      ).flat();
      const found = new Map<string, OrderCounts>();
      for (const row of rows) {
        const before = found.get(row.instance) ?? NONE;
        found.set(
          row.instance,
          row.state === 'pending'
            ? {
                ...before,
                waiting: before.waiting + row.total,
                waitingBytes: before.waitingBytes + row.bytes,
                oldestWaitingAt: Math.min(row.oldest ?? Infinity, before.oldestWaitingAt ?? Infinity),
              }
            : { ...before, refused: before.refused + row.total },
        );
      }
      return found;
    });
  }
}

// Written out, so that the partial indexes over what waits and what was refused are used.
const pendingState = sql`${siteOrders.state} = 'pending'`;
const refusedStates = sql`${siteOrders.state} in ('refused', 'unclear')`;

/** The orders that had these tasks made. */
async function makersOf(
  db: Parameters<Parameters<Database['read']>[0]>[0],
  taskIds: readonly number[],
): Promise<Map<number, string>> {
  if (taskIds.length === 0) return new Map();
  const rows = await db
    .select({ taskId: siteOrders.taskId, id: siteOrders.id })
    .from(siteOrders)
    .where(and(inArray(siteOrders.taskId, [...taskIds]), eq(siteOrders.kind, 'create')));
  return new Map(rows.map(({ taskId, id }) => [taskId, id]));
}

function onTheWire(order: OrderRow, task: Order['task'], makers: ReadonlyMap<number, string>): Order {
  const maker = makers.get(order.taskId) ?? null;
  return {
    order_id: order.id,
    tenant_code: order.tenantCode,
    by: order.by,
    at: order.createdAt,
    task,
    made_by: order.kind === 'create' ? null : maker,
    body: order.body,
  };
}
