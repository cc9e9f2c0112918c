/** A change as it is sent: in its wire form (common/uplink/change/item.ts), as the thing is now. */
export interface ChangeState {
  /** Its number. */
  changeNo: number;
  /** When it was made, epoch ms. */
  at: number;
  /** JSON text. */
  text: string;
  /** Of a group whose other members are to follow: the last event that the item names; null: it is all. */
  last: number | null;
  /** Of a group that was merged away: the one that it went to. */
  mergedInto: number | null;
}

/**
 * The log of what goes up beside events. Judgements stand in it each by itself, of any other thing only the
 * last change, so that numbers have gaps.
 */
export interface ChangePort {
  /** Number of the last durable change that may go up. */
  head(): number;
  /** Number from which every judgement is still kept. */
  oldest(): number;
  /**
   * After a number, ascending; ends before the first that names an event beyond `eventsThrough`, and once it
   * has `maxBytes`. A group that has only got members goes with these, and a large one in parts.
   */
  read(after: number, limit: number, how: { eventsThrough: number; maxBytes: number }): ChangeState[];
  /**
   * For a second try, standing on no other change. null: it changed since, and stands under a later number,
   * or it is gone.
   */
  one(changeNo: number): ChangeState | null;
  /** What waits after a number, with what may not go up yet, counted up to `atMost`. */
  waiting(after: number, atMost: number): number;
  /** Time of the first change that waits after a number, epoch ms. */
  oldestAfter(after: number): number | null;
  /** Estimate from the sizes of some of them. @param waiting how many there are */
  bytesAfter(after: number, waiting: number): number;
}
