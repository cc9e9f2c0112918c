import * as z from 'zod/mini';
import { accountOf } from '../../http/actor.ts';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime, parseTime } from '../../time.ts';
import { weighedFilters, weighedOf } from '../event/list-query.ts';
import { eventKinds, eventSources, severities, tenantCode, zonedTime } from '../event/schema.ts';
import { inSiteGroup } from '../instance/group.ts';
import type { GroupSites } from '../instance/record.ts';
import { siteGroupParam } from '../instance/schema.ts';
import { taskStates, taskTypes } from '../task/schema.ts';
import { verdictValues } from '../verdict/schema.ts';
import type { StatsService } from './service.ts';

const count = z.int();
const eventCount = z
  .object({
    source: z.enum(eventSources),
    kind: z.enum(eventKinds),
    type: z.string(),
    verdict: z.nullable(z.enum(verdictValues)),
    correctedTo: z.nullable(z.enum(verdictValues)),
    test: z.boolean(),
    judged: z.boolean(),
    judgedType: z.nullable(z.string()),
    severity: z.enum(severities),
    instance: z.nullable(z.string()),
    count,
  })
  .register(described, { id: 'EventCount' });
const statsView = z
  .object({
    events: z.array(eventCount),
    undated: z.array(eventCount),
    tasks: z.array(
      z.object({
        type: z.enum(taskTypes),
        state: z.enum(taskStates),
        eventTest: z.nullable(z.boolean()),
        eventSource: z.nullable(z.enum(eventSources)),
        overdue: z.boolean(),
        escalated: z.boolean(),
        instance: z.nullable(z.string()),
        count,
      }),
    ),
    knowledge: z.array(z.object({ kind: z.string(), count })),
    asOf: z.string(),
  })
  .register(described, { id: 'Statistics' });

const DESCRIPTION =
  'Knowledge above the clearance of the account that asks is not counted. `since` belongs to the ' +
  'window, `until` does not. Events are counted by time of occurrence, tasks by time of creation; each ' +
  'list comes in descending count order. `undated` counts the events that are kept without a time of ' +
  'occurrence: they are in no window, and the same in each. `verdict` is the first verdict, ' +
  '`correctedTo` what it was corrected to last. `severity` (one or several, separated by commas), ' +
  '`verdict`, `corrected_to` and `standing` narrow the events down and nothing else; `standing` is the ' +
  'verdict as it stands, the last correction or else the first verdict. `site_group` takes the events ' +
  'and tasks of the sites of a group, and no knowledge, which is of no site. `judged` tells of a ' +
  'machine judgement that came with the verdict or with the event; an event without a `severity` counts ' +
  'as medium. `eventTest` and `eventSource` are null for a task on no event, or on one that is no ' +
  'longer kept. `instance` is the site where the events arose, or whose tasks they are; null at that ' +
  'site, and for those of headquarters itself. `overdue` is judged against `asOf`. `knowledge` is empty ' +
  'where this program keeps no knowledge objects. Counting that takes longer than 15 s is stopped.';

/** Counts over a half-open window of at most 93 days (spec 2, "Limits"). */
export function statsRoutes(service: StatsService, groups: GroupSites): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/core/stats/window',
      tag: 'Statistics',
      access: ['admin', 'session', 'consumer'],
      permission: 'stats.view',
      scopes: ['stats.read'],
      query: z.strictObject({
        tenant_code: tenantCode,
        since: zonedTime,
        until: zonedTime,
        site_group: siteGroupParam,
        ...weighedFilters,
      }),
      summary: 'Counts of a time window of at most 93 days; both times with a zone',
      description: DESCRIPTION,
      replies: { 200: { description: 'The counts', schema: statsView } },
      errors: { 404: 'not_found', 503: 'stats_timeout, unavailable' },
      handle: async ({ actor, query }) => {
        const tenant = tenantFor(actor, query.tenant_code) ?? query.tenant_code;
        const span = { since: parsed(query.since), until: parsed(query.until) };
        const window = { tenantCode: tenant, ...span };
        const { asOf, ...counts } = await service.window(window, {
          filter: { ...weighedOf(query), ...(await inSiteGroup(groups, actor, query)) },
          account: accountOf(actor),
        });
        return { body: { ...counts, asOf: formatTime(asOf) } };
      },
    }),
  ];
}

/** Never throws on a valid request: the schema has parsed the same text. */
function parsed(time: string): number {
  const at = parseTime(time);
  if (at === null) throw new Error('a time passed its schema and is none');
  return at;
}
