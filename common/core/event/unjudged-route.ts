import * as z from 'zod/mini';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { keptBy, limitParam } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime } from '../../time.ts';
import { inSiteGroup } from '../instance/group.ts';
import type { GroupSites } from '../instance/record.ts';
import { filterOf, listFilters } from './list-query.ts';
import { severities } from './schema.ts';
import type { EventService } from './service.ts';
import { MAX_NAMED, MAX_ROWS, ROWED } from './unjudged.ts';

const { tenant_code, instance, site_group, severity, type, camera_ref, site_ref, include_test } = listFilters;
const unjudgedQuery = z.strictObject({
  tenant_code,
  instance,
  site_group,
  severity,
  type,
  camera_ref,
  site_ref,
  include_test,
  limit: limitParam(50, MAX_ROWS),
});
const text = z.nullable(z.string());
const unjudgedRow = z
  .object({
    tenantCode: z.string(),
    instance: z.string(),
    cameraRef: text,
    cameraName: text,
    type: z.string(),
    severity: z.enum(severities),
    count: z.int(),
    ids: z.array(z.int()),
    firstAt: z.string(),
    lastAt: z.string(),
  })
  .register(described, { id: 'UnjudgedRow' });
const unjudgedView = z
  .object({
    items: z.array(unjudgedRow),
    /** Rows that there are, also beyond those that are listed. */
    rows: z.int(),
    events: z.int(),
    more: z.boolean(),
  })
  .register(described, { id: 'Unjudged' });

/**
 * What waits to be judged. @param where `self`: name of this instance; `groups`: which sites are in a group
 */
export function unjudgedRoute(
  service: Pick<EventService, 'unjudged'>,
  { self, groups }: { self: string; groups: GroupSites },
): Route {
  return route({
    method: 'GET',
    path: '/api/core/events/unjudged',
    tag: 'Events',
    access: ['admin', 'session', 'consumer'],
    permission: 'events.view',
    scopes: ['events.read'],
    query: unjudgedQuery,
    summary: 'Alerts that nobody has judged, by camera and type',
    description:
      'What one look can judge together is a row: alerts of one camera and one type, the gravest rows ' +
      `first and of these the newest. The newest ${ROWED} alerts are looked at; \`more\` says that there ` +
      `are others, \`events\` counts those of all rows. \`ids\` names the newest ${MAX_NAMED} of a row, ` +
      'the last of them first; `severity` is the gravest of them, an alert without one counts as medium. ' +
      '`firstAt` and `lastAt` are times of receipt. Test events are there only with `include_test=true`.',
    replies: { 200: { description: 'The rows', schema: unjudgedView } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, query }) => {
      const { limit, ...narrowed } = query;
      const filter = {
        ...filterOf({ ...narrowed, kind: 'alert', verdict: 'none' }, tenantFor(actor, query.tenant_code)),
        ...keptBy(query.instance, self),
        ...(await inSiteGroup(groups, actor, query)),
      };
      const { rows, events, more } = await service.unjudged(filter);
      const items = rows.slice(0, limit).map((row) => ({
        ...row,
        instance: row.instance ?? self,
        firstAt: formatTime(row.firstAt),
        lastAt: formatTime(row.lastAt),
      }));
      return { body: { items, rows: rows.length, events, more } };
    },
  });
}
