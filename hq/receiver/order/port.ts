import type { TaskOrder } from '../../../common/core/task/record.ts';
import type { OrderState } from '../../../common/core/task/schema.ts';
import type { GroupOrderItem } from '../../../common/uplink/group-order.ts';
import type { Order } from '../../../common/uplink/order.ts';
import type { DecisionCounts, DecisionName } from '../port.ts';

export interface OrderFilter {
  tenantCode: string | null;
  instance?: string | undefined;
  state?: OrderState | undefined;
  taskId?: number | undefined;
}

/** Orders for one instance. */
export interface OrderCounts extends DecisionCounts {
  /** Of what is to be done in those that wait. */
  waitingBytes: number;
}

/** What headquarters ordered sites to do to their tasks and incident groups. */
export interface OrderPort {
  /** Those of these that their site has not answered, as they go down. */
  open(named: readonly DecisionName[]): Promise<Order[]>;
  /** The same of orders on incident groups. */
  openOnGroups(named: readonly DecisionName[]): Promise<GroupOrderItem[]>;
  /**
   * Those on tasks, newest first.
   * @param before sequence number of the last order of the page before; null: from the newest
   */
  list(filter: OrderFilter, before: number | null, limit: number): Promise<(TaskOrder & { seq: number })[]>;
  /** Of both, by the instance that they are for. */
  counts(): Promise<Map<string, OrderCounts>>;
}
