import type { Stamp } from '../../../common/clock.ts';
import type { SiteRequest } from '../../../common/uplink/request/schema.ts';
import type { AskedSite, NewRequest, RequestRow } from './record.ts';

export interface RequestBounds {
  /** Requests of one site that are open and not over. */
  open: number;
  /** Asked of one site within an hour. */
  hour: number;
  /** Kept of one site; older ones go with their answers. */
  kept: number;
}

/** A file of an answer as far as it is here; null: nothing is known of the request. */
export type FileState =
  | { kind: 'unanswered' | 'unwanted' }
  | { kind: 'coming' | 'whole'; held: number; size: number; sha256: string };

/** Requests of people to sites; each method is one transaction. */
export interface RequestPort {
  /** null: there is no such site, or it was removed. */
  site(instance: string): Promise<AskedSite | null>;
  /** Notes a request for the site, with an entry of the audit. */
  ask(
    request: NewRequest,
    bounds: RequestBounds,
    by: { actor: string; stamp: Stamp },
  ): Promise<'asked' | 'too_many_open' | 'too_many_asked'>;
  /** Of a site, the newest first; their texts are left out. */
  list(instance: string, limit: number): Promise<RequestRow[]>;
  get(instance: string, id: string): Promise<RequestRow | null>;
  /** The file of an answer that is whole, with an entry of the audit; null: there is none. */
  file(row: RequestRow, by: { actor: string; stamp: Stamp }): Promise<Buffer | null>;
  /**
   * Takes one back that is open, with an entry of the audit.
   * @returns how it stands then; what was over or withdrawn before is as it was. null: there is none
   */
  withdraw(instance: string, id: string, by: { actor: string; stamp: Stamp }): Promise<RequestRow | null>;
  /** Those that go down now, noted as sent; one whose time is over ends instead. */
  goingDown(
    entries: readonly { tenantCode: string; id: string }[],
    now: number,
  ): Promise<ReadonlyMap<string, SiteRequest>>;
  /** How far the file of a request is, of a site of one of these names; null: there is no such request. */
  fileState(id: string, owned: readonly string[]): Promise<FileState | null>;
  /**
   * Stores a piece where the file stands at `offset`, and with the last one whether it is what was announced.
   * @returns how many bytes are held now
   */
  addPiece(
    id: string,
    offset: number,
    bytes: Buffer,
  ): Promise<{ held: number; done: boolean; mismatch: boolean }>;
  /** Ends what was never sent and is over; deletes what was asked before. @returns how many were deleted */
  sweep(now: number, askedBefore: number): Promise<number>;
}
