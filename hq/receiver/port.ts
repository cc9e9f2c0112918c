import type { NewEvent } from '../../common/core/event/record.ts';
import type { UplinkedChange } from '../../common/uplink/change-item.ts';
import type { ChannelName, Decision, RejectedItem, SiteReport } from '../../common/uplink/wire.ts';

export interface SiteRecord {
  instance: string;
  /** Tenants whose events this site may bring. */
  tenants: string[];
  createdAt: number;
  removedAt: number | null;
}

export interface BatchHead {
  instance: string;
  epoch: string;
  version: string;
  from: number;
  to: number;
  head: number;
  oldest: number;
  /** Verdicts channel: time of the last change covered. */
  at: number | null;
}

export type StoreOutcome =
  | { kind: 'stored'; accepted: number; duplicates: number; cursor: number; rejected: RejectedItem[]; gap: { from: number; to: number } | null }
  /** The sender stands beyond what is held: this store lost data. */
  | { kind: 'cursor_ahead'; known: number }
  /**
   * The sender's newest position is below what it once sent in this epoch, or new events come under ids that are taken:
   * it runs on an old copy. In the second case the items were stored.
   */
  | { kind: 'sender_rolled_back'; known: number };

export interface SourceState {
  instance: string;
  epoch: string;
  channel: ChannelName;
  cursor: number;
  receivedTotal: number;
  duplicateTotal: number;
  rejectedTotal: number;
  lastReceivedAt: number | null;
}

export type DecisionState = 'pending' | 'applied' | 'lost';

/**
 * The receiver's store: each method is one transaction. Storing for an instance
 * that is not registered, or was removed, is refused with 403 `site_unknown`.
 */
export interface ReceiverPort {
  /**
   * Checks and stores one batch of events. `items` are the valid ones, `rejected` those already refused for their form;
   * the (instance, epoch, channel) position moves to `head.to` in the same transaction.
   */
  storeEvents(head: BatchHead, items: readonly NewEvent[], rejected: readonly RejectedItem[], now: number): Promise<StoreOutcome>;
  /** The same for verdict changes; also settles decisions that the items answer. */
  storeChanges(head: BatchHead, items: readonly UplinkedChange[], rejected: readonly RejectedItem[], now: number, newId: () => string): Promise<StoreOutcome>;
  /** Decisions that the site has not answered yet, oldest first. */
  pendingDecisions(instance: string, limit: number): Promise<Decision[]>;

  /** Registers a site, also one that was removed before. @throws conflict `site_exists` */
  addSite(site: { instance: string; tenants: string[] }, now: number, actor: string): Promise<void>;
  /** False when there is no such live site; so too `removeSite`. */
  setTenants(instance: string, tenants: string[], now: number, actor: string): Promise<boolean>;
  removeSite(instance: string, now: number, actor: string): Promise<boolean>;
  /** Also one that was removed. */
  site(instance: string): Promise<SiteRecord | null>;
  /** Live ones, by instance. */
  sites(): Promise<SiteRecord[]>;
  /** Notes that an authenticated call came, also one with nothing in it. */
  seen(instance: string, version: string, now: number): Promise<void>;
  /** Keeps what a site last told of its machine. */
  report(instance: string, report: SiteReport): Promise<void>;
  sources(): Promise<SourceState[]>;
  lastSeen(): Promise<Map<string, { at: number; version: string; report: SiteReport | null }>>;
}
