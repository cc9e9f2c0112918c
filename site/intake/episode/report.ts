/** Stores the event of an episode. @returns its id */
export type StoreEvent = (pending: string, keyId: string) => Promise<number>;

/**
 * An alarm that begins may be one that stands already: a device did not tell its end, or told more or less of
 * it; or one that is over, by a clock of the device that tells only seconds. Both are events, and the second
 * says so.
 */
export interface Doubt {
  /** Of the other one; null: it is not stored yet. */
  eventId: number | null;
  /** What tells its key from that of the other, where they would have the same. */
  mark: string | null;
}

/** Makes the event of an alarm that begins, as JSON text. It must not fail. */
export interface Making {
  event: (doubt: Doubt | null) => Promise<string>;
  /** The event that has its key already; null: none has. */
  known: () => Promise<number | null>;
  /** The same event once more, when pictures were fetched for it or could not be. It must not fail. */
  withPictures?: ((doubt: Doubt | null) => Promise<string>) | undefined;
}

/** What became of a report; `eventId` of what was stored. */
export interface Reported {
  outcome: 'stored' | 'repeated' | 'ended';
  eventId: number | null;
}

export const REPEATED: Reported = { outcome: 'repeated', eventId: null };
export const ENDED: Reported = { outcome: 'ended', eventId: null };
