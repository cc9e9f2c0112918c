import type { InboxKind, WaitingCounts } from '../../../common/uplink/inbox.ts';

/** Names what waits by its kind, and by its id in the table of that kind. */
export interface InboxEntry {
  no: number;
  kind: InboxKind;
  tenantCode: string;
  id: string;
}

/** What waits for the sites; it is written with what it stands for (schema/by-hand.ts). */
export interface InboxPort {
  /**
   * Numbers what is new, and reads what stands after a number, of this site and of those that it continues.
   * Nothing is numbered whose kind is not among `kinds`.
   * @param after a number that was never given here counts as none
   * @returns `from`: where it was read from
   */
  page(
    instance: string,
    query: { after: number; kinds: readonly string[]; limit: number },
  ): Promise<{ from: number; entries: InboxEntry[] }>;
  /** How many stand after a number by kind, those without one included. */
  waiting(instance: string, after: number): Promise<WaitingCounts>;
  /** Numbers these anew, behind all others: the site hears of them again. */
  again(entries: readonly Pick<InboxEntry, 'kind' | 'tenantCode' | 'id'>[]): Promise<void>;
  /** Removes entries for which there is nothing left to carry out. */
  remove(entries: readonly Pick<InboxEntry, 'kind' | 'tenantCode' | 'id'>[]): Promise<void>;
}

/** How one kind is read as it goes down. */
export interface InboxReader {
  kind: InboxKind;
  /**
   * Bodies by id, of those that are still to be carried out.
   * @throws Error when one of them cannot be read; they are then read one by one
   */
  read(entries: readonly Pick<InboxEntry, 'tenantCode' | 'id'>[]): Promise<ReadonlyMap<string, unknown>>;
}
