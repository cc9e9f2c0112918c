import * as z from 'zod/mini';
import { code } from '../../common/core/event/schema.ts';
import { notFound } from '../../common/http/error.ts';
import { listOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import { hourOf, hoursView } from './hours/view.ts';
import { siteStateView } from './silence/schema.ts';
import { siteStateOf } from './silence/view.ts';
import { detailOf, siteDetail, statusOf, statusView, zoneList } from './status-view.ts';
import type { UplinkStatus } from './uplink-status.ts';

/** Whose data has come, and how late. */
export const statusRoutes = (uplinks: UplinkStatus): Route[] => [
  statusRoute(uplinks),
  zonesRoute(uplinks),
  siteRoute(uplinks),
  stateRoute(uplinks),
  hoursRoute(uplinks),
];

function statusRoute(uplinks: UplinkStatus): Route {
  return route({
    method: 'GET',
    path: '/api/core/uplink/status',
    tag: 'Uplink',
    access: ['admin', 'session'],
    permission: 'uplink.view',
    summary: 'Whose data has been received',
    description:
      '`current`: heard within 30 s; `late`: within 10 minutes; `silent`: not for longer, or never. ' +
      '`report` is what the site last told of its machine; its alarms stand under its name in GET ' +
      '/api/core/alarms. `zone` is the time zone of its machine, `clockOffsetMs` how far its clock was ' +
      'ahead when it told, `daysLeft` when its disk is full at the rate of the last day; null: it does not ' +
      'tell. ' +
      '`unplannedEnds` are those of its program that nobody had asked for. ' +
      '`lastReceivedAt` is when items last came, `conflictTotal` counts those whose key is of another ' +
      'event. `decisions` are verdicts and corrections given here on its events: those that wait to go ' +
      'down, and those that it did not carry out, of which the timeline of the event tells. ' +
      '`evidence`: `wanted` files have been asked for here and not come, `backlog` is what the site says ' +
      'waits there; `orders` are uploads to the storage of consumers that it is to carry out. ' +
      '`notifications` are messages that the site hands up: `backlog` waits there, as it last said; ' +
      '`underWay` and `failed` count messages here, one for each channel. ' +
      '`orders` are what was ordered here on its tasks; see GET /api/core/uplink/orders. ' +
      '`flows` has all of it in one form: `at: site` waits there to come up, as the site last told (a ' +
      'site of an older version tells nothing), `at: hq` waits here. `failed` is what does not come any ' +
      'more by itself: parked, refused, given up, deleted. `failures` and `nextAttemptAt` tell how ' +
      'the tries of a site go, `cursor` and `head` how far one of its channels is.',
    replies: { 200: { description: 'The sites', schema: statusView } },
    handle: async ({ actor }) => ({
      body: { role: 'hq', sites: (await uplinks.sites(actor.tenantCode)).map(statusOf) },
    }),
  });
}

function zonesRoute(uplinks: UplinkStatus): Route {
  return route({
    method: 'GET',
    path: '/api/core/uplink/zones',
    tag: 'Uplink',
    access: ['admin', 'session'],
    permission: 'events.view',
    summary: 'The time zones of sites',
    description:
      'What is needed to show the time of an event as it was at its site: the zone of the machine of each ' +
      'site that has told it, an IANA name or an offset. A site that goes on under another name is there ' +
      'under both. A session of a tenant is told of the sites of that tenant.',
    replies: { 200: { description: 'The zones, by name of the site', schema: zoneList } },
    handle: async ({ actor }) => ({ body: { items: await uplinks.zones(actor.tenantCode) } }),
  });
}

function siteRoute(uplinks: UplinkStatus): Route {
  return route({
    method: 'GET',
    path: '/api/core/uplink/status/{instance}',
    tag: 'Uplink',
    access: ['admin', 'session'],
    permission: 'uplink.view',
    params: z.strictObject({ instance: code(128) }),
    summary: 'What has been received from one site, and what it tells of itself',
    description:
      '`site` as in GET /api/core/uplink/status, and what the site last told: its `cameras`, those that ' +
      'it cannot reach or refuses and silent ones first, at most 100, each with its `kind` (null: it signs ' +
      'what it sends), its `connection` (null: it sends by itself; with a `code` it is not connected, and ' +
      '`reason` says why), why its messages are `refused`, and in `refs` the cameras that it names in its ' +
      'events, which are several behind one box, at most 200 of a site; the items that it has `parked` ' +
      'because they were refused here, the last 20; and the `hours` of its last day with the events ' +
      'received in each, the most that waited and the least room on its disk. null: a site of an older ' +
      'version, which does not tell.',
    replies: { 200: { description: 'The site', schema: siteDetail } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params }) => {
      const site = await uplinks.site(params.instance, actor.tenantCode);
      if (!site) throw notFound(`The site ${params.instance}`);
      return { body: detailOf(site) };
    },
  });
}

/** For whom the inside of the uplink is nobody's business: tenants, and who only handles events. */
function stateRoute(uplinks: UplinkStatus): Route {
  return route({
    method: 'GET',
    path: '/api/core/uplink/states',
    tag: 'Uplink',
    access: ['admin', 'session'],
    permission: 'events.view',
    summary: 'Which sites are heard',
    description:
      "The sites that bring events of the caller's tenant. `state` as in GET /api/core/uplink/status; " +
      '`lastSeenAt` null: never heard.',
    replies: { 200: { description: 'The sites', schema: listOf(siteStateView) } },
    handle: async ({ actor }) => ({
      body: {
        items: (await uplinks.heard(actor.tenantCode)).map(siteStateOf),
        nextCursor: null,
        hasMore: false,
      },
    }),
  });
}

function hoursRoute(uplinks: UplinkStatus): Route {
  return route({
    method: 'GET',
    path: '/api/core/uplink/status/{instance}/hours',
    tag: 'Uplink',
    access: ['admin', 'session'],
    permission: 'uplink.view',
    params: z.strictObject({ instance: code(128) }),
    summary: 'The last week of one site by hours, as it told them',
    description:
      'Oldest first: the events received in each hour, the most that waited and the least room on its ' +
      'disk. Hours in which the site did not run are left out, and so are those of which it never told: a ' +
      'site that was away for more than a day tells only of the last one.',
    replies: { 200: { description: 'The hours', schema: hoursView } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params }) => {
      const hours = await uplinks.hours(params.instance, actor.tenantCode);
      if (!hours) throw notFound(`The site ${params.instance}`);
      return { body: { hours: hours.map(hourOf) } };
    },
  });
}
