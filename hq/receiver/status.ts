import type { ChannelName, SiteReport } from '../../common/uplink/wire.ts';
import type { DecisionCounts, SiteRecord, SourceState } from './port.ts';

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
  /** Items whose key is of another event; see GET /api/core/uplink/conflicts. */
  conflictTotal: number;
  /** When items last came. */
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
  /** Tasks and incident groups. */
  work: ReceivedChannel;
  /**
   * Verdicts and corrections given here on its events: how many wait to go down, and how many it did not
   * carry out.
   */
  decisions: Pick<DecisionCounts, 'waiting' | 'oldestWaitingAt' | 'refused'>;
}

export interface SeenForStatus {
  sources: readonly SourceState[];
  lastSeen: ReadonlyMap<string, { at: number; version: string; report: SiteReport | null }>;
  decisions: ReadonlyMap<string, DecisionCounts>;
}

/** Hub shape of the uplink status (design §6, "Uplink"). Pure. */
export function siteStates(
  sites: readonly SiteRecord[],
  { sources, lastSeen, decisions }: SeenForStatus,
  now: number,
): SiteStatus[] {
  const bySite = Map.groupBy(sources, (source) => source.instance);
  return sites.map((site) => {
    const own = bySite.get(site.instance) ?? [];
    const seen = lastSeen.get(site.instance);
    return {
      instance: site.instance,
      tenants: site.tenants,
      state: stateOf(seen?.at, now),
      lastSeenAt: seen?.at ?? null,
      version: seen?.version ?? null,
      report: seen?.report ?? null,
      events: channelOf(own, 'events'),
      verdicts: channelOf(own, 'verdicts'),
      work: channelOf(own, 'work'),
      decisions: decisionsOf([site.instance, ...site.continues].flatMap((name) => decisions.get(name) ?? [])),
    };
  });
}

function decisionsOf(counts: readonly DecisionCounts[]): SiteStatus['decisions'] {
  const oldest = counts.flatMap(({ oldestWaitingAt }) => oldestWaitingAt ?? []);
  return {
    waiting: counts.reduce((sum, one) => sum + one.waiting, 0),
    oldestWaitingAt: oldest.length === 0 ? null : Math.min(...oldest),
    refused: counts.reduce((sum, one) => sum + one.refused, 0),
  };
}

function stateOf(lastSeenAt: number | undefined, now: number): SiteStatus['state'] {
  if (lastSeenAt === undefined || now - lastSeenAt > SILENT_AFTER_MS) return 'silent';
  return now - lastSeenAt > LATE_AFTER_MS ? 'late' : 'current';
}

function channelOf(sources: readonly SourceState[], channel: ChannelName): ReceivedChannel {
  const own = sources.filter((source) => source.channel === channel);
  const total = (member: 'receivedTotal' | 'duplicateTotal' | 'rejectedTotal' | 'conflictTotal') =>
    own.reduce((sum, source) => sum + source[member], 0);
  const newest = own.reduce<SourceState | null>(
    (best, source) => (best === null || (source.heardAt ?? 0) > (best.heardAt ?? 0) ? source : best),
    null,
  );
  return {
    epoch: newest?.epoch ?? null,
    cursor: newest?.cursor ?? 0,
    receivedTotal: total('receivedTotal'),
    duplicateTotal: total('duplicateTotal'),
    rejectedTotal: total('rejectedTotal'),
    conflictTotal: total('conflictTotal'),
    lastReceivedAt: own.reduce<number | null>(
      (last, { lastReceivedAt: at }) => (at !== null && at > (last ?? 0) ? at : last),
      null,
    ),
  };
}
