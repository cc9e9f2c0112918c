/**
 * The held call (design §6, "Uplink"): a site asks what waits for it, and headquarters answers when something
 * does, at once or after a while, and at the latest when the time is over. It goes beside the channels, so
 * that nothing new of the site waits for it, and moves no position.
 */
import * as z from 'zod/mini';
import { described } from '../http/described.ts';
import type { EvidenceWant } from './evidence.ts';
import type { Order } from './order.ts';
import type { Decision } from './wire.ts';

/** Longest that headquarters holds a call, ms: less than a site may be silent, and than proxies wait. */
export const MAX_HOLD_MS = 20_000;

/**
 * While it holds a call, headquarters sends a space this often, ms: a program that is frozen, or a line that
 * is dead, is known before the hold is over.
 */
export const HEARTBEAT_MS = 3_000;

export const heldRequest = z
  .object({
    protocol: z.int().check(z.minimum(1)),
    version: z.string().check(z.maxLength(64)),
    instance: z.string().check(z.minLength(1), z.maxLength(128)),
    epoch: z.string().check(z.minLength(1), z.maxLength(64)),
    features: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(100))),
    /** How long the call may be held, ms; 0: it is answered at once. */
    hold_ms: z.int().check(z.minimum(0), z.maximum(60_000)),
    /** `mark` of the last answer: the call is held as long as nothing else waits than what that one told. */
    known: z._default(z.string().check(z.maxLength(64)), ''),
    /**
     * A `SiteReport` that does not wait for the channels: a critical alarm has begun or ended. It is
     * kept before the call is held; one that cannot be read is left aside.
     */
    report: z.optional(z.unknown()),
  })
  .register(described, { id: 'HeldCall' });
export type HeldRequest = z.infer<typeof heldRequest>;

export interface HeldAnswer {
  protocol: number;
  /** Epoch of the receiving store. */
  epoch: string;
  /** Stands for what waits; empty when nothing does. */
  mark: string;
  /** Whether the call was held, or would have been; otherwise the next one comes after a while. */
  held: boolean;
  decisions: Decision[];
  decisionsWaiting: number;
  evidence?: EvidenceWant[];
  orders?: Order[];
  /** Tenants whose events the site may bring. */
  tenants?: readonly string[];
  features: readonly string[];
}
