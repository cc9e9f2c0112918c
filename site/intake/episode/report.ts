/** Stores the event of an episode. @returns its id */
export type StoreEvent = (pending: string, keyId: string) => Promise<number>;

/** Makes the event of an alarm that begins, as JSON text. It must not fail. */
export interface Making {
  event: () => Promise<string>;
  /** The same event once more, when pictures were fetched for it or could not be. It must not fail. */
  withPictures?: (() => Promise<string>) | undefined;
}

/** What became of a report; `eventId` of what was stored. */
export interface Reported {
  outcome: 'stored' | 'repeated' | 'ended';
  eventId: number | null;
}

export const REPEATED: Reported = { outcome: 'repeated', eventId: null };
export const ENDED: Reported = { outcome: 'ended', eventId: null };
