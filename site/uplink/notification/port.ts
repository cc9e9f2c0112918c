import type { Stamp } from '../../../common/clock.ts';
import type { HandedNotification, HandedResult } from '../../../common/uplink/notification.ts';

export interface HandoverCounts {
  /** Messages that headquarters was not told of, or may not have. */
  waiting: number;
  /** Of their texts. */
  bytes: number;
  /** Epoch ms at which the oldest of them was made. */
  oldestWaitingAt: number | null;
  /** Messages that headquarters has and has not settled. */
  taken: number;
}

/** Given up here, as an alarm is to name it. */
export interface GivenUp {
  id: string;
  tenantCode: string;
  taskId: number | null;
  channel: HandedNotification['channel'];
  error: string;
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
   * Messages that headquarters has never been offered go out by a channel of this site where there has come
   * to be one. @returns how many
   */
  takeBack(stamp: Stamp): Promise<number>;
  /** Gives up messages that headquarters has not taken, made before `before`; null: all of them. */
  giveUp(before: number | null, reason: string, stamp: Stamp): Promise<GivenUp[]>;
  /** Oldest first: what headquarters is to take. From then on it may have them. */
  offer(limit: number): Promise<HandedNotification[]>;
  /** Messages that headquarters has and has not settled, oldest first. */
  taken(limit: number): string[];
  /** What headquarters says of messages. @returns those that came to their end */
  settle(results: readonly HandedResult[], stamp: Stamp): Promise<Settled>;
  counts(): HandoverCounts;
}
