import * as z from 'zod/mini';
import { upTo } from '../../../common/characters.ts';
import { code, tenantCode } from '../../../common/core/event/schema.ts';
import { described } from '../../../common/http/described.ts';
import { severalOf } from '../../../common/http/fault/several.ts';
import { limitParam } from '../../../common/http/list.ts';
import { saying } from '../receiver-fault-messages.ts';
import { siteState, siteStateView } from '../silence/schema.ts';

/** Of sites by region, contract or whatever else they are looked after by; one line that people read. */
export const groupName = z
  .string()
  .check(upTo(64), z.regex(/\S/, saying('blank')), z.regex(/^\P{Cc}*$/u, saying('one_line')));
/** Groups that a site may be in. */
export const MOST_GROUPS = 20;
export const groupNames = z.array(groupName).check(z.maxLength(MOST_GROUPS));

/** By what the list of all sites can be ordered. */
export const fleetOrders = ['state', 'name', 'seen', 'oldest', 'parked', 'shed', 'room', 'alarms'] as const;
export type FleetOrder = (typeof fleetOrders)[number];

const statesAsked = severalOf(siteState.options, 'what_states');
const MOST_SITES = 1_000_000;

export const fleetQuery = z.strictObject({
  q: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  state: z.optional(statesAsked.form),
  tenant_code: z.optional(tenantCode),
  group: z.optional(groupName),
  care: z._default(z.enum(['true', 'false']), 'false'),
  order: z._default(z.enum(fleetOrders), 'state'),
  direction: z._default(z.enum(['ascending', 'descending']), 'ascending'),
  offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(MOST_SITES)), 0),
  limit: limitParam(100, 1000),
});
export type FleetQuery = z.infer<typeof fleetQuery>;
/** Those that a query names; undefined: any. */
export const statesOf = ({ state }: FleetQuery): readonly string[] | undefined =>
  state === undefined ? undefined : statesAsked.read(state);

/** How a list of all sites shows each of them. */
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
    needsCare: z.boolean(),
  })
  .register(described, { id: 'SiteLine' });
export type SiteLine = z.infer<typeof siteLine>;

/** A group, with how many sites are in it. */
export const groupView = z
  .object({ name: z.string(), sites: z.int() })
  .register(described, { id: 'SiteGroup' });

export const fleetView = z
  .object({
    items: z.array(siteLine),
    total: z.int(),
    hasMore: z.boolean(),
    counts: z.object({
      all: z.int(),
      current: z.int(),
      late: z.int(),
      silent: z.int(),
      away: z.int(),
      care: z.int(),
    }),
    tenants: z.array(z.string()),
    groups: z.array(groupView),
  })
  .register(described, { id: 'Fleet' });
export type Fleet = z.infer<typeof fleetView>;

/** Sites that come into a group or leave it. */
export const groupChange = z
  .strictObject({
    name: groupName,
    add: z._default(z.array(code(128)).check(z.maxLength(1000)), []),
    remove: z._default(z.array(code(128)).check(z.maxLength(1000)), []),
  })
  .register(described, { id: 'SiteGroupChange' });
