// How a list of all sites shows each of them.
import * as z from 'zod/mini';
import { described } from '../../common/http/described.ts';
import { formatTimeOrNull } from '../../common/time.ts';
import { siteStateOf, siteStateView } from './silence/view.ts';
import type { SiteStatus } from './status.ts';

export const siteLine = z
  .extend(siteStateView, {
    tenants: z.array(z.string()),
    version: z.nullable(z.string()),
    there: z.nullable(z.object({ waiting: z.int(), oldestAt: z.nullable(z.string()), parked: z.int() })),
    toSite: z.int(),
    filesWanted: z.int(),
    refused: z.int(),
    shed: z.int(),
    report: z.nullable(
      z.object({
        storing: z.boolean(),
        disk: z.object({
          level: z.string(),
          roomBytes: z.nullable(z.int()),
          daysLeft: z.nullable(z.int()),
        }),
        clockSuspect: z.boolean(),
        clockOffsetMs: z.nullable(z.int()),
        alarms: z.int(),
      }),
    ),
  })
  .register(described, { id: 'SiteLine' });

export const lineOf = (site: SiteStatus): z.infer<typeof siteLine> => ({
  ...siteStateOf(site),
  tenants: site.tenants,
  version: site.version,
  there: waitsThere(site),
  toSite: site.decisions.waiting + site.orders.waiting,
  filesWanted: site.evidence.wanted,
  refused: [site.events, site.verdicts].reduce((sum, one) => sum + one.rejectedTotal + one.conflictTotal, 0),
  shed: site.report === null ? 0 : shedOf(site.report.shed),
  report: site.report && machineOf(site.report),
});

/** null: the site has not told, as older versions do not. */
function waitsThere({ flows }: SiteStatus): z.infer<typeof siteLine>['there'] {
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
