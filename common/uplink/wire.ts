/**
 * The wire format of the uplink (spec 2, "uplink"; DESIGN.md, "Uplink"), shared by sender and receiver.
 *
 * Every channel POSTs `UplinkRequest` and gets `UplinkAnswer`. `cursor.from` is the
 * position after which the items stand, `cursor.to` the position that they reach.
 * Positions are event ids on the events channel and numbers of changes on the
 * verdicts channel, whose cursor also carries the time of the last change. Its
 * numbers have gaps: of a task, a group, the result of an order or what a camera
 * heard only the last change is kept, and the item says how it stands then.
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
import { inboxKinds } from './inbox.ts';

export const PROTOCOL = 1;
/** Largest number of items of one request. */
export const MAX_ITEMS = 1000;
/** The sender keeps a request under this many bytes before compression, unless one item alone is larger. */
export const TARGET_BYTES = 4 * 1024 * 1024;
/** The receiver refuses more than this, after decompression, with 413. */
export const MAX_BYTES = 16 * 1024 * 1024;

/** Refuses a change of a group of which the change that it stands on is not stored; it then goes up whole. */
export const BASE_UNKNOWN = 'base_unknown';
/** Refuses a batch whose predecessor did not come; nothing of it was stored. */
export const BATCH_MISSING = 'batch_missing';
/**
 * What this program understands beyond the first form of the protocol; whoever does not know of one reads
 * past it. A site names what it can carry out, and headquarters leaves the rest to wait (inbox.ts).
 */
export const FEATURES: readonly string[] = inboxKinds;
/** The same of headquarters, in its answers. */
export const HUB_FEATURES: readonly string[] = [];

/**
 * The two channels of document 2. `verdicts` carries the log of all that changes at a site but the coming of
 * events, of which verdicts were the first kind (change/item.ts).
 */
export const channelNames = ['events', 'verdicts'] as const;
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
    /** What the sender understands, as in `FEATURES`. */
    features: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(100))),
    /** A `SiteReport`; one that cannot be read is left aside and never refuses the request. */
    report: z.optional(z.unknown()),
    /** Checked one by one, so that a bad item is refused alone. */
    items: z.array(z.unknown()).check(z.maxLength(MAX_ITEMS)),
  })
  .register(described, { id: 'UplinkBatch' });
export type UplinkRequest = z.infer<typeof uplinkRequest>;

/** Of a judgement on the verdicts channel, by its kind: `verdict`, `correction` or `decision_refused`. */
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
  /** Tenants whose events this site may bring. */
  tenants?: readonly string[];
  /** Another store sends under the name of this site, too. */
  doubled?: boolean;
  /** What the receiver understands, as in `HUB_FEATURES`. */
  features?: readonly string[];
}
