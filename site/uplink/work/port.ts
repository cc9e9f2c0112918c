/** A task or group as it is now, in its wire form (common/uplink/work-item.ts). */
export interface WorkState {
  /** Number of its last change. */
  changeNo: number;
  /** Of that change, epoch ms. */
  at: number;
  /** JSON text. */
  text: string;
}

/**
 * What the work channel sends. A thing stands under the number of its last change alone, so that numbers have
 * gaps and nothing is ever out of reach.
 */
export interface WorkPort {
  /** Number of the last durable change. */
  head(): number;
  /**
   * After a number, ascending; ends before the first that names an event beyond `eventsUpto`, and once it has
   * `maxBytes`.
   */
  read(after: number, limit: number, eventsUpto: number, maxBytes: number): WorkState[];
  /** null: it changed since, and stands under a later number, or it is gone. */
  one(changeNo: number): WorkState | null;
  /** Things after a number, counted up to `atMost`. */
  waiting(after: number, atMost: number): number;
  /** Time of the first change after a number, epoch ms. */
  oldestAfter(after: number): number | null;
  /** Estimate from the sizes of some of them. */
  bytesAfter(after: number): number;
}

/** `sent`: carried out, but what came of the message to the camera is not noted yet. */
export type CarriedState = 'sent' | 'done' | 'refused';

/** A note to the field that is appended to its task once its message was tried. */
export interface PendingNote {
  text: string;
  by: string;
}
