import type { Stamp } from '../../clock.ts';
import type { NewEvidenceJob } from '../evidence/port.ts';
import type { SubscriptionRecord } from '../subscription/port.ts';

/** How the pushes to one consumer go, apart from how far they have come (`SubscriptionRecord.pushCursor`). */
export interface PushState {
  consumer: string;
  /** In a row; 0 after a push that was answered. */
  failures: number;
  /** Epoch ms before which no further try is made. */
  nextAt: number;
  lastError: string | null;
  lastSuccessAt: number | null;
  /** Entries of receipts that could not be followed, ever. */
  receiptFaults: number;
  lastReceiptFault: string | null;
}

/** A consumer taken by one process; whoever holds another token, or none, settles nothing. */
export interface PushLease {
  consumer: string;
  token: string;
  /** Epoch ms. */
  until: number;
}

export interface PushDelivered {
  /** False: the filters let nothing through, and only the position moves. */
  pushed: boolean;
  /** Position reached. */
  cursor: number;
  /** Evidence that the receipt asks for. */
  jobs: NewEvidenceJob[];
  receiptFaults: number;
  lastReceiptFault: string | null;
}

export interface PushPort {
  /** Of every consumer that was ever claimed, by name. */
  states(): Promise<PushState[]>;
  /**
   * Takes a consumer that is still as `seen` (its push position and filters), enabled and due, and held by
   * nobody. A held row at the hub is passed over, not waited for. False when it is not to be had.
   */
  claim(seen: SubscriptionRecord, lease: PushLease, now: number): Promise<boolean>;
  /** Moves the end of the lease. False when the lease is no longer held. */
  renew(lease: PushLease): Promise<boolean>;
  /**
   * In one transaction: moves the push position up, never down and never the confirmed cursor; clears the
   * failures after a push; writes the jobs, with an audit entry where there are any; gives the lease back.
   * False, and nothing written, when the lease is no longer held.
   */
  delivered(lease: PushLease, delivered: PushDelivered, stamp: Stamp): Promise<boolean>;
  /** Counts a failure and gives the lease back; the position stays. False as above. */
  failed(lease: PushLease, error: string, nextAt: number): Promise<boolean>;
}
