import * as z from 'zod/mini';
import { evidenceModes } from '../../common/core/evidence/schema.ts';
import { lastBackup, stallsView } from '../../common/core/run/schema.ts';
import { described } from '../../common/http/described.ts';
import { formatTimeOrNull } from '../../common/time.ts';
import { parkedReasonZh } from '../../common/uplink/parked-reasons.ts';
import type { KeptReport } from '../../common/uplink/site-report.ts';
import { hourView } from './hours/view.ts';
import { siteState } from './silence/schema.ts';
import type { ReceivedChannel, SiteStatus } from './status.ts';

const time = z.nullable(z.string());

type ConnectionTold = NonNullable<NonNullable<KeptReport['cameras']>[number]['connection']>;

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
const siteStatus = z
  .object({
    instance: z.string(),
    displayName: z.nullable(z.string()),
    groups: z.array(z.string()),
    tenants: z.array(z.string()),
    state: siteState,
    silentAfterMinutes: z.int(),
    away: z.boolean(),
    lastSeenAt: time,
    version: z.nullable(z.string()),
    report: z.nullable(
      z.object({
        at: z.string(),
        state: z.string(),
        storing: z.boolean(),
        zone: z.nullable(z.string()),
        disk: z.object({
          level: z.string(),
          roomBytes: z.nullable(z.int()),
          usedBytes: z.nullable(z.int()),
          refused: z.int(),
          daysLeft: z.nullable(z.int()),
        }),
        shed: z.object({
          evidence: z.int(),
          evidenceBytes: z.int(),
          observations: z.int(),
          events: z.int(),
          lost: z.int(),
          lostBytes: z.int(),
        }),
        clockSuspect: z.boolean(),
        clockOffsetMs: z.nullable(z.int()),
        lifeUsedPercent: z.nullable(z.int()),
        silentCameras: z.int(),
        unplannedEnds: z.nullable(
          z.object({
            days: z.int(),
            count: z.int(),
            hangs: z.int(),
            lastAt: time,
            lastKind: z.nullable(z.string()),
          }),
        ),
        /** Times in the same days in which its program did not run, and then went on by itself. */
        stalls: z.nullable(stallsView),
        lastBackup: z.nullable(lastBackup),
        alarms: z.int(),
      }),
    ),
    events: channelView,
    verdicts: channelView,
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
        failures: z.nullable(z.int()),
        nextAttemptAt: time,
        cursor: z.nullable(z.int()),
        head: z.nullable(z.int()),
      }),
    ),
  })
  .register(described, { id: 'SiteStatus' });
export const statusView = z
  .object({ role: z.literal('hq'), sites: z.array(siteStatus) })
  .register(described, { id: 'FleetStatus' });

/** What a site tells beyond what the list of all sites has; null: its version does not tell it. */
export const siteDetail = z
  .object({
    site: siteStatus,
    continues: z.array(z.string()),
    cameras: z.nullable(
      z.array(
        z.object({
          keyId: z.string(),
          name: z.string(),
          tenantCode: z.nullable(z.string()),
          lastEventAt: time,
          events: z.int(),
          silent: z.boolean(),
          kind: z.nullable(z.string()),
          connection: z.nullable(
            z.object({
              condition: z.string(),
              since: z.string(),
              code: z.nullable(z.string()),
              reason: z.nullable(z.string()),
              reasonZh: z.nullable(z.string()),
            }),
          ),
          refused: z.nullable(z.object({ reason: z.string(), at: z.string() })),
          refs: z.array(z.object({ ref: z.string(), lastEventAt: z.string(), events: z.int() })),
        }),
      ),
    ),
    parked: z.nullable(
      z.array(
        z.object({
          channel: z.string(),
          originId: z.int(),
          error: z.string(),
          message: z.string(),
          /** What `error` stands for, in Chinese. */
          messageZh: z.string(),
          count: z.int(),
          firstAt: z.string(),
          lastAt: z.string(),
        }),
      ),
    ),
    hours: z.nullable(z.array(hourView)),
  })
  .register(described, { id: 'SiteDetail' });

export const zoneList = z
  .object({ items: z.array(z.object({ instance: z.string(), zone: z.string() })) })
  .register(described, { id: 'SiteZones' });

const channelOf = (channel: ReceivedChannel): z.infer<typeof channelView> => ({
  ...channel,
  lastReceivedAt: formatTimeOrNull(channel.lastReceivedAt),
});

export const statusOf = ({ continues: _continues, ...site }: SiteStatus): z.infer<typeof siteStatus> => ({
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
  flows: site.flows.map(({ oldestAt, nextAttemptAt, ...flow }) => ({
    ...flow,
    oldestAt: formatTimeOrNull(oldestAt),
    nextAttemptAt: formatTimeOrNull(nextAttemptAt),
  })),
  lastSeenAt: formatTimeOrNull(site.lastSeenAt),
  report: site.report && reportView(site.report),
  events: channelOf(site.events),
  verdicts: channelOf(site.verdicts),
});

const shedView = ({ evidence_bytes, lost_bytes, ...counts }: KeptReport['shed']) => ({
  ...counts,
  evidenceBytes: evidence_bytes,
  lostBytes: lost_bytes,
});

function endsView(ends: KeptReport['unplanned_ends']) {
  if (!ends) return null;
  const { last_at: lastAt, last_kind: lastKind, ...counts } = ends;
  return { ...counts, lastAt, lastKind };
}

const stallsOf = (stalls: KeptReport['stalls']) =>
  stalls
    ? {
        count: stalls.count,
        longestSeconds: stalls.longest_seconds,
        lastAt: stalls.last_at,
        lastSeconds: stalls.last_seconds,
      }
    : null;

const reportView = ({ disk, shed, ...report }: KeptReport) => ({
  at: report.at,
  state: report.state,
  storing: report.storing,
  zone: report.zone ?? null,
  disk: {
    level: disk.level,
    roomBytes: disk.room_bytes,
    usedBytes: disk.used_bytes,
    refused: disk.refused,
    daysLeft: disk.days_left ?? null,
  },
  shed: shedView(shed),
  clockSuspect: report.clock_suspect,
  clockOffsetMs: report.clock_offset_ms ?? null,
  lifeUsedPercent: report.life_used_percent,
  silentCameras: report.silent_cameras,
  unplannedEnds: endsView(report.unplanned_ends),
  stalls: stallsOf(report.stalls),
  lastBackup: report.last_backup ?? null,
  alarms: report.alarms.length,
});

const connectionView = ({ reason_zh: reasonZh, ...told }: ConnectionTold) => ({ ...told, reasonZh });

export const detailOf = (site: SiteStatus): z.infer<typeof siteDetail> => {
  const { cameras, parked, hours } = site.report ?? {};
  const refs = Map.groupBy(site.report?.camera_refs ?? [], ({ key_id }) => key_id);
  return {
    site: statusOf(site),
    continues: site.continues,
    cameras:
      cameras?.map(({ key_id, tenant, last_event_at, kind, connection, refused, ...camera }) => ({
        ...camera,
        keyId: key_id,
        tenantCode: tenant,
        lastEventAt: last_event_at,
        kind: kind ?? null,
        connection: connection ? connectionView(connection) : null,
        refused: refused ?? null,
        refs: (refs.get(key_id) ?? []).map((one) => ({
          ref: one.ref,
          lastEventAt: one.last_event_at,
          events: one.events,
        })),
      })) ?? null,
    parked:
      parked?.map(({ origin_id, first_at, last_at, ...item }) => ({
        ...item,
        messageZh: parkedReasonZh(item.error),
        originId: origin_id,
        firstAt: first_at,
        lastAt: last_at,
      })) ?? null,
    hours: hours?.map(({ room_bytes, ...hour }) => ({ ...hour, roomBytes: room_bytes })) ?? null,
  };
};
