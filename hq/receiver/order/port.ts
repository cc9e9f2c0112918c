import type { TaskOrder } from '../../../common/core/task/record.ts';
import type { OrderState } from '../../../common/core/task/schema.ts';
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

/** What headquarters ordered sites to do to their tasks. */
export interface OrderPort {
  /** Those of these that their site has not answered, as they go down. */
  open(named: readonly DecisionName[]): Promise<Order[]>;
  /**
   * Newest first. @param before sequence number of the last order of the page before; null: from the newest
   */
  list(filter: OrderFilter, before: number | null, limit: number): Promise<(TaskOrder & { seq: number })[]>;
  /** By the instance that they are for. */
  counts(): Promise<Map<string, OrderCounts>>;
}
