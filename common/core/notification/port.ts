import type { NotificationFilter, NotificationRecord } from './record.ts';

/** The outbox of notifications. Rows are written with the decisions that make them (`AgentPort`). */
export interface NotificationPort {
  /**
   * Pending rows whose next try is due, oldest first, put off by `leaseMs` in the same transaction, so that
   * no two senders try one at once. A next try that lies further ahead than any wait was set before the wall
   * clock stepped back, and is due.
   */
  claimDue(now: number, leaseMs: number, limit: number): Promise<NotificationRecord[]>;

  /** Ends a pending row, counting the try. */
  sent(id: string, at: number): Promise<void>;

  /** Counts a failed try. `nextAt` null: it was the last one, and the row has failed. */
  failed(id: string, error: string, next: { at: number | null; now: number }): Promise<void>;

  /** Newest first, `seq` < `before` when given, at most `limit`. */
  list(filter: NotificationFilter, before: number | null, limit: number): Promise<NotificationRecord[]>;

  /** Oldest first, at most `limit`. */
  ofEvent(eventId: number, limit: number): Promise<NotificationRecord[]>;

  counts(): Promise<{ pending: number; failed: number; oldestPendingAt: number | null }>;
}
