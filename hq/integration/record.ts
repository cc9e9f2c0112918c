import type { EventType, SubscribableType } from './business-event.ts';

export type Status = 'enabled' | 'disabled';

/** An open client without its secrets. Times are epoch ms. */
export interface ClientRecord {
  tenantCode: string;
  clientId: string;
  name: string;
  status: Status;
  createdAt: number;
  updatedAt: number;
  /** Until when the secret before the last rotation is accepted; null: there is none. */
  previousUntil: number | null;
}

/** What a subscription asks for. */
export type Subscribed = 'all' | SubscribableType;

export interface WebhookRecord {
  tenantCode: string;
  id: string;
  name: string;
  url: string;
  events: Subscribed;
  status: Status;
  /** Sealed; never shown. */
  secretRef: string;
  previousRef: string | null;
  previousUntil: number | null;
  /** Attempts that failed in a row. */
  failures: number;
  createdAt: number;
  updatedAt: number;
}

export type DeliveryStatus = 'pending' | 'success' | 'failed';

export interface DeliveryRecord {
  tenantCode: string;
  id: string;
  webhookId: string;
  /**
   * The business event; the same for every webhook and every resend, and so what receivers know repetitions
   * by.
   */
  eventId: string;
  event: EventType;
  status: DeliveryStatus;
  attempts: number;
  responseCode: number | null;
  /** At most `KEPT_ANSWER` bytes of the last answer. */
  responseBody: string | null;
  lastError: string | null;
  nextAt: number;
  createdAt: number;
  lastAttemptAt: number | null;
  settledAt: number | null;
}

/** A delivery that was taken for one attempt, which is counted already, with all that the attempt needs. */
export interface ClaimedDelivery {
  tenantCode: string;
  id: string;
  webhookId: string;
  webhookName: string;
  /** Whoever holds another claim records nothing. */
  claim: string;
  attempts: number;
  createdAt: number;
  eventId: string;
  event: EventType;
  body: string;
  url: string;
  secretRef: string;
  previousRef: string | null;
  previousUntil: number | null;
  /** Failures of the webhook in a row before this attempt. */
  failures: number;
}

/** What came of one attempt. */
export interface AttemptResult {
  /** null: no answer. */
  responseCode: number | null;
  responseBody: string | null;
  /** null: the receiver took it. */
  error: string | null;
  /** What the receiver asked for by `Retry-After`, ms; null for nothing. */
  retryAfterMs: number | null;
  /**
   * Nothing was sent, for a reason that lies here and not with the receiver: it does not count as an attempt.
   */
  unsent?: boolean;
}

/** What is recorded of an attempt. */
export interface SettleDelivery {
  tenantCode: string;
  id: string;
  webhookId: string;
  claim: string;
  status: DeliveryStatus;
  responseCode: number | null;
  responseBody: string | null;
  lastError: string | null;
  nextAt: number;
  at: number;
  /** The attempt was none after all. */
  unsent: boolean;
}
