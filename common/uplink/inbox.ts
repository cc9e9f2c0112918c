/**
 * The inbox of a site (DESIGN.md, "The inbox down"): what headquarters has for it, in one numbered order. A
 * site asks by one long poll for what stands after the last number that it has stored, so that fifty thousand
 * waiting items cost a call no more than ten do. The number lies in the site's store with the items: a store
 * that is put back, or a new one, asks again from where it stands. Invariant: an item stays at headquarters
 * until its answer was stored there; answers go up as verdicts, work and states of files do. The poll goes
 * beside the channels, so that nothing new of the site waits for it, and moves no position of theirs.
 */
import * as z from 'zod/mini';
import { described } from '../http/described.ts';

export const INBOX_PATH = '/api/core/uplink/inbox';

/**
 * What can wait for a site: a verdict or correction (wire.ts), something to be done to a task (order.ts)
 * or to an incident group (group-order.ts), a file that is wanted (evidence.ts), the policies in force
 * (library.ts), what is set from headquarters (settings/), something to look at or to do for people
 * (request/), the version that is wanted (upgrade/). A site names those that it carries out among its
 * `features`; what it does not know waits until it is renewed.
 */
export const inboxKinds = [
  ...(['decision', 'order', 'group_order', 'want'] as const),
  ...(['library', 'settings', 'request', 'upgrade'] as const),
] as const;
export type InboxKind = (typeof inboxKinds)[number];

/** Items that one answer carries at most, and their bytes; one item alone may be larger. */
export const MAX_INBOX_ITEMS = 500;
export const INBOX_TARGET_BYTES = 1024 * 1024;

/** Longest that headquarters holds a call, ms: less than a site may be silent, and than proxies wait. */
export const MAX_HOLD_MS = 20_000;

/**
 * While it holds a call, headquarters sends a space this often, ms: a program that is frozen, or a line that
 * is dead, is known before the hold is over.
 */
export const HEARTBEAT_MS = 3_000;

export const inboxRequest = z
  .object({
    protocol: z.int().check(z.minimum(1)),
    version: z.string().check(z.maxLength(64)),
    instance: z.string().check(z.minLength(1), z.maxLength(128)),
    epoch: z.string().check(z.minLength(1), z.maxLength(64)),
    features: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(100))),
    /** How long the call may be held, ms; 0: it is answered at once. */
    hold_ms: z.int().check(z.minimum(0), z.maximum(60_000)),
    /** Number of the last item that the site has stored, and the epoch of headquarters that gave it. */
    after: z.int().check(z.minimum(0)),
    hub_epoch: z._default(z.string().check(z.maxLength(64)), ''),
    /**
     * A `SiteReport` that does not wait for the channels: a critical alarm has begun or ended. It is
     * kept before the call is held; one that cannot be read is left aside.
     */
    report: z.optional(z.unknown()),
  })
  .register(described, { id: 'InboxPoll' });
export type InboxRequest = z.infer<typeof inboxRequest>;

/** One thing that headquarters has for a site. */
export interface InboxItem {
  no: number;
  kind: InboxKind;
  /** The same whenever it comes; unique within its kind. */
  id: string;
  body: unknown;
}

/** Counts by kind; a kind of which nothing waits may be left out. */
export type WaitingCounts = Partial<Record<InboxKind, number>>;

export interface InboxAnswer {
  protocol: number;
  /** Epoch of the receiving store. */
  epoch: string;
  /** In the order of their numbers. */
  items: InboxItem[];
  /** Where the site stands once it has stored them. */
  through: number;
  /** Items that stand after `through`, by kind. */
  waiting: WaitingCounts;
  /** Whether the call was held, or would have been; otherwise the next one comes after a while. */
  held: boolean;
  /** Tenants whose events the site may bring. */
  tenants?: readonly string[];
  features: readonly string[];
}
