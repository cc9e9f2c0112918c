import type { Metric } from '../../common/metrics.ts';
import type { SiteStore } from '../store/open.ts';
import { uplinkStatus, type StatusOptions } from '../uplink/status.ts';

/** What only a site has to show: its disk and its uplink. */
export function siteMetrics(store: SiteStore, uplink: StatusOptions): Metric[] {
  const gauge = (name: string, help: string, read: Metric['read']): Metric => ({ name, help, type: 'gauge', read });
  const counter = (name: string, help: string, read: Metric['read']): Metric => ({ name, help, type: 'counter', read });
  type Channel = Awaited<ReturnType<typeof uplinkStatus>>['channels'][number];
  const perChannel = (pick: (channel: Channel) => number) => async () => {
    const { channels } = await uplinkStatus(uplink);
    return channels.map((channel) => ({ labels: { channel: channel.name }, value: pick(channel) }));
  };
  return [
    gauge('fieldline_store_wal_bytes', 'WAL in use', () => store.facts().walBytes),
    gauge('fieldline_store_db_bytes', 'Database file', () => store.facts().dbBytes),
    gauge('fieldline_store_free_bytes', 'Free room in it, left by what was deleted', () => store.facts().dbFreeBytes),
    counter('fieldline_store_commits_total', 'Transactions since start', () => store.facts().commits),
    counter('fieldline_store_operations_total', 'Operations in them', () => store.facts().operations),
    counter('fieldline_store_syncs_total', 'Syncs of the WAL since start', () => store.facts().syncs),
    gauge('fieldline_uplink_up', '1 after an answer of headquarters, 0 after a failure', () => (uplink.sender?.link === 'up' ? 1 : 0)),
    gauge('fieldline_uplink_backlog', 'Items that wait for headquarters', perChannel((channel) => channel.backlog)),
    gauge('fieldline_uplink_parked', 'Items that headquarters refused', perChannel((channel) => channel.parked)),
    counter('fieldline_uplink_sent_total', 'Items that headquarters accepted', perChannel((channel) => channel.sentTotal)),
    counter('fieldline_uplink_duplicate_total', 'Items that headquarters had already', perChannel((channel) => channel.duplicateTotal)),
  ];
}
