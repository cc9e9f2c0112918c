import { counter, gauge, type Metric } from '../../common/metrics.ts';
import type { DiskKeeper } from '../retention/keeper.ts';
import type { SiteStore } from '../store/open.ts';
import type { Flow } from '../uplink/flow/decide.ts';
import { orderCounts } from '../uplink/order/status.ts';
import { type StatusOptions, uplinkStatus } from '../uplink/status.ts';

/** What only a site has to show: its disk and its uplink. */
export function siteMetrics(store: SiteStore, uplink: StatusOptions): Metric[] {
  type Channel = Awaited<ReturnType<typeof uplinkStatus>>['channels'][number];
  const perChannel = (pick: (channel: Channel) => number) => async () => {
    const { channels } = await uplinkStatus(uplink);
    return channels.map((channel) => ({ labels: { channel: channel.name }, value: pick(channel) }));
  };
  return [
    gauge('fieldline_store_wal_bytes', 'WAL in use', () => store.facts().walBytes),
    gauge('fieldline_store_db_bytes', 'Database file', () => store.facts().dbBytes),
    gauge(
      'fieldline_store_free_bytes',
      'Free room in it, left by what was deleted',
      () => store.facts().dbFreeBytes,
    ),
    counter('fieldline_store_commits_total', 'Transactions since start', () => store.facts().commits),
    counter('fieldline_store_operations_total', 'Operations in them', () => store.facts().operations),
    counter('fieldline_store_syncs_total', 'Syncs of the WAL since start', () => store.facts().syncs),
    gauge('fieldline_uplink_up', '1 after an answer of headquarters, 0 after a failure', () =>
      uplink.sender ? [{ labels: {}, value: uplink.sender.link.state === 'up' ? 1 : 0 }] : [],
    ),
    gauge(
      'fieldline_uplink_backlog',
      'Items that wait for headquarters',
      perChannel((channel) => channel.backlog),
    ),
    gauge(
      'fieldline_uplink_parked',
      'Items that headquarters refused',
      perChannel((channel) => channel.parked),
    ),
    gauge(
      'fieldline_uplink_conflicts',
      'Parked items whose key another instance has used at headquarters',
      perChannel((channel) => channel.conflicts),
    ),
    gauge(
      'fieldline_uplink_decisions_waiting',
      'Verdicts of headquarters that have not come down, after its last answer',
      () => {
        const inbox = uplink.sender?.inbox;
        return inbox ? (inbox.waitingThere?.decision ?? 0) + inbox.count('decision').waiting : 0;
      },
    ),
    gauge(
      'fieldline_uplink_evidence_backlog',
      'Evidence files that wait to go to headquarters',
      () => uplink.evidence?.waiting.files ?? 0,
    ),
    gauge(
      'fieldline_uplink_evidence_backlog_bytes',
      'Bytes of them',
      () => uplink.evidence?.waiting.bytes ?? 0,
    ),
    gauge(
      'fieldline_uplink_evidence_orders',
      'Uploads for consumers of headquarters that are not carried out',
      () => uplink.evidence?.waiting.orders ?? 0,
    ),
    gauge(
      'fieldline_uplink_previews_waiting',
      'Pictures of which headquarters has no preview yet',
      () => uplink.evidence?.previews.waiting ?? 0,
    ),
    counter(
      'fieldline_uplink_previews_total',
      'Previews of pictures, by what came of them, since start: sent, unreadable, refused by headquarters',
      () => {
        const { sent = 0, unreadable = 0, refused = 0 } = uplink.evidence?.previews.counts ?? {};
        return Object.entries({ sent, unreadable, refused }).map(([outcome, value]) => ({
          labels: { outcome },
          value,
        }));
      },
    ),
    counter(
      'fieldline_uplink_evidence_sent_total',
      'Evidence files that headquarters has, since start',
      () => uplink.evidence?.counts.files ?? 0,
    ),
    counter(
      'fieldline_uplink_evidence_sent_bytes_total',
      'Bytes sent of evidence files, since start',
      () => uplink.evidence?.counts.bytes ?? 0,
    ),
    counter(
      'fieldline_uplink_sent_total',
      'Items that headquarters accepted',
      perChannel((channel) => channel.sentTotal),
    ),
    counter(
      'fieldline_uplink_duplicate_total',
      'Items that headquarters had already',
      perChannel((channel) => channel.duplicateTotal),
    ),
    ...flowMetrics(uplink),
  ];
}

/** Of everything that travels between this site and headquarters, whichever way. */
function flowMetrics(uplink: StatusOptions): Metric[] {
  const { notifications, sender, clock } = uplink;
  const perFlow = (pick: (flow: Flow) => number) => async () => {
    const { flows } = await uplinkStatus(uplink);
    return flows.map((flow) => ({ labels: { flow: flow.name }, value: pick(flow) }));
  };
  const outcomes = (counts: Readonly<Record<string, number>> | undefined) => () =>
    Object.entries(counts ?? {}).map(([outcome, value]) => ({ labels: { outcome }, value }));
  return [
    gauge(
      'fieldline_uplink_waiting',
      'Items of each flow between this site and headquarters that wait',
      perFlow(({ waiting }) => waiting),
    ),
    gauge(
      'fieldline_uplink_waiting_bytes',
      'Bytes of them; 0 where no figure is made',
      perFlow(({ bytes }) => bytes ?? 0),
    ),
    gauge(
      'fieldline_uplink_oldest_waiting_seconds',
      'How long the oldest of them has waited',
      perFlow(({ oldestAt }) =>
        oldestAt === null ? 0 : Math.max(0, Math.round((clock.now() - Date.parse(oldestAt)) / 1000)),
      ),
    ),
    gauge(
      'fieldline_uplink_failures',
      'Tries of each flow that failed in a row',
      perFlow(({ consecutiveFailures }) => consecutiveFailures),
    ),
    counter(
      'fieldline_uplink_notifications_total',
      'Notifications for the channels of headquarters, by what came of them, since start',
      outcomes(notifications?.counts),
    ),
    counter(
      'fieldline_uplink_orders_total',
      'Orders of headquarters on tasks and incident groups, by what came of them, since start',
      outcomes(sender?.inbox && orderCounts(sender.inbox)),
    ),
  ];
}

/** Room on the disk, and what its lack has cost. */
export function diskMetrics(disk: DiskKeeper, { eviction }: Pick<SiteStore, 'eviction'>): Metric[] {
  return [
    {
      name: 'fieldline_disk_room_bytes',
      help: 'Bytes that events and files may still take',
      type: 'gauge',
      read: () => disk.budget?.room ?? 0,
    },
    {
      name: 'fieldline_disk_refused_total',
      help: 'Requests refused for want of room since start',
      type: 'counter',
      read: () => disk.refused,
    },
    {
      name: 'fieldline_disk_shed_total',
      help: 'Deleted for want of room since ever',
      type: 'counter',
      read: () => {
        const { evidence, observations, events, lost } = eviction.state().counts;
        return Object.entries({ evidence, observations, events, lost }).map(([kind, value]) => ({
          labels: { kind },
          value,
        }));
      },
    },
  ];
}
