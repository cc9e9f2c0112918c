import { formatTimeOrNull } from '../../../common/time.ts';
import type { KeptReport } from '../../../common/uplink/site-report.ts';
import { flowsThere } from '../flow/decide.ts';
import type { GroupChange, Regrouped, SiteRecord } from '../port.ts';
import type { ToldLine } from './port.ts';
import {
  type Fleet,
  type FleetOrder,
  type FleetQuery,
  MOST_GROUPS,
  type SiteLine,
  statesOf,
} from './schema.ts';

/** Whether somebody should look at it: what is not as it should be, apart from what waits for its turn. */
export const needsCare = (site: Omit<SiteLine, 'needsCare'>): boolean =>
  site.state === 'late' ||
  site.state === 'silent' ||
  // What was refused is settled once nothing is parked any more; an older site does not tell.
  (site.there?.parked ?? site.refused) > 0 ||
  isUnwell(site);

const isUnwell = ({ report }: Pick<SiteLine, 'report'>): boolean =>
  report !== null &&
  (!report.storing || report.clockSuspect || report.disk.level !== 'ok' || report.alarms > 0);

/** The rows of the list that are asked for, and what there is to choose from. Pure. */
export function fleetOf(sites: readonly SiteLine[], query: FleetQuery): Fleet {
  const { offset, limit } = query;
  const fit = inOrder(sites.filter(fitting(query)), query);
  return {
    items: fit.slice(offset, offset + limit),
    total: fit.length,
    hasMore: fit.length > offset + limit,
    counts: countsOf(sites),
    tenants: [...new Set(sites.flatMap(({ tenants }) => tenants))].toSorted(),
    groups: groupsOf(sites),
  };
}

function fitting(query: FleetQuery): (site: SiteLine) => boolean {
  const [text, states] = [query.q?.toLowerCase(), statesOf(query)];
  const { tenant_code: tenant, group, care } = query;
  return (site) =>
    (text === undefined || textsOf(site).some((one) => one.toLowerCase().includes(text))) &&
    (states === undefined || states.includes(site.state)) &&
    (tenant === undefined || site.tenants.includes(tenant)) &&
    (group === undefined || site.groups.includes(group)) &&
    (care === 'false' || site.needsCare);
}

const textsOf = ({ instance, displayName, tenants, groups }: SiteLine): string[] => [
  instance,
  displayName ?? '',
  ...tenants,
  ...groups,
];

type Key = number | string;

/** One that was registered and never joined is waited for; one that went silent comes first. */
const STATES: Record<SiteLine['state'], number> = { silent: 0, late: 1, away: 2, current: 3 };
const stateOf = ({ state, lastSeenAt }: SiteLine): number => (lastSeenAt === null ? 2 : STATES[state]);
const timeOf = (at: string | null): number => (at === null ? 0 : Date.parse(at));

const KEYS: Record<FleetOrder, (site: SiteLine) => readonly Key[]> = {
  state: (site) => [stateOf(site), timeOf(site.lastSeenAt)],
  name: ({ displayName, instance }) => [displayName ?? instance],
  seen: ({ lastSeenAt }) => [timeOf(lastSeenAt)],
  oldest: ({ there }) => [there?.oldestAt ? Date.parse(there.oldestAt) : Infinity],
  parked: ({ there }) => [there?.parked ?? -1],
  shed: ({ shed }) => [shed],
  room: ({ report }) => [report?.storing === false ? -1 : (report?.disk.roomBytes ?? 0)],
  alarms: ({ report }) => [report?.alarms ?? 0],
};

/** Sites of the same place in the order stand by their ids, so that no page has one twice. */
function inOrder(sites: readonly SiteLine[], { order, direction }: FleetQuery): SiteLine[] {
  const [keysOf, sign] = [KEYS[order], direction === 'descending' ? -1 : 1];
  return sites
    .map((site) => ({ site, keys: keysOf(site) }))
    .toSorted(
      (a, b) =>
        sign * compared(a.keys, b.keys) ||
        names.compare(a.site.instance, b.site.instance) ||
        (a.site.instance < b.site.instance ? -1 : 1),
    )
    .map(({ site }) => site);
}

function compared(left: readonly Key[], right: readonly Key[]): number {
  for (const [at, one] of left.entries()) {
    const other = right[at];
    if (other === undefined || one === other) continue;
    if (typeof one === 'string') return names.compare(one, String(other));
    return one < Number(other) ? -1 : 1;
  }
  return 0;
}

const names = new Intl.Collator('zh-Hans-CN', { numeric: true });

function countsOf(sites: readonly SiteLine[]): Fleet['counts'] {
  const counts = { current: 0, late: 0, silent: 0, away: 0 };
  for (const { state } of sites) counts[state] += 1;
  return { ...counts, all: sites.length, care: sites.filter((site) => site.needsCare).length };
}

function groupsOf(sites: readonly SiteLine[]): Fleet['groups'] {
  const counts = new Map<string, number>();
  for (const name of sites.flatMap(({ groups }) => groups)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, sites: count }))
    .toSorted((a, b) => names.compare(a.name, b.name));
}

/** What becomes of the sites that come into a group or leave it; nothing where one of them cannot. Pure. */
export function regrouped(
  found: readonly SiteRecord[],
  { name, add, remove }: GroupChange,
): Regrouped & { changed: { before: SiteRecord; after: SiteRecord }[] } {
  const names = new Set(found.map(({ instance }) => instance));
  const coming = new Set(add);
  const entering = found.filter(({ instance, groups }) => coming.has(instance) && !groups.includes(name));
  const leaving = found.filter(({ instance, groups }) => !coming.has(instance) && groups.includes(name));
  const unknown = [...new Set([...add, ...remove])].filter((one) => !names.has(one));
  const full = entering.filter(({ groups }) => groups.length >= MOST_GROUPS).map(({ instance }) => instance);
  if (unknown.length + full.length > 0) return { unknown, full, added: 0, removed: 0, changed: [] };
  return {
    ...{ unknown, full, added: entering.length, removed: leaving.length },
    changed: [
      ...entering.map((before) => ({ before, after: { ...before, groups: [...before.groups, name] } })),
      ...leaving.map((before) => ({
        before,
        after: { ...before, groups: before.groups.filter((one) => one !== name) },
      })),
    ],
  };
}

/** What a list of all sites shows of this report. */
export const toldLine = (report: KeptReport): ToldLine => ({
  there: waitsThere(report),
  shed: shedOf(report.shed),
  report: machineOf(report),
});

/** null: the site has not told, as older versions do not. */
function waitsThere(report: KeptReport): SiteLine['there'] {
  const there = flowsThere(report);
  if (there.length === 0) return null;
  const times = there.flatMap(({ oldestAt }) => oldestAt ?? []);
  return {
    waiting: there.reduce((sum, { waiting }) => sum + waiting, 0),
    oldestAt: formatTimeOrNull(times.length === 0 ? null : Math.min(...times)),
    parked: there.reduce((sum, { failed }) => sum + failed, 0),
  };
}

const shedOf = ({ events, observations, evidence, lost }: KeptReport['shed']): number =>
  events + observations + evidence + lost;

const machineOf = ({
  storing,
  disk,
  clock_suspect: clockSuspect,
  clock_offset_ms: clockOffsetMs,
  alarms,
}: KeptReport) => ({
  storing,
  disk: { level: disk.level, roomBytes: disk.room_bytes, daysLeft: disk.days_left ?? null },
  clockSuspect,
  clockOffsetMs: clockOffsetMs ?? null,
  alarms: alarms.length,
});
