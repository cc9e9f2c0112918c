import * as z from 'zod/mini';
import { described } from '../../common/http/described.ts';
import { evidenceModes } from '../../common/core/evidence/schema.ts';
import { route, type Route } from '../../common/http/route.ts';
import { formatTimeOrNull } from '../../common/time.ts';
import type { SiteReport } from '../../common/uplink/wire.ts';
import type { ReceivedChannel, SiteStatus } from './status.ts';
import type { UplinkStatus } from './uplink-status.ts';

const time = z.nullable(z.string());

const channelView = z
  .object({
    epoch: z.nullable(z.string()),
    cursor: z.int(),
    receivedTotal: z.int(),
    duplicateTotal: z.int(),
    rejectedTotal: z.int(),
    conflictTotal: z.int(),
    lastReceivedAt: time,
  })
  .register(described, { id: 'ChannelStatus' });
const statusView = z
  .object({
    role: z.literal('hq'),
    sites: z.array(
      z.object({
        instance: z.string(),
        tenants: z.array(z.string()),
        state: z.enum(['current', 'late', 'silent']),
        lastSeenAt: time,
        version: z.nullable(z.string()),
        report: z.nullable(
          z.object({
            at: z.string(),
            state: z.string(),
            storing: z.boolean(),
            disk: z.object({
              level: z.string(),
              roomBytes: z.nullable(z.int()),
              usedBytes: z.nullable(z.int()),
              refused: z.int(),
            }),
            shed: z.object({
              evidence: z.int(),
              evidenceBytes: z.int(),
              observations: z.int(),
              events: z.int(),
            }),
            clockSuspect: z.boolean(),
            lifeUsedPercent: z.nullable(z.int()),
            silentCameras: z.int(),
            alarms: z.int(),
          }),
        ),
        events: channelView,
        verdicts: channelView,
        work: channelView,
        decisions: z.object({ waiting: z.int(), oldestWaitingAt: time, refused: z.int() }),
        orders: z.object({
          waiting: z.int(),
          waitingBytes: z.int(),
          oldestWaitingAt: time,
          refused: z.int(),
        }),
        evidence: z.object({
          mode: z.nullable(z.enum(evidenceModes)),
          backlog: z.int(),
          backlogBytes: z.int(),
          wanted: z.int(),
          wantedBytes: z.int(),
          oldestWantedAt: time,
          lastError: z.nullable(z.string()),
          orders: z.int(),
          deletedAtSite: z.int(),
          failed: z.int(),
          receivedFiles: z.int(),
          receivedBytes: z.int(),
          lastReceivedAt: time,
        }),
        notifications: z.object({
          backlog: z.int(),
          heardAt: time,
          takenTotal: z.int(),
          lastTakenAt: time,
          underWay: z.int(),
          failed: z.int(),
          oldestUnderWayAt: time,
          lastError: z.nullable(z.string()),
        }),
        flows: z.array(
          z.object({
            name: z.string(),
            at: z.enum(['site', 'hq']),
            waiting: z.int(),
            bytes: z.nullable(z.int()),
            oldestAt: time,
            failed: z.int(),
            lastError: z.nullable(z.string()),
            lastErrorZh: z.nullable(z.string()),
          }),
        ),
      }),
    ),
  })
  .register(described, { id: 'FleetStatus' });
/** Whose data has come, and how late. */
export function statusRoute(uplinks: UplinkStatus): Route {
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
      '/api/core/alarms. ' +
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
      'more by itself: parked, refused, given up, deleted.',
    replies: { 200: { description: 'The sites', schema: statusView } },
    handle: async ({ actor }) => ({
      body: { role: 'hq', sites: (await uplinks.sites(actor.tenantCode)).map(statusOf) },
    }),
  });
}

const channelOf = (channel: ReceivedChannel): z.infer<typeof channelView> => ({
  ...channel,
  lastReceivedAt: formatTimeOrNull(channel.lastReceivedAt),
});

const statusOf = (site: SiteStatus): z.infer<typeof statusView>['sites'][number] => ({
  ...site,
  decisions: { ...site.decisions, oldestWaitingAt: formatTimeOrNull(site.decisions.oldestWaitingAt) },
  orders: { ...site.orders, oldestWaitingAt: formatTimeOrNull(site.orders.oldestWaitingAt) },
  evidence: {
    ...site.evidence,
    oldestWantedAt: formatTimeOrNull(site.evidence.oldestWantedAt),
    lastReceivedAt: formatTimeOrNull(site.evidence.lastReceivedAt),
  },
  notifications: {
    ...site.notifications,
    heardAt: formatTimeOrNull(site.notifications.heardAt),
    lastTakenAt: formatTimeOrNull(site.notifications.lastTakenAt),
    oldestUnderWayAt: formatTimeOrNull(site.notifications.oldestUnderWayAt),
  },
  flows: site.flows.map(({ oldestAt, ...flow }) => ({ ...flow, oldestAt: formatTimeOrNull(oldestAt) })),
  lastSeenAt: formatTimeOrNull(site.lastSeenAt),
  report: site.report && reportView(site.report),
  events: channelOf(site.events),
  verdicts: channelOf(site.verdicts),
  work: channelOf(site.work),
});

const reportView = ({ disk, shed, ...report }: SiteReport) => ({
  at: report.at,
  state: report.state,
  storing: report.storing,
  disk: { level: disk.level, roomBytes: disk.room_bytes, usedBytes: disk.used_bytes, refused: disk.refused },
  shed: {
    evidence: shed.evidence,
    evidenceBytes: shed.evidence_bytes,
    observations: shed.observations,
    events: shed.events,
  },
  clockSuspect: report.clock_suspect,
  lifeUsedPercent: report.life_used_percent,
  silentCameras: report.silent_cameras,
  alarms: report.alarms.length,
});
