import type { Stamp } from '../../common/clock.ts';
import type { NewEvent } from '../../common/core/event/record.ts';
import type { Severity } from '../../common/core/event/schema.ts';
import type { TimelineDecisions } from '../../common/core/timeline/port.ts';
import type { Message } from '../../common/message.ts';
import type { ChangeItem } from '../../common/uplink/change/item.ts';
import type { UnreadAnswer } from '../../common/uplink/change/order.ts';
import type { KeptReport } from '../../common/uplink/site-report.ts';
import type { ChannelName, Decision, RejectedItem } from '../../common/uplink/wire.ts';
import type { ContactPort } from './contact/port.ts';
import type { HeardPort } from './heard/port.ts';
import type { RefusedOrder } from './order/record.ts';
import type { Watch } from './silence/record.ts';

export interface SiteRecord extends Watch {
  instance: string;
  /** Tenants whose events this site may bring. */
  tenants: string[];
  /**
   * Names under which this site was known before: it may write on their events, and their decisions go down
   * to it.
   */
  continues: string[];
  /** What people call it; null: by its instance. */
  displayName: string | null;
  /** What it is looked after by, such as its region and its contract. */
  groups: string[];
  createdAt: number;
  removedAt: number | null;
}

export interface BatchHead {
  instance: string;
  epoch: string;
  version: string;
  from: number;
  to: number;
  /** Position that this store has answered, where what stands between it and `from` is on its way. */
  held: number | null;
  head: number;
  oldest: number;
  /** Verdicts channel: time of the last change covered. */
  at: number | null;
}

/**
 * An event that was not stored: its idempotency key is of another event, which arose elsewhere or has another
 * content.
 */
export interface EventConflict {
  tenantCode: string;
  key: string;
  /** Where it came from. */
  instance: string;
  originId: number;
  type: string;
  severity: Severity | null;
  /** Epoch ms; null: it did not say. */
  occurredAt: number | null;
  /** Receipt there, epoch ms. */
  receivedAt: number;
  /** Where the event that is held arose; null: at headquarters. */
  heldBy: string | null;
  heldId: number;
}

export interface ConflictRecord extends EventConflict {
  firstAt: number;
  lastAt: number;
  /** Times it was sent. */
  count: number;
}

/** A verdict or correction that was refused because the event did not arise at its sender. */
export interface ForeignChange {
  eventId: number;
  tenantCode: string;
  key: string;
  heldBy: string | null;
  kind: 'verdict' | 'correction';
  verdict: string;
  by: string;
}

/** A decision that its site does not carry out. */
export interface RefusedDecision {
  eventId: number;
  tenantCode: string;
  reason: string;
  told: Message | null;
}

/** An item that was refused because storing it failed, for a reason that lies in the item. */
export interface FailedItem {
  /** Its position at the site. */
  originId: number;
  reason: string;
}

/** Positions whose items no store has any more, both ends included. */
export interface Gap {
  from: number;
  to: number;
}

/** What became of a batch whose items were stored. */
export interface StoredBatch {
  kind: 'stored';
  accepted: number;
  duplicates: number;
  cursor: number;
  rejected: RejectedItem[];
  gap: Gap | null;
  conflicts: EventConflict[];
  foreign: ForeignChange[];
  refused: RefusedDecision[];
  refusedOrders: RefusedOrder[];
  failed: FailedItem[];
  /** Another name under which the very same events, ids and receipt times included, were brought before. */
  sameAs: string | null;
  /** The first batch of another store of the site than before. */
  newStore: NewStore | null;
}

/** Positions up to `through` came from an earlier store; `empty`: the site has begun with nothing. */
export interface NewStore {
  through: number;
  empty: boolean;
}

/** What headquarters takes of the log of a site: its items, and answers to orders that it cannot read. */
export type ReceivedChange = ChangeItem | UnreadAnswer;

export type StoreOutcome =
  | StoredBatch
  /** The batch before it was not stored yet, and nothing is lost. */
  | { kind: 'early'; known: number }
  /** The sender stands beyond what is held: this store lost data. */
  | { kind: 'cursor_ahead'; known: number }
  /**
   * The sender's newest position is below what it once sent in this epoch, or new events come under ids that
   * are taken: it runs on an old copy. In the second case the items were stored.
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
  /** Items among those refused or known whose key is of another event. */
  conflictTotal: number;
  /** When items last came. */
  lastReceivedAt: number | null;
  /** When a call of it was last looked up in the store. */
  heardAt: number | null;
}

/** `lost`: the site had judged first. `refused`: the site does not carry it out. */
export type DecisionState = 'pending' | 'applied' | 'lost' | 'refused';

export interface DecisionCounts {
  waiting: number;
  oldestWaitingAt: number | null;
  /** With those that the site had decided otherwise before. */
  refused: number;
}

/** As it was written: the instance of the event merged into is null where that arose at headquarters. */
export type PendingDecision = Omit<Decision, 'merged_into_instance'> & {
  merged_into_instance: string | null;
};

/**
 * Stores what sites send; each method is one transaction. Storing for an instance that is not registered, or
 * was removed, is refused with 403 `site_unknown`.
 */
export interface ReceiverPort {
  /**
   * Checks and stores one batch of events. `items` are the valid ones, `rejected` those already refused for
   * their form; the (instance, epoch, channel) position moves to `head.to` in the same transaction.
   */
  storeEvents(
    head: BatchHead,
    items: readonly NewEvent[],
    rejected: readonly RejectedItem[],
    now: number,
  ): Promise<StoreOutcome>;
  /** The same for the log of a site; also settles the decisions and orders that the items answer. */
  storeChanges(
    head: BatchHead,
    items: readonly ReceivedChange[],
    rejected: readonly RejectedItem[],
    stamp: Stamp,
  ): Promise<StoreOutcome>;
  /** Last sent first. `tenantCode` null: every tenant. */
  conflicts(
    filter: { instance?: string | undefined; tenantCode: string | null },
    limit: number,
  ): Promise<ConflictRecord[]>;
}

export interface DecisionName {
  tenantCode: string;
  id: string;
}

/** What headquarters decided on events of sites. */
export interface DecisionPort extends TimelineDecisions {
  /** Those of these that their site has not answered. */
  open(decided: readonly DecisionName[]): Promise<PendingDecision[]>;
  /** By the instance that they were made for. */
  counts(): Promise<Map<string, DecisionCounts>>;
}

export type NewSite = Pick<SiteRecord, 'instance' | 'tenants'> &
  Partial<Pick<SiteRecord, 'displayName' | 'groups'>>;

/** What may be changed of a site. */
export type SiteChange = Partial<
  Pick<SiteRecord, 'tenants' | 'continues' | 'displayName' | 'groups' | keyof Watch>
>;

/** Sites that come into a group and that leave it. */
export interface GroupChange {
  name: string;
  add: readonly string[];
  remove: readonly string[];
}

export interface Regrouped {
  /** Those that are no live sites; nothing was done if there is any. */
  unknown: string[];
  /** Those that are in as many groups as can be; likewise. */
  full: string[];
  added: number;
  removed: number;
}

/** The registry of sites, and what has been received from each. */
export interface SitePort extends HeardPort, ContactPort {
  /** Registers a site, also one that was removed before. @throws conflict `site_exists`, `site_continued` */
  add(site: NewSite, now: number, actor: string): Promise<void>;
  /**
   * False when there is no such live site; so too `remove`. @throws conflict `site_live` for a name of
   * another live site
   */
  change(instance: string, change: SiteChange, now: number, actor: string): Promise<boolean>;
  remove(instance: string, now: number, actor: string): Promise<boolean>;
  /** Puts sites into a group and takes others out of it, all or none. */
  regroup(change: GroupChange, now: number, actor: string): Promise<Regrouped>;
  /** Also one that was removed. */
  get(instance: string): Promise<SiteRecord | null>;
  /** Live ones, by instance. */
  list(): Promise<SiteRecord[]>;
  /** Keeps what a site last reported of its machine. False: what it reported later is kept already. */
  keepReport(instance: string, report: KeptReport): Promise<boolean>;
  /** @param instance only those of this site */
  sources(instance?: string): Promise<SourceState[]>;
}
