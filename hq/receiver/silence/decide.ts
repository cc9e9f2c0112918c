import type { SiteRecord } from '../port.ts';
import type { Watch } from './record.ts';

const MINUTE_MS = 60_000;
/** A site from which nothing was heard for longer than this is late, ms. */
const LATE_AFTER_MS = 30_000;
/** After headquarters was away all sites are given so long to call again, whatever their own time is, ms. */
const GRACE_MS = 180_000;

export type HeardState = 'current' | 'late' | 'silent' | 'away';

const limitMs = ({ silentAfterMinutes }: Watch): number => silentAfterMinutes * MINUTE_MS;

/** @param at when it was heard last, epoch ms; undefined: never */
export function heardState(at: number | undefined, watch: Watch, now: number): HeardState {
  const quiet = at === undefined ? Infinity : now - at;
  if (quiet <= LATE_AFTER_MS) return 'current';
  if (watch.away) return 'away';
  return quiet > limitMs(watch) ? 'silent' : 'late';
}

/** A site of which somebody may have to be told. One that has never called is not set up yet. */
export type Watched = Pick<SiteRecord, 'instance'> & Watch & { lastSeenAt: number };

export interface Listening {
  /** Epoch ms. */
  now: number;
  /** For how long headquarters has been able to hear sites, without a break, ms. */
  forMs: number;
}

/**
 * For which sites an alarm is to stand. One that stands ends with the next call, with a longer time, and for
 * a site that is away or removed; it does not end because headquarters was away itself.
 * @param standing sites for which it stands
 */
export function silenceAlarms(
  sites: readonly Watched[],
  standing: ReadonlySet<string>,
  { now, forMs }: Listening,
): { raise: Watched[]; clear: string[] } {
  const silent = new Map(
    sites
      .filter((site) => heardState(site.lastSeenAt, site, now) === 'silent')
      .map((site) => [site.instance, site]),
  );
  return {
    raise: [...silent.values()].filter(
      (site) => !standing.has(site.instance) && forMs >= Math.max(limitMs(site), GRACE_MS),
    ),
    clear: [...standing].filter((instance) => !silent.has(instance)),
  };
}
