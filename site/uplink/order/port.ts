import type { Stamp } from '../../../common/clock.ts';
import type { Message } from '../../../common/message.ts';
import type { Order } from '../../../common/uplink/order.ts';
import type { Carried } from '../inbox/port.ts';

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
   * Carries it out by the rules of tasks, or notes why not. What became of it goes up with the log.
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
