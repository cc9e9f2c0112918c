// Pure: what of a site's flows the list and the page say in one figure.
import type { Flow, Site } from './queries.ts';

/** What waits at the site; null: it has not told, as older versions do not. */
export function waitsThere({ flows }: Pick<Site, 'flows'>): {
  oldestAt: string | null;
  count: number;
  parked: number;
} | null {
  const there = flows.filter(({ at }) => at === 'site');
  if (there.length === 0) return null;
  const times = there.flatMap(({ oldestAt }) => oldestAt ?? []).sort();
  const total = (member: 'waiting' | 'failed'): number =>
    there.reduce((sum, flow: Flow) => sum + flow[member], 0);
  return { oldestAt: times[0] ?? null, count: total('waiting'), parked: total('failed') };
}

/** Items that headquarters would not take, of every channel, since ever. */
export const refusedOf = ({ events, verdicts, work }: Pick<Site, 'events' | 'verdicts' | 'work'>): number =>
  [events, verdicts, work].reduce((sum, one) => sum + one.rejectedTotal + one.conflictTotal, 0);

/** What was deleted at the site to make room. */
export const shedOf = ({ report }: Pick<Site, 'report'>): number =>
  report ? report.shed.events + report.shed.observations + report.shed.evidence : 0;
