import * as z from 'zod/mini';
import {
  datasetKey,
  DESCRIPTOR_PATH,
  descriptorAnswer,
  pageQuery,
  pageView,
} from '../../common/dataset/schema.ts';
import type { DatasetService } from '../../common/dataset/service.ts';
import type { Actor } from '../../common/http/actor.ts';
import { tenantFor } from '../../common/http/caller.ts';
import { type Route, route } from '../../common/http/route.ts';
import { fault } from './source-fault-messages.ts';

const TAG = 'Datasets';
const access = ['consumer', 'admin'] as const;
const scopes = ['datasets.read'] as const;
const LIMIT =
  'At most 60 calls a minute for each key; `RateLimit` (`r` calls left, `t` seconds to the end of the ' +
  'window) and `RateLimit-Policy` say how many are left, 429 comes with `Retry-After`.';
const limited = { 429: 'too_many_calls' };

const callerOf = (actor: Actor): string => (actor.kind === 'key' ? actor.keyId : actor.name);

/** The hub's own datasets, by the contract that business systems serve theirs by (spec 2, "Dataset pull"). */
export function serveRoutes(service: DatasetService): Route[] {
  return [
    route({
      method: 'GET',
      path: DESCRIPTOR_PATH,
      tag: TAG,
      access,
      scopes,
      summary: 'The datasets that are served here, with their fields',
      errors: limited,
      description:
        LIMIT +
        ' There is nothing but GET. `earliest` is the day of the first event that is counted, the first ' +
        'event of an incident group, and the time the first task was made; null while there is none.',
      replies: { 200: { description: 'The datasets', schema: descriptorAnswer } },
      handle: async ({ actor }) => ({
        headers: await service.admit(callerOf(actor)),
        body: await service.describe(actor.tenantCode),
      }),
    }),
    route({
      method: 'GET',
      path: `${DESCRIPTOR_PATH}/{key}`,
      tag: TAG,
      access,
      scopes,
      summary: 'Rows after a cursor, in the order of update time and primary key',
      params: z.strictObject({ key: datasetKey }),
      query: pageQuery,
      blankAbsent: true,
      errors: { ...limited, 404: 'not_found', 504: 'query_timeout' },
      description:
        '`cursor` is `nextCursor` of the page before: `<update time with microseconds>|<primary key>`; ' +
        'rows begin strictly after it. Its time may also be one that no row has: whoever reads an overlap ' +
        'again sends the key of its last cursor with an earlier time, so that the key is always one of the ' +
        'dataset. Parameters without a value count as left out. A correction gives the row a new update ' +
        'time; what was deleted comes as a marker with `deleted: true` and no fields. Rows are held ' +
        'back for a minute, so that none which is committed late is missed: ' +
        '`asOf` is the time up to which they are served. `tenant` may be left out where the key is ' +
        'bound to one.',
      replies: { 200: { description: 'A page', schema: pageView } },
      handle: async ({ actor, params, query }) => {
        const tenant = tenantFor(actor, query.tenant);
        if (tenant === null) throw fault('tenant', 'caller_tenant');
        return {
          headers: await service.admit(callerOf(actor)),
          body: await service.page(params.key, {
            cursor: query.cursor,
            limit: query.limit,
            tenant,
          }),
        };
      },
    }),
  ];
}
