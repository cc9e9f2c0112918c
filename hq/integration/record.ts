import type { Message } from '../../common/message.ts';
import type { EventType, SubscribableType } from './business-event.ts';

export type Status = 'enabled' | 'disabled';

/** An open client without its secrets. Times are epoch ms. */
export interface ClientRecord {
  tenantCode: string;
  clientId: string;
  name: string;
  status: Status;
  /** What its tokens open beside the open interface. */
  scopes: string[];
  createdAt: number;
  updatedAt: number;
  /** Until when the secret before the last rotation is accepted; null: there is none. */
  previousUntil: number | null;
  /** When it last got a token or was shown a snapshot; null: never. */
  lastUsedAt: number | null;
}

/** What of a client may be given anew. */
export interface ClientChange {
  name?: string | undefined;
  status?: Status | undefined;
  scopes?: string[] | undefined;
}

export type ClientName = Pick<ClientRecord, 'tenantCode' | 'clientId'>;

/** A client that was used at a time, epoch ms. */
export type ClientUse = ClientName & { at: number };

/** From where a client's requests for tokens are refused, and until when, epoch ms. */
export type HeldClient = ClientName & { name: string; ip: string; until: number };

/** A client of a list, with the addresses from which its requests for tokens are refused now. */
export type ClientListed = ClientRecord & { heldUp: HeldAddress[] };

/** An address that sent so many wrong requests for tokens that only right ones are looked at. */
export interface HeldAddress {
  ip: string;
  until: number;
}

/** What is left of how many wrong requests for tokens are borne. */
export interface QuotaLeft {
  /** `client`: of one client and address; `address`: of all clients from it. */
  quota: 'client' | 'address';
  left: number;
  /** When the count begins anew, epoch ms. */
  until: number;
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
  /** Since when, by whom and why it is disabled; null while it is enabled. */
  disabledAt: number | null;
  disabledBy: string | null;
  /** What who disabled it gave as the reason; null: nothing. */
  disabledReason: string | null;
}

/** Deliveries of a webhook by their state. */
export type DeliveryCounts = Record<DeliveryStatus, number>;

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
  /** The same as messages, one after another; null where an older version wrote it. */
  lastErrorTold: readonly Message[] | null;
  nextAt: number;
  createdAt: number;
  lastAttemptAt: number | null;
  settledAt: number | null;
}

/** What came of one attempt, as it is kept. */
export interface AttemptRecord {
  /** From 1. One that is missing ended with its process, before the answer was known. */
  attempt: number;
  at: number;
  responseCode: number | null;
  responseBody: string | null;
  /** null: the receiver took it. */
  error: string | null;
  /** The same as messages; null where an older version wrote it. */
  errorTold: readonly Message[] | null;
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
  /** The same as a message. */
  told: Message | null;
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
  /** The same as a message. */
  told: Message | null;
  nextAt: number;
  at: number;
  /** The attempt was none after all. */
  unsent: boolean;
}
