import type { LeftOut, LeftOutRow } from './record.ts';

export interface LeftOutPort {
  /** What is left out now, by work and tenant. */
  leftOut(): Promise<LeftOut[]>;
  /**
   * Leaves a row out until it is tried again: after a minute at first, then after as long as it has failed,
   * an hour at most. @param now epoch milliseconds
   */
  leaveOut(row: LeftOutRow, reason: string, now: number): Promise<void>;
  /** It was taken. */
  takenIn(row: LeftOutRow): Promise<void>;
  /** Forgets rows of the agent's works that were to be tried before this and were not: they are gone. */
  forgetGone(before: number): Promise<void>;
}
