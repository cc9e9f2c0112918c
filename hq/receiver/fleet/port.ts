import type { GroupReader } from '../../../common/core/instance/record.ts';
import type { SiteRecord } from '../port.ts';
import type { SiteLine } from './schema.ts';

/** What the list of all sites shows of a report; it is made when the report comes. */
export type ToldLine = Pick<SiteLine, 'there' | 'shed' | 'report'>;

/** A site as the list of all needs it. */
export interface ListedSite extends SiteRecord {
  /** Epoch ms; null: it has never called. */
  lastSeenAt: number | null;
  version: string | null;
  /** null: it has told nothing yet. */
  told: ToldLine | null;
}

export interface FleetPort {
  /** Live ones, by instance. */
  listed(): Promise<ListedSite[]>;
  /** Items that were not taken since ever, by instance; only sites that have any. */
  notTaken(): Promise<Map<string, number>>;
}

/** A group that sites are looked after by. */
export interface SiteGroup {
  name: string;
  /** Sites in it that bring what the reader may see. */
  sites: number;
}

export interface SiteGroupPort {
  /** As `GroupSites`, by name. */
  sitesOf(name: string, reader: GroupReader): Promise<string[]>;
  /** By name; those that there are for whoever asks. */
  list(reader: GroupReader): Promise<SiteGroup[]>;
}
