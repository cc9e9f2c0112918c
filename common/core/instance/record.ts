/** What people call an instance, with its own name beside it where that is another one. */
export type Called = (instance: string) => string;

/** Gives it as it stands now. */
export type InstanceNames = () => Promise<Called>;

/** IANA name or offset of the time zone whose clock people read at an instance. */
export type ZoneOf = (instance: string) => string;

/** Gives it as it stands now. */
export type InstanceZones = () => Promise<ZoneOf>;

/** Who asks for a group of sites, and of whose. */
export interface GroupReader {
  /** null: every tenant. */
  tenantCode: string | null;
  /** The reader belongs to that tenant; otherwise it is of headquarters. */
  bound: boolean;
}

/**
 * The instances of the sites that are in a group and bring what this tenant has, with the names that they go
 * on from; none where there is no such group for whoever asks.
 */
export type GroupSites = (name: string, reader: GroupReader) => Promise<string[]>;

/** Where sites are in no groups. */
export const noGroups: GroupSites = () => Promise.resolve([]);

/** Where nobody gives instances names. */
export const byOwnName: InstanceNames = () => Promise.resolve((instance) => instance);

export const calledOf = (instance: string, displayName: string | null | undefined): string =>
  displayName === null || displayName === undefined || displayName === instance
    ? instance
    : `${displayName} (${instance})`;
