// Which sites a rollout begins with, and how its waves are cut. Pure.
import { compareVersions, releaseVersion } from '../../../common/uplink/upgrade/manifest.ts';
import { type Candidate, type Caution, type Planned, SHARE } from './record.ts';

/** What is not said otherwise. */
export const CAUTION: Caution = {
  ...{ settleMinutes: 60, carefulWaves: 2, failPercent: 2 },
  ...{ silentMinutes: 30, restPercent: 10, restHours: 24 },
};

/** A site that was heard within this time comes before others, ms. */
const HEARD_LATELY_MS = 600_000;

/** Whether a site runs this version or a newer one. */
export const runsAtLeast = (runs: string | null, wanted: string): boolean =>
  runs !== null &&
  (runs === wanted || (releaseVersion.safeParse(runs).success && compareVersions(runs, wanted) > 0));

/** Whether a site is known to be too old to be told. */
export const isUnable = ({ features }: Pick<Candidate, 'features'>): boolean =>
  features !== null && !features.includes('upgrade');

/**
 * How many sites each wave begins. Each share says how far the rollout goes with its wave, of all sites;
 * waves that would begin none are left out, and what is left is the last one.
 */
export function wavesOf(shares: readonly string[], total: number): number[] {
  let reached = 0;
  const sizes: number[] = [];
  for (const share of [...shares, '100%']) {
    const [, sites, percent] = SHARE.exec(share) ?? [];
    const far = sites === undefined ? Math.ceil((total * Number(percent)) / 100) : Number(sites);
    const fresh = Math.min(total, far) - reached;
    if (fresh > 0) sizes.push(fresh);
    reached += Math.max(0, fresh);
  }
  return sizes;
}

/**
 * The order in which sites are begun: those that are named, as they are named; then by name those that were
 * heard lately, those that were not, and those that are too old to be told. What runs the version already
 * comes last, and is of no wave's size.
 */
export function planned(
  sites: readonly Candidate[],
  { version, first, shares }: { version: string; first: readonly string[]; shares: readonly string[] },
  now: number,
): { sites: Planned[]; waves: number } {
  const named = new Map(first.map((instance, at) => [instance, at]));
  const rank = (site: Candidate): number => {
    const at = named.get(site.instance);
    if (at !== undefined) return at;
    if (isUnable(site)) return named.size + 2;
    return named.size + (now - (site.lastSeenAt ?? -Infinity) <= HEARD_LATELY_MS ? 0 : 1);
  };
  const byPlace = (a: Candidate, b: Candidate): number =>
    rank(a) - rank(b) || (a.instance < b.instance ? -1 : 1);
  const wanting = sites.filter((site) => !runsAtLeast(site.version, version)).toSorted(byPlace);
  const already = sites.filter((site) => runsAtLeast(site.version, version)).toSorted(byPlace);
  const waveOf = wavesOf(shares, wanting.length).flatMap((size, wave) => new Array<number>(size).fill(wave));
  const waves = Math.max(1, (waveOf.at(-1) ?? 0) + 1);
  return {
    waves,
    sites: [
      ...wanting.map(({ instance }, at) => ({ instance, wave: waveOf[at] ?? 0, step: 'planned' as const })),
      ...already.map(({ instance }) => ({ instance, wave: waves - 1, step: 'already' as const })),
    ],
  };
}
