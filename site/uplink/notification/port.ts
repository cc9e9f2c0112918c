import type { Stamp } from '../../../common/clock.ts';
import type { HandedNotification, HandedResult } from '../../../common/uplink/notification.ts';

export interface HandoverCounts {
  /** Messages that headquarters has not been offered, or may not have received. */
  waiting: number;
  /** Of their texts. */
  bytes: number;
  /** Epoch ms at which the oldest of them was made. */
  oldestWaitingAt: number | null;
  /** Messages that headquarters has, or may have although they are late, and has not settled. */
  taken: number;
}

/** A message that was given up here, as the alarm names it. */
export interface GivenUp {
  /** It is not given up: headquarters may have delivered it, and is asked. */
  unclear: boolean;
  id: string;
  tenantCode: string;
  taskId: number | null;
  channel: HandedNotification['channel'];
  error: string;
}

export interface LateReasons {
  /** Headquarters was never told. */
  untold: string;
  /** It may have it. */
  unknown: string;
}

export interface Settled {
  failed: GivenUp[];
  delivered: Pick<GivenUp, 'tenantCode' | 'channel'>[];
}

/**
 * Notifications that headquarters is to deliver. Each method that writes is one transaction, with what it
 * says on the tasks.
 */
export interface HandoverPort {
  /** Whether anything is on its way, cheaply. */
  any(): boolean;
  /**
   * Takes messages back that headquarters has never been offered and that a channel of this site can deliver
   * now. @returns how many
   */
  takeBack(stamp: Stamp): Promise<number>;
  /**
   * Gives up messages made before `before` that headquarters was never told of. Those that it may have are
   * not handed up again, but asked for until it says what became of them.
   * @param reasons what is said of either @returns both
   */
  tooLate(before: number, reasons: LateReasons, stamp: Stamp): Promise<GivenUp[]>;
  /** The oldest messages to offer to headquarters, marked as offered: from then on it may have them. */
  offer(limit: number): Promise<HandedNotification[]>;
  /** Messages that headquarters has, or may have although they are late, oldest first. */
  taken(limit: number): string[];
  /** What headquarters says of messages. @returns those that came to their end */
  settle(results: readonly HandedResult[], stamp: Stamp): Promise<Settled>;
  counts(): HandoverCounts;
}
