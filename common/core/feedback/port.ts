import type { CameraMessage, FeedbackRecord } from './record.ts';

export interface FeedbackPort {
  /**
   * Claims due rows for this process by moving their `nextAt` to `now + leaseMs`,
   * oldest first, at most `limit`. Two processes never claim the same row.
   */
  claimDue(now: number, leaseMs: number, limit: number): Promise<FeedbackRecord[]>;
  get(id: string): Promise<FeedbackRecord | null>;
  delivered(id: string, at: number): Promise<void>;
  /** Counts one failed try. `nextAt` null gives up: state `expired`. */
  failed(id: string, error: string, nextAt: number | null, at: number): Promise<void>;
  /**
   * The newest messages, at most `limit`, oldest first; at headquarters also those of the site where the
   * event arose, as the site last told.
   */
  ofEvent(eventId: number, limit: number): Promise<CameraMessage[]>;
  counts(): Promise<{ pending: number; expired: number; oldestPendingAt: number | null }>;
}
