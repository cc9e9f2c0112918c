import type { Stamp } from '../../../common/clock.ts';
import type { Message } from '../../../common/message.ts';
import type { Order } from '../../../common/uplink/order.ts';
import type { Carried } from '../inbox/port.ts';

/** A task or group as it is now, in its wire form (common/uplink/work-item.ts). */
export interface WorkState {
  /** Number of its last change. */
  changeNo: number;
  /** Of that change, epoch ms. */
  at: number;
  /** JSON text. */
  text: string;
  /** Of a group whose other members are to follow: the last event that the item names; null: it is all. */
  last: number | null;
  /** Of a group that was merged away: the one that it went to. */
  mergedInto: number | null;
}

/**
 * What the work channel sends. A task or group stands under the number of its last change alone, so that
 * numbers have gaps, and every one that exists can still be sent.
 */
export interface WorkPort {
  /** Number of the last durable change. */
  head(): number;
  /**
   * After a number, ascending; ends before the first that names an event beyond `eventsThrough`, and once it
   * has `maxBytes`. A group that has only got members goes with these, and a large one in parts.
   */
  read(after: number, limit: number, how: { eventsThrough: number; maxBytes: number }): WorkState[];
  /**
   * For a second try, standing on no other change. null: it changed since, and stands under a later number,
   * or it is gone.
   */
  one(changeNo: number): WorkState | null;
  /** Things after a number, counted up to `atMost`. */
  waiting(after: number, atMost: number): number;
  /** Time of the first change after a number, epoch ms. */
  oldestAfter(after: number): number | null;
  /** Estimate from the sizes of some of them. */
  bytesAfter(after: number): number;
}

/** An order whose message to the camera is yet to be tried, and what came of that noted. */
export interface SentOrder {
  orderId: string;
  tenantCode: string;
  feedbackId: string;
}

/** Orders that were carried out and whose message to the camera is yet to be tried. */
export interface OrdersUnderWay {
  count: number;
  /** When the first of them was carried out, epoch ms. */
  oldestAt: number | null;
}

/** Orders of headquarters, each carried out or refused once; every method is one transaction. */
export interface OrderPort {
  /**
   * Carries it out by the rules of tasks, or notes why not. What became of it goes up with the work channel.
   * @param eventId event that a new task is on; null: the event is not known here
   */
  carry(order: Order, eventId: number | null, stamp: Stamp): Promise<Carried>;
  /** Notes that an order is not understood here. False: it was answered before. */
  refuse(order: { orderId: string; tenantCode: string; reason: Message }, stamp: Stamp): Promise<boolean>;
  /** Oldest first. */
  sent(limit: number): SentOrder[];
  underWay(): OrdersUnderWay;
  /** Notes what came of the message to the camera; of a note to the field on its task too. */
  settle(orderId: string, pushed: { delivered: boolean; error: string | null }, stamp: Stamp): Promise<void>;
}

/** `sent`: carried out, but what came of the message to the camera is not noted yet. */
export type CarriedState = 'sent' | 'done' | 'refused';

/** A note to the field that is appended to its task once its message was tried. */
export interface PendingNote {
  text: string;
  by: string;
}
