import type { InboxItem, InboxKind } from '../../../common/uplink/inbox.ts';

/** What became of an item. `answered`: it had been carried out or refused before. */
export type Carried = 'carried_out' | 'refused' | 'answered';

/** Where this store stands in its inbox at headquarters. */
export interface InboxPlace {
  /** Epoch of the headquarters store that gave `through`; empty before the first answer. */
  hubEpoch: string;
  /** Number of the last item that is stored here. */
  through: number;
}

/** An item that is stored here and not carried out yet. */
export interface WaitingItem {
  seq: number;
  kind: InboxKind;
  id: string;
  subject: string;
  /** JSON text, as it came. */
  body: string;
  failures: number;
}

/** An item with the subject that it is about. */
export type TakenItem = Pick<InboxItem, 'kind' | 'id' | 'body'> & { subject: string };

/** What waits of one kind. */
export interface InboxCount {
  waiting: number;
  /** Since when the first of them does, epoch ms. */
  oldestAt: number | null;
  /** Items whose last try failed, and why that of the last one did. */
  failing: number;
  lastError: string | null;
}

/** The inbox on this site's disk; each method is one transaction. */
export interface InboxPort {
  place(): InboxPlace;
  /** Stores items that are not here, and where the store then stands. */
  take(items: readonly TakenItem[], place: InboxPlace, now: number): Promise<void>;
  /**
   * Items that are due, oldest first; none on a subject of which an earlier one rests after a failure.
   * @param now epoch ms
   */
  due(now: number, limit: number): WaitingItem[];
  /** When the first of those that rest is due, epoch ms; null: none rests. */
  nextDueAt(now: number): number | null;
  /** Removes what was carried out. */
  done(seqs: readonly number[]): Promise<void>;
  /** Notes that a try failed, and when the next is due. */
  failed(item: Pick<WaitingItem, 'seq'>, error: string, dueAt: number): Promise<void>;
  count(kind: InboxKind): InboxCount;
  /** Items that failed so many times at least, and why the last of them did. */
  failing(times: number): { count: number; reason: string };
}
