import type { ChannelName, SiteReport } from '../../common/uplink/wire.ts';
import type { SiteRecord, SourceState } from './port.ts';

/** Nothing heard for longer than this, ms. */
const LATE_AFTER_MS = 30_000;
const SILENT_AFTER_MS = 600_000;

export interface ReceivedChannel {
  /** Epoch of the site's store that the cursor counts in; null before the first batch. */
  epoch: string | null;
  cursor: number;
  /** Totals are of every epoch. */
  receivedTotal: number;
  duplicateTotal: number;
  rejectedTotal: number;
  lastReceivedAt: number | null;
}

export interface SiteStatus {
  instance: string;
  tenants: string[];
  state: 'current' | 'late' | 'silent';
  lastSeenAt: number | null;
  version: string | null;
  /** What it last told of its machine; null: nothing yet. */
  report: SiteReport | null;
  events: ReceivedChannel;
  verdicts: ReceivedChannel;
}

/** Hub shape of the uplink status (design §6, "Uplink"). Pure. */
export function siteStates(
  sites: readonly SiteRecord[], sources: readonly SourceState[], lastSeen: ReadonlyMap<string, { at: number; version: string; report: SiteReport | null }>, now: number,
): SiteStatus[] {
  const bySite = Map.groupBy(sources, (source) => source.instance);
  return sites.map((site) => {
    const own = bySite.get(site.instance) ?? [];
    const seen = lastSeen.get(site.instance);
    return {
      instance: site.instance, tenants: site.tenants, state: stateOf(seen?.at, now), lastSeenAt: seen?.at ?? null, version: seen?.version ?? null, report: seen?.report ?? null,
      events: channelOf(own, 'events'), verdicts: channelOf(own, 'verdicts'),
    };
  });
}

function stateOf(lastSeenAt: number | undefined, now: number): SiteStatus['state'] {
  if (lastSeenAt === undefined || now - lastSeenAt > SILENT_AFTER_MS) return 'silent';
  return now - lastSeenAt > LATE_AFTER_MS ? 'late' : 'current';
}

function channelOf(sources: readonly SourceState[], channel: ChannelName): ReceivedChannel {
  const own = sources.filter((source) => source.channel === channel);
  const total = (member: 'receivedTotal' | 'duplicateTotal' | 'rejectedTotal') => own.reduce((sum, source) => sum + source[member], 0);
  const newest = own.reduce<SourceState | null>(
    (best, source) => (best === null || (source.lastReceivedAt ?? 0) > (best.lastReceivedAt ?? 0) ? source : best), null,
  );
  return {
    epoch: newest?.epoch ?? null, cursor: newest?.cursor ?? 0, receivedTotal: total('receivedTotal'), duplicateTotal: total('duplicateTotal'),
    rejectedTotal: total('rejectedTotal'), lastReceivedAt: newest?.lastReceivedAt ?? null,
  };
}
