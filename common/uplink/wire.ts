/**
 * The wire format of the uplink (spec 2, "uplink"; design §6), shared by sender and receiver.
 *
 * Every channel POSTs `UplinkRequest` and gets `UplinkAnswer`. `cursor.from` is the
 * position after which the items stand, `cursor.to` the position that they reach.
 * Positions are event ids on the events channel and change numbers on the
 * verdicts channel, whose cursor also carries the time of the last change. On the
 * work channel they are numbers of changes too, of which only the last one of each
 * thing is kept: an item is a task, a group or the result of an order as it is then.
 *
 * Self-healing by epoch: the receiver keeps, per (instance, epoch, channel), the
 * last position it stored.
 *  - `from` greater than what the receiver holds: 409 `cursor_ahead` with `known`;
 *    headquarters lost data, the sender goes back to `known`. Where the receiver holds
 *    `held` at least, nothing is lost: the batch before is on its way. It is waited for,
 *    and 409 `batch_missing` says that it did not come.
 *  - `head` less than what the receiver holds, or events that are new under positions
 *    that it holds: 409 `sender_rolled_back` with `known`; the site runs on an old
 *    copy: it takes a new epoch, continues its ids after `known`, and raises an alarm.
 * Items that are sent again are recognised by tenant and idempotency key.
 */
import * as z from 'zod/mini';
import { described } from '../http/described.ts';
import type { Message } from '../message.ts';
import { EVIDENCE, type EvidenceWant } from './evidence.ts';
import type { Order } from './order.ts';

export const PROTOCOL = 1;
/** Largest number of items of one request. */
export const MAX_ITEMS = 1000;
/** The sender keeps a request under this many bytes before compression, unless one item alone is larger. */
export const TARGET_BYTES = 4 * 1024 * 1024;
/** The receiver refuses more than this, after decompression, with 413. */
export const MAX_BYTES = 16 * 1024 * 1024;

/** A site carries out `merged` by the identity of the target, whether or not it keeps the target's row. */
export const MERGE_BY_IDENTITY = 'merge_by_identity';
/** Headquarters delivers notifications of sites that have no channel for them (notification.ts). */
export const NOTIFICATIONS = 'notifications';
/** Headquarters takes tasks and incident groups on the work channel. */
export const WORK_CHANNEL = 'work';
/**
 * Headquarters takes of a group that has grown what was added to it, on top of a change that it has stored.
 */
export const GROUP_ADDITIONS = 'group_additions';
/** Refuses such an item where that change is not stored; the site then sends the group whole. */
export const BASE_UNKNOWN = 'base_unknown';
/** Headquarters holds a call of a site until something waits for it (held.ts). */
export const HELD_CALLS = 'held_calls';
/**
 * Headquarters takes a batch while the one before it is on its way, also where it comes first, and puts them
 * in order.
 */
export const TWO_BATCHES = 'two_batches';
/** Refuses such a batch whose predecessor did not come; nothing of it was stored. */
export const BATCH_MISSING = 'batch_missing';
/** A site carries out orders on its tasks (order.ts). */
export const ORDERS = 'orders';
export type Feature = typeof MERGE_BY_IDENTITY | typeof EVIDENCE | typeof ORDERS;
/**
 * What this program understands beyond the first form of the protocol. A request names it; an older receiver
 * reads past that.
 */
export const FEATURES: readonly Feature[] = [MERGE_BY_IDENTITY, EVIDENCE, ORDERS];
/** The same of headquarters, in its answers. */
export const HUB_FEATURES: readonly string[] = [
  WORK_CHANNEL,
  NOTIFICATIONS,
  GROUP_ADDITIONS,
  HELD_CALLS,
  TWO_BATCHES,
];

/** `work`: tasks and incident groups, each as it is when it is sent (work-item.ts). */
export const channelNames = ['events', 'verdicts', 'work'] as const;
export type ChannelName = (typeof channelNames)[number];

const uplinkCursor = z.object({
  from: z.int().check(z.minimum(0)),
  to: z.int().check(z.minimum(0)),
  /**
   * Position that headquarters has answered, where it lies before `from`: what stands between the two is on
   * its way.
   */
  held: z.optional(z.int().check(z.minimum(0))),
  /** Verdicts channel: time of the last change covered, epoch ms. */
  at: z.optional(z.nullable(z.int())),
});

export const uplinkRequest = z
  .object({
    protocol: z.int().check(z.minimum(1)),
    version: z.string().check(z.maxLength(64)),
    instance: z.string().check(z.minLength(1), z.maxLength(128)),
    epoch: z.string().check(z.minLength(1), z.maxLength(64)),
    /** Newest position of the sender's store on this channel. */
    head: z.int().check(z.minimum(0)),
    /**
     * Oldest position that the sender still keeps; a receiver behind it accepts the gap and raises an alarm.
     */
    oldest: z.int().check(z.minimum(0)),
    cursor: uplinkCursor,
    /** What the sender understands, as in `FEATURES`; decisions that ask for more wait for it. */
    features: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(100))),
    /** A `SiteReport`; one that cannot be read is left aside and never refuses the request. */
    report: z.optional(z.unknown()),
    /** Checked one by one, so that a bad item is refused alone. */
    items: z.array(z.unknown()).check(z.maxLength(MAX_ITEMS)),
  })
  .register(described, { id: 'UplinkBatch' });
export type UplinkRequest = z.infer<typeof uplinkRequest>;

/** An item of the verdicts channel; members of `body` by kind. */
export interface ChangeItem {
  change_no: number;
  at: number;
  tenant_code: string;
  kind: 'verdict' | 'correction' | 'decision_refused';
  body: ChangeBody;
}

export interface ChangeBody {
  /** Idempotency key of the event that it is about. */
  event_key: string;
  /** When it was written, epoch ms. */
  at: number;
  verdict?: string;
  by?: string;
  by_kind?: 'human' | 'machine';
  note?: string | null;
  /** Idempotency key of the event that this one was merged into. */
  merged_into_key?: string | null;
  /** Instance where that event arose; null, or left out by an older sender: at the sender of this. */
  merged_into_instance?: string | null;
  judged?: unknown;
  disposition?: unknown;
  /** Correction: its id, unique wherever it was written. */
  id?: string;
  /** The headquarters decision that this answers. */
  decision_id?: string | null;
  /** decision_refused: why, for a person in English, and as a message. */
  reason?: string;
  told?: Message | null;
}

/** A verdict or correction written at headquarters on an event of the site. */
export interface Decision {
  decision_id: string;
  kind: 'verdict' | 'correction';
  tenant_code: string;
  event_key: string;
  verdict: string;
  by: string;
  by_kind: 'human' | 'machine';
  note: string | null;
  merged_into_key: string | null;
  /** Instance where that event arose; left out where it is not known. */
  merged_into_instance?: string;
  judged: unknown;
  disposition: unknown;
  at: number;
}

/** An event is refused: another instance had used its idempotency key first. */
export const KEY_OF_ANOTHER = 'key_of_another_instance';
/** An item is refused: headquarters took its form, and storing it failed. */
export const STORE_FAILED = 'store_failed';
/** A verdict or correction is refused: at headquarters the event that it names arose at another instance. */
export const EVENT_OF_ANOTHER = 'event_of_another_instance';

export interface RejectedItem {
  /** Position of the item: event id or change number at the sender. */
  originId: number;
  error: string;
  message: string;
}

export interface UplinkAnswer {
  protocol: number;
  /** Epoch of the receiving store. */
  epoch: string;
  accepted: number;
  duplicates: number;
  /**
   * Position now held for this (instance, epoch, channel). The sender moves its cursor to it, but not past
   * its own `cursor.to`: where an earlier answer was lost, what it said of the items behind is asked for
   * again.
   */
  cursor: number;
  rejected: RejectedItem[];
  decisions: Decision[];
  /**
   * Decisions that wait for this site in all, those of this answer included; an older receiver leaves it out.
   */
  decisionsWaiting?: number;
  /** Files that headquarters wants, for a site that understands it; an older receiver leaves it out. */
  evidence?: EvidenceWant[];
  /** Orders on its tasks that it has not answered, for a site that understands them. */
  orders?: Order[];
  /** Tenants whose events this site may bring; an older receiver leaves it out. */
  tenants?: readonly string[];
  /** What the receiver understands, as in `HUB_FEATURES`; an older receiver leaves it out. */
  features?: readonly string[];
}
