export type FeedbackState = 'pending' | 'delivered' | 'expired';

/** One message to the camera node that raised an event (spec 2, "Feedback to edge nodes"). */
export interface FeedbackRecord {
  id: string;
  eventId: number;
  tenantCode: string;
  /** What it tells: a verdict, a correction, later also task progress. */
  kind: string;
  url: string;
  /** Key whose secret signs it; null when the event came without one. */
  nodeKey: string | null;
  /** The exact JSON text that is sent. */
  body: string;
  state: FeedbackState;
  attempts: number;
  /** Epoch ms before which no further try is made. */
  nextAt: number;
  lastError: string | null;
  createdAt: number;
  deliveredAt: number | null;
}

export interface FeedbackPort {
  /**
   * Claims due rows for this process by moving their `nextAt` to `now + leaseMs`,
   * oldest first, at most `limit`. Two processes never claim the same row.
   */
  claimDue(now: number, leaseMs: number, limit: number): Promise<FeedbackRecord[]>;
  get(id: string): Promise<FeedbackRecord | null>;
  delivered(id: string, at: number): Promise<void>;
  /** Counts one failed try. `nextAt` null gives up: state `expired`. */
  failed(id: string, error: string, nextAt: number | null): Promise<void>;
  ofEvent(eventId: number): Promise<FeedbackRecord[]>;
  counts(): Promise<{ pending: number; expired: number; oldestPendingAt: number | null }>;
}
