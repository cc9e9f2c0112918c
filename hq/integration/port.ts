import type { Stamp } from '../../common/clock.ts';
import type { ProjectSnapshot } from '../project/record.ts';
import type { BusinessEvent, EventType, WebhookTest } from './business-event.ts';
import type {
  AttemptRecord,
  ClaimedDelivery,
  ClientChange,
  ClientName,
  ClientRecord,
  ClientUse,
  DeliveryCounts,
  DeliveryRecord,
  DeliveryStatus,
  HeldAddress,
  HeldClient,
  QuotaLeft,
  SettleDelivery,
  WebhookRecord,
} from './record.ts';

/** Who does it, for the audit. */
export type By = Stamp & { actor: string };

/** Rows newest first after this one. */
export interface ListPosition {
  at: number;
  id: string;
}

export interface OpenClientPort {
  create(client: ClientRecord, secretSha256: string, by: By): Promise<void>;
  get(clientId: string): Promise<ClientRecord | null>;
  list(tenantCode: string | null, after: ListPosition | null, limit: number): Promise<ClientRecord[]>;
  /**
   * Disabling ends the client's tokens in the same transaction; with the status `enabled`, wrong secrets that
   * were given before count no longer. null when there is no such client.
   */
  change(clientId: string, change: ClientChange, by: By): Promise<ClientRecord | null>;
  /** The present secret is accepted until `previousUntil`. Wrong secrets given before count no longer. */
  rotate(clientId: string, secretSha256: string, previousUntil: number, by: By): Promise<ClientRecord | null>;
  /** Notes when clients were used, where that is later than what is known. */
  used(uses: readonly ClientUse[]): Promise<void>;
  /** With its tokens. False when there is no such client. */
  remove(clientId: string, by: By): Promise<boolean>;
}

export interface TokenRequest {
  tenantCode: string;
  clientId: string;
  secretSha256: string;
  ip: string;
  /** The address may be that of a proxy which nobody has named: it holds up no right secret. */
  unsureIp: boolean;
  tokenSha256: string;
  /** Epoch ms. */
  now: number;
  expiresAt: number;
}

export type TokenOutcome =
  { kind: 'issued' } | { kind: 'invalid' } | { kind: 'disabled' } | { kind: 'held_up'; until: number };

/** Whose a token is, and what it opens beside the open interface. */
export type TokenClient = ClientName & Pick<ClientRecord, 'scopes'>;

export interface TokenPort {
  /**
   * Requests that come together are answered by one transaction; unknown clients and wrong secrets take the
   * same way through it.
   */
  issue(request: TokenRequest): Promise<TokenOutcome & { quotas: QuotaLeft[] }>;
  /** The enabled client of a token that holds at a time, epoch ms. */
  client(tokenSha256: string, now: number): Promise<TokenClient | null>;
  /** Whose requests are refused now, at most `limit` of clients that exist, and as many addresses. */
  held(now: number, limit: number): Promise<{ clients: HeldClient[]; addresses: HeldAddress[] }>;
  /** Deletes at most `limit` expired tokens and forgotten failures. @returns how many */
  sweep(now: number, limit: number): Promise<number>;
}

export interface AskedSnapshot {
  tokenSha256: string;
  projectCode: string;
  /** Epoch ms. */
  now: number;
}

export type SnapshotOutcome =
  | { kind: 'found'; project: ProjectSnapshot; client: ClientName }
  | { kind: 'invalid_token' }
  | { kind: 'no_project'; client: ClientName }
  /** Several live projects have the code: any of them could be the wrong one. */
  | { kind: 'several_projects'; client: ClientName };

export interface SnapshotPort {
  /**
   * Token, client and project as they stand when asked, in one statement: a client that is disabled or
   * deleted reads nothing more. Only the projects of the token's tenant are looked at; a deleted one is no
   * project.
   */
  read(asked: AskedSnapshot): Promise<SnapshotOutcome>;
}

export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  event?: EventType | undefined;
  /** What the receiver answered to the last attempt. */
  responseCode?: number | undefined;
  /** Made at this time or after, epoch ms. */
  since?: number | undefined;
  /** Made before this time, epoch ms. */
  until?: number | undefined;
}

/** `disabledReason` and `disabledBy` are of a change that disables it. */
export type WebhookChange = Partial<
  Pick<WebhookRecord, 'name' | 'url' | 'events' | 'status' | 'disabledBy' | 'disabledReason'>
>;

export interface WebhookPort {
  create(webhook: WebhookRecord, by: By): Promise<void>;
  /** Live ones only. */
  get(id: string): Promise<WebhookRecord | null>;
  /** Also one that was deleted. */
  getEver(id: string): Promise<WebhookRecord | null>;
  list(tenantCode: string | null, after: ListPosition | null, limit: number): Promise<WebhookRecord[]>;
  /** Disabling fails what is pending in the same transaction and says why. */
  change(id: string, change: WebhookChange, by: By): Promise<WebhookRecord | null>;
  rotate(id: string, secretRef: string, previousUntil: number, by: By): Promise<WebhookRecord | null>;
  /** As disabling; its deliveries stay until they are old. False when there is no such webhook. */
  remove(id: string, by: By): Promise<boolean>;
}

export type SendOutcome =
  { kind: 'queued'; delivery: DeliveryRecord } | { kind: 'missing' } | { kind: 'disabled' };

/** Deliveries as people see and ask for them. */
export interface DeliveryPort {
  /** Latest first. */
  ofWebhook(
    webhook: Pick<WebhookRecord, 'tenantCode' | 'id'>,
    filter: DeliveryFilter,
    page: { after: ListPosition | null; limit: number },
  ): Promise<DeliveryRecord[]>;
  get(id: string): Promise<DeliveryRecord | null>;
  /** In their order. */
  attempts(delivery: Pick<DeliveryRecord, 'tenantCode' | 'id'>): Promise<AttemptRecord[]>;
  /** Deliveries made since a time, of each of these webhooks; one without any is left out. */
  countsSince(
    webhooks: readonly Pick<WebhookRecord, 'tenantCode' | 'id'>[],
    since: number,
  ): Promise<Map<string, DeliveryCounts>>;
  /** The bytes of the event that is delivered. */
  body(delivery: Pick<DeliveryRecord, 'tenantCode' | 'eventId'>): Promise<string | null>;
  /** Sends a test, or an event with made-up data, which is none of the tenant's and is never recovered. */
  test(webhookId: string, event: WebhookTest | BusinessEvent, by: By): Promise<SendOutcome>;
  /**
   * Adds a new delivery of the same event. A delivery that is still pending ends, with this as its reason.
   */
  resend(id: string, by: By): Promise<SendOutcome>;
  /**
   * New deliveries of at most `limit` events since a time, oldest first, that match the subscription and have
   * neither succeeded nor wait. null as `missing`.
   */
  recover(
    webhookId: string,
    since: number,
    limit: number,
    by: By,
  ): Promise<{ kind: 'queued'; count: number; more: boolean } | { kind: 'missing' } | { kind: 'disabled' }>;
  /** Erases the events that arose from these core events, with their deliveries. @returns how many */
  forget(coreEventIds: readonly number[]): Promise<number>;
}

/** Deliveries as their senders take them, in every hub process. */
export interface DeliveryQueuePort {
  /**
   * Takes due deliveries of enabled webhooks, counts the attempt, and holds each under a claim until
   * `leaseMs` from now. No webhook gets more than its share (`IN_FLIGHT`), those in flight in every process
   * included. What another process left unfinished is taken up.
   */
  claim(
    now: number,
    claim: string,
    leaseMs: number,
    capacity: number,
  ): Promise<{ claimed: ClaimedDelivery[]; more: boolean }>;
  /**
   * Written only by the claim's holder. False when the claim is another's by now, or the delivery was ended
   * meanwhile.
   */
  settle(result: SettleDelivery): Promise<boolean>;
  /** Deliveries that have been due since before a time and that nobody sends, and the oldest due time. */
  overdue(before: number): Promise<{ count: number; oldest: number | null }>;
  counts(): Promise<{ pending: number }>;
  /**
   * Of webhooks that failed at a time, epoch ms, those that need nobody any more: they took a delivery since,
   * or were disabled or deleted.
   */
  settledSince(failed: readonly { webhookId: string; at: number }[]): Promise<string[]>;
  /** Fails deliveries whose last attempt was lost with its sender. @returns them */
  exhaust(now: number, limit: number): Promise<Pick<DeliveryRecord, 'tenantCode' | 'webhookId' | 'id'>[]>;
  /**
   * Deletes at most `limit` settled deliveries and as many events without deliveries that are older. @returns
   * how many
   */
  sweep(before: number, limit: number): Promise<number>;
}

/** Hears from every hub process that there is something to deliver. */
export interface DeliverySignal {
  start(onSignal: () => void): void;
  stop(): Promise<void>;
}

export interface IntegrationStore {
  clients: OpenClientPort;
  tokens: TokenPort;
  snapshots: SnapshotPort;
  webhooks: WebhookPort;
  deliveries: DeliveryPort;
  queue: DeliveryQueuePort;
  signal: DeliverySignal;
}
