import type { Condition } from '../record.ts';
import type { ConnectionMessage } from './fault.ts';

/** How it stands with the connection of one device. Times are epoch ms. */
export class ConnectionState {
  condition: Condition = 'connecting';
  /** Since when it stands so. */
  since: number;
  /** Why it is not connected; null while it is, and before the first try is over. */
  fault: ConnectionMessage | null = null;
  /** When anything came, heartbeats too. */
  aliveAt: number | null = null;
  nextAttemptAt: number | null = null;
  /** Connections that were let in. */
  connects = 0;
  /** Whether the present connection has brought a message, or stood for a while. */
  proven = false;
  /** Tries that failed in a row. */
  failures = 0;

  constructor(now: number) {
    this.since = now;
  }

  set(condition: Condition, fault: ConnectionMessage | null, now: number): void {
    if (condition !== this.condition) this.since = now;
    this.condition = condition;
    this.fault = fault;
  }
}
