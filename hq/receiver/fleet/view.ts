import { formatTimeOrNull } from '../../../common/time.ts';
import { siteStateOf } from '../silence/view.ts';
import type { SiteStatus } from '../status.ts';
import { needsCare } from './decide.ts';
import type { SiteLine } from './schema.ts';

/** How a list of all sites shows this one. */
export function lineOf(site: SiteStatus): SiteLine {
  const line = {
    ...siteStateOf(site),
    tenants: site.tenants,
    version: site.version,
    there: waitsThere(site),
    toSite: site.decisions.waiting + site.orders.waiting,
    filesWanted: site.evidence.wanted,
    refused: [site.events, site.verdicts].reduce(
      (sum, one) => sum + one.rejectedTotal + one.conflictTotal,
      0,
    ),
    shed: site.report === null ? 0 : shedOf(site.report.shed),
    report: site.report && machineOf(site.report),
  };
  return { ...line, needsCare: needsCare(line) };
}

/** null: the site has not told, as older versions do not. */
function waitsThere({ flows }: SiteStatus): SiteLine['there'] {
  const there = flows.filter(({ at }) => at === 'site');
  if (there.length === 0) return null;
  const times = there.flatMap(({ oldestAt }) => oldestAt ?? []);
  return {
    waiting: there.reduce((sum, { waiting }) => sum + waiting, 0),
    oldestAt: formatTimeOrNull(times.length === 0 ? null : Math.min(...times)),
    parked: there.reduce((sum, { failed }) => sum + failed, 0),
  };
}

type Report = NonNullable<SiteStatus['report']>;

const shedOf = ({ events, observations, evidence, lost }: Report['shed']): number =>
  events + observations + evidence + lost;

const machineOf = ({
  storing,
  disk,
  clock_suspect: clockSuspect,
  clock_offset_ms: clockOffsetMs,
  alarms,
}: Report) => ({
  storing,
  disk: { level: disk.level, roomBytes: disk.room_bytes, daysLeft: disk.days_left ?? null },
  clockSuspect,
  clockOffsetMs: clockOffsetMs ?? null,
  alarms: alarms.length,
});
