/** What people call an instance, with its own name beside it where that is another one. */
export type Called = (instance: string) => string;

/** Gives it as it stands now. */
export type InstanceNames = () => Promise<Called>;

/** IANA name or offset of the time zone whose clock people read at an instance. */
export type ZoneOf = (instance: string) => string;

/** Gives it as it stands now. */
export type InstanceZones = () => Promise<ZoneOf>;

/** Where nobody gives instances names. */
export const byOwnName: InstanceNames = () => Promise.resolve((instance) => instance);

export const calledOf = (instance: string, displayName: string | null | undefined): string =>
  displayName === null || displayName === undefined || displayName === instance
    ? instance
    : `${displayName} (${instance})`;
