import type { GroupReader } from '../../../common/core/instance/record.ts';

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
