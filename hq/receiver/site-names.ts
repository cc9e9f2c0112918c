import type { Clock } from '../../common/clock.ts';
import { calledOf, type InstanceNames, type InstanceZones } from '../../common/core/instance/record.ts';
import { isZone, STANDARD_ZONE } from '../../common/time.ts';
import type { SitePort } from './port.ts';
import type { SiteZonePort } from './zone/port.ts';

/** How long names are believed, ms. */
export const KEPT_MS = 10_000;

/** The names that people gave sites. */
export function siteNames(sites: Pick<SitePort, 'list'>, clock: Clock): InstanceNames {
  const read = kept(clock, async () => {
    const all = await sites.list();
    return new Map(all.map(({ instance, displayName }) => [instance, calledOf(instance, displayName)]));
  });
  return async () => {
    const names = await read();
    return (instance) => names.get(instance) ?? instance;
  };
}

/**
 * The time zones that sites have told; the standard one for headquarters, and for a site that told none, or
 * one that is not known here.
 */
export function siteZones(sites: SiteZonePort, clock: Clock): InstanceZones {
  const read = kept(clock, async () => {
    const told = (await sites.zones(null)).filter(({ zone }) => isZone(zone));
    return new Map(told.map(({ instance, zone }) => [instance, zone]));
  });
  return async () => {
    const zones = await read();
    return (instance) => zones.get(instance) ?? STANDARD_ZONE;
  };
}

/** What is read anew only after a while, or when reading failed. */
export function kept<T>(clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let known: { at: number; value: Promise<T> } | null = null;
  return async () => {
    const at = clock.monotonic();
    if (known === null || at - known.at >= KEPT_MS) known = { at, value: read() };
    return known.value.catch((error: unknown) => {
      known = null;
      throw error;
    });
  };
}
