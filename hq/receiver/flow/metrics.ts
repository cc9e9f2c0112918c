import type { Clock } from '../../../common/clock.ts';
import { gauge, type Metric } from '../../../common/metrics.ts';
import type { SiteStatus } from '../status.ts';
import type { UplinkStatus } from '../uplink-status.ts';
import type { Flow } from './decide.ts';

/** The figures of one request are read one after another; one look at the sites serves them all, ms. */
const SERVES_MS = 1_000;

/** What waits at each site and for it. */
export function flowMetrics(uplinks: Pick<UplinkStatus, 'sites'>, clock: Clock): Metric[] {
  let kept: { at: number; sites: Promise<SiteStatus[]> } | null = null;
  const look = (): Promise<SiteStatus[]> => {
    const now = clock.monotonic();
    if (kept === null || now - kept.at > SERVES_MS) kept = { at: now, sites: uplinks.sites(null) };
    return kept.sites;
  };
  const each = (pick: (flow: Flow) => number) => async () =>
    (await look()).flatMap(({ instance, flows }) =>
      flows.map((flow) => ({
        labels: { site: instance, flow: flow.name, at: flow.at },
        value: pick(flow),
      })),
    );
  return [
    gauge(
      'fieldline_site_waiting',
      'Items of each flow that wait at a site, as it last told, or here for it',
      each(({ waiting }) => waiting),
    ),
    gauge(
      'fieldline_site_waiting_bytes',
      'Bytes of them; 0 where no figure is made',
      each(({ bytes }) => bytes ?? 0),
    ),
    gauge(
      'fieldline_site_oldest_waiting_seconds',
      'How long the oldest of them has waited',
      each(({ oldestAt }) =>
        oldestAt === null ? 0 : Math.max(0, Math.round((clock.now() - oldestAt) / 1000)),
      ),
    ),
    gauge(
      'fieldline_site_failed',
      'Items that do not come any more by themselves: parked, refused, given up, deleted',
      each(({ failed }) => failed),
    ),
  ];
}
