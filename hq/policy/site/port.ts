import type { ClausesAnswer, FilesAnswer, LibraryItem } from '../../../common/uplink/library.ts';
import type { SiteLibrary } from './record.ts';

/** What of a library may go to a site. */
export interface LibraryReach {
  tenantCode: string;
  /** Highest rank; null: nothing goes there. */
  maxRank: number | null;
}

export interface FilesQuery {
  after: number;
  /** The number was given by this store. */
  known: boolean;
  whole: boolean;
}

export interface ClausesQuery {
  bytes: number;
  files: readonly { id: number; text_no: number; after: number }[];
}

/** What of the library goes down to sites; each method is one transaction. */
export interface SiteLibraryPort {
  /**
   * Notes for each live site which version of the libraries of its tenants it is to have, where that is
   * another one than before. @returns how many are new
   */
  renew(maxRank: number | null, now: number): Promise<number>;
  /** Those of these that their site is yet to have, by their ids. */
  open(named: readonly { tenantCode: string; id: string }[]): Promise<Map<string, LibraryItem>>;
  files(reach: LibraryReach, query: FilesQuery): Promise<Omit<FilesAnswer, 'protocol' | 'epoch'>>;
  clauses(reach: LibraryReach, query: ClausesQuery): Promise<Pick<ClausesAnswer, 'texts' | 'gone'>>;
  /** By tenant and site. @param tenants null: of every tenant */
  list(filter: { tenants: readonly string[] | null; instance?: string | undefined }): Promise<SiteLibrary[]>;
}
