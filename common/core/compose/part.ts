import type { Clock } from '../../clock.ts';
import type { Route } from '../../http/route.ts';
import type { Logger } from '../../log.ts';
import type { Metric } from '../../metrics.ts';
import type { SealedVault, SecretSources, SecretVault } from '../../secret/secret.ts';
import type { CameraNames } from '../camera/record.ts';
import type { GroupSites, InstanceNames, InstanceZones } from '../instance/record.ts';
import type { SecretResolver } from '../secret/resolver.ts';
import type { Stores } from '../stores.ts';

/** What every part of the core is made from. */
export interface CoreBase {
  stores: Stores;
  clock: Clock;
  log: Logger;
  /** Name of this instance, shown with events that arose here. */
  instance: string;
  /** What people call instances. */
  names: InstanceNames;
  /** What people call cameras. */
  cameras: CameraNames;
  /** Whose clock people read there. */
  zones: InstanceZones;
  /** Which sites are in a group. */
  groups: GroupSites;
}

/** How the core opens and seals secrets. */
export interface CoreSecrets {
  /** Keeps the secrets of signing keys. */
  vault: SecretVault;
  /** Opens references that the configuration names, and what `sealing` has sealed. */
  sources: SecretSources;
  /** Opens references that the API names. */
  resolver: SecretResolver;
  /** Seals what is kept only for a while. */
  sealing: SealedVault;
}

/** What a part of the core serves and counts, and the background work that it does. */
export interface CorePart {
  routes: Route[];
  metrics: Metric[];
  start(): void;
  stop(): Promise<void>;
}

/** For a part that does no background work. */
export const noWork: Pick<CorePart, 'start' | 'stop'> = {
  start: () => undefined,
  stop: () => Promise.resolve(),
};
