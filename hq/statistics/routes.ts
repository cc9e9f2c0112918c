import * as z from 'zod/mini';
import type { Clock } from '../../common/clock.ts';
import { weighedFilters, weighedOf } from '../../common/core/event/list-query.ts';
import { tenantCode, zonedTime } from '../../common/core/event/schema.ts';
import { inSiteGroup } from '../../common/core/instance/group.ts';
import type { GroupSites } from '../../common/core/instance/record.ts';
import { siteGroupParam } from '../../common/core/instance/schema.ts';
import { STATS_WITHIN_MS, windowFaults } from '../../common/core/stats/decide.ts';
import type { Actor } from '../../common/http/actor.ts';
import { tenantFor } from '../../common/http/caller.ts';
import { described } from '../../common/http/described.ts';
import { badRequest } from '../../common/http/error.ts';
import { type Route, route } from '../../common/http/route.ts';
import { formatTime, parseTime } from '../../common/time.ts';
import { noisiestFirst } from './decide.ts';
import type { StatisticsPort, StatisticsQuery } from './port.ts';
import type { Standings } from './record.ts';

/** Most cameras of one answer. */
const CAMERAS = 500;

const timesQuery = z.strictObject({
  tenant_code: tenantCode,
  since: zonedTime,
  until: zonedTime,
  include_test: z._default(z.enum(['true', 'false']), 'false'),
  severity: weighedFilters.severity,
  site_group: siteGroupParam,
});
const windowQuery = z.strictObject({ ...timesQuery.shape, ...weighedFilters });
type TimesQuery = z.infer<typeof timesQuery>;
type WindowQuery = z.infer<typeof windowQuery>;

const count = z.int();
const standings = { confirmed: count, falseAlarm: count, merged: count, unjudged: count };
const hourView = z.object({ at: z.string(), ...standings }).register(described, { id: 'HourCount' });
const instance = z.nullable(z.string());
const cameraView = z
  .object({
    cameraRef: z.nullable(z.string()),
    siteRef: z.nullable(z.string()),
    instance,
    ...standings,
  })
  .register(described, { id: 'CameraCount' });
const waits = z
  .object({ count, median: z.nullable(count), ninetieth: z.nullable(count) })
  .register(described, { id: 'Waits' });
const times = { verdict: waits, takeover: waits, completion: waits };

const WINDOW =
  'A window of at most 93 days by time of occurrence; both times with a zone, `since` belongs to it, ' +
  '`until` does not. `include_test`, `severity` (one or several, separated by commas) and `site_group` ' +
  '(the sites of a group) narrow down what is counted. Counting that takes longer than 15 s is stopped.';
const STANDING =
  '`verdict`, `corrected_to` and `standing` narrow it down too. `confirmed`, `falseAlarm`, `merged` and ' +
  '`unjudged` are by the verdict as it stands, the last correction or else the first verdict; together ' +
  'they are all events.';

interface StatisticsRoutesOptions {
  statistics: StatisticsPort;
  /** Which sites are in a group. */
  groups: GroupSites;
  clock: Clock;
}

/** How a time went: by hours, by cameras, and how long people took. */
export function statisticsRoutes({ statistics, groups, clock }: StatisticsRoutesOptions): Route[] {
  const about = {
    method: 'GET',
    tag: 'Statistics',
    access: ['admin', 'session', 'consumer'],
    permission: 'stats.view',
    scopes: ['stats.read'],
    query: windowQuery,
    errors: { 404: 'not_found', 503: 'stats_timeout, unavailable' },
  } as const;
  const narrowed = async (
    actor: Actor,
    query: TimesQuery & Partial<WindowQuery>,
  ): Promise<StatisticsQuery> => {
    const { filter, ...window } = asked(actor, query);
    return { ...window, filter: { ...filter, ...(await inSiteGroup(groups, actor, query)) } };
  };
  const asOf = (): string => formatTime(clock.now());
  return [
    route({
      ...about,
      path: '/api/core/stats/hours',
      summary: 'Events of each hour of a window, by how they stand',
      description:
        `${WINDOW} Hours are those of UTC, in their order; hours without events are left out, and of an ` +
        `hour that lies partly in the window that part is counted. ${STANDING}`,
      replies: {
        200: { description: 'The hours', schema: z.object({ items: z.array(hourView), asOf: z.string() }) },
      },
      handle: async ({ actor, query }) => {
        const hours = await statistics.hours(await narrowed(actor, query), STATS_WITHIN_MS);
        const items = hours.map(({ at, ...sums }) => ({ at: formatTime(at), ...viewStandings(sums) }));
        return { body: { items, asOf: asOf() } };
      },
    }),
    route({
      ...about,
      path: '/api/core/stats/cameras',
      summary: 'Events of each camera in a window, by how they stand',
      description:
        `${WINDOW} Most false alarms first, then most events. At most ${CAMERAS} cameras; \`more\` counts ` +
        `those that are left out. ${STANDING} \`instance\` is the site where the camera stands.`,
      replies: {
        200: {
          description: 'The cameras',
          schema: z.object({ items: z.array(cameraView), more: count, asOf: z.string() }),
        },
      },
      handle: async ({ actor, query }) => {
        const cameras = noisiestFirst(
          await statistics.cameras(await narrowed(actor, query), STATS_WITHIN_MS),
        );
        const items = cameras.slice(0, CAMERAS).map(({ cameraRef, siteRef, instance: at, ...sums }) => ({
          ...{ cameraRef, siteRef, instance: at },
          ...viewStandings(sums),
        }));
        return { body: { items, more: cameras.length - items.length, asOf: asOf() } };
      },
    }),
    route({
      ...about,
      query: timesQuery,
      path: '/api/core/stats/times',
      summary: 'How long people took with the alerts and tasks of a window',
      description:
        `${WINDOW} Milliseconds, half of them within \`median\` and nine of ten within \`ninetieth\`; null ` +
        'where `count` is 0. `verdict`: from the receipt of an alert to the first verdict of a person. ' +
        '`takeover` and `completion`: from the creation of a task in the window, reviews left out, to its ' +
        'takeover and to its completion; what was not yet taken over or completed is in none. ' +
        'Events of the last seconds may be missing. ' +
        '`sites`: the same for each site; null is headquarters.',
      replies: {
        200: {
          description: 'The times',
          schema: z.object({
            all: z.object(times),
            sites: z.array(z.object({ instance, ...times })),
            asOf: z.string(),
          }),
        },
      },
      handle: async ({ actor, query }) => ({
        body: { ...(await statistics.times(await narrowed(actor, query), STATS_WITHIN_MS)), asOf: asOf() },
      }),
    }),
  ];
}

const viewStandings = ({ confirmed, false_alarm: falseAlarm, merged, none }: Standings) => ({
  ...{ confirmed, falseAlarm, merged },
  unjudged: none,
});

/** @throws AppError 400 for the window, 403 for the tenant of somebody else */
function asked(actor: Actor, query: TimesQuery & Partial<WindowQuery>): StatisticsQuery {
  const tenant = tenantFor(actor, query.tenant_code) ?? query.tenant_code;
  const [since, until] = [parseTime(query.since), parseTime(query.until)];
  if (since === null || until === null) throw new Error('a time passed its schema and is none');
  const faults = windowFaults(since, until);
  if (faults.length > 0) throw badRequest(faults);
  const includeTest = query.include_test === 'true';
  return { tenantCode: tenant, since, until, filter: weighedOf(query), includeTest };
}
