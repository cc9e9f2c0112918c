import { siteStateOf } from '../silence/view.ts';
import { heardOf } from '../status.ts';
import { needsCare } from './decide.ts';
import type { ListedSite, ToldLine } from './port.ts';
import type { SiteLine } from './schema.ts';

/** What waits here for a site, and what of it was not taken. */
export type HereLine = Pick<SiteLine, 'toSite' | 'filesWanted' | 'refused'>;

/** How a list of all sites shows this one. @param now epoch ms */
export function lineOf({ told, ...site }: ListedSite, here: HereLine, now: number): SiteLine {
  const line = {
    ...siteStateOf(heardOf(site, site.lastSeenAt ?? undefined, now)),
    tenants: site.tenants,
    version: site.version,
    ...here,
    ...(told ?? NOTHING_TOLD),
  };
  return { ...line, needsCare: needsCare(line) };
}

const NOTHING_TOLD: ToldLine = { there: null, shed: 0, report: null };
