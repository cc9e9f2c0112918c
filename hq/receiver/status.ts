import type { EvidenceMode } from '../../common/core/evidence/schema.ts';
import type { KeptReport } from '../../common/uplink/site-report.ts';
import type { ChannelName } from '../../common/uplink/wire.ts';
import type { SiteEvidence, WantCounts } from '../evidence/port.ts';
import type { SiteNotifications } from '../notification/port.ts';
import { type Flow, flowsOf } from './flow/decide.ts';
import type { LastSeen } from './heard/port.ts';
import type { OrderCounts } from './order/port.ts';
import type { DecisionCounts, SiteRecord, SourceState } from './port.ts';
import { type HeardState, heardState } from './silence/decide.ts';
import type { Watch } from './silence/record.ts';

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

export interface SiteHeard {
  instance: string;
  /** What people call it; null: by its instance. */
  displayName: string | null;
  /** What it is looked after by, such as its region and its contract. */
  groups: string[];
  state: HeardState;
  /** Epoch ms; null: never. */
  lastSeenAt: number | null;
}

export interface SiteStatus extends SiteHeard, Watch {
  tenants: string[];
  /** Names under which it was known before. */
  continues: string[];
  version: string | null;
  /** What it last told of its machine; null: nothing yet. */
  report: KeptReport | null;
  events: ReceivedChannel;
  verdicts: ReceivedChannel;
  /**
   * Verdicts and corrections given here on its events: how many wait to go down, and how many it did not
   * carry out.
   */
  decisions: Pick<DecisionCounts, 'waiting' | 'oldestWaitingAt' | 'refused'>;
  /** What headquarters ordered on its tasks. */
  orders: OrderCounts;
  evidence: EvidenceState;
  /** Messages that it hands up to be delivered here. */
  notifications: SiteNotifications;
  /** All that waits there and here, in one form. */
  flows: Flow[];
}

/** Evidence files of a site. */
export interface EvidenceState {
  /** What the site sends; null: it has not said. */
  mode: EvidenceMode | null;
  /** Files that wait there to go up, as it last said, and their bytes. */
  backlog: number;
  backlogBytes: number;
  /** Files wanted here, and the bytes of them that have not come. */
  wanted: number;
  wantedBytes: number;
  oldestWantedAt: number | null;
  /** Why the last of them failed or is held up. */
  lastError: string | null;
  /** Uploads to consumers' storage that it has not carried out. */
  orders: number;
  deletedAtSite: number;
  failed: number;
  receivedFiles: number;
  receivedBytes: number;
  lastReceivedAt: number | null;
}

export interface SeenForStatus {
  sources: readonly SourceState[];
  lastSeen: ReadonlyMap<string, LastSeen>;
  decisions: ReadonlyMap<string, DecisionCounts>;
  orders: ReadonlyMap<string, OrderCounts>;
  evidence: ReadonlyMap<string, SiteEvidence>;
  wants: ReadonlyMap<string, WantCounts>;
  notifications: ReadonlyMap<string, SiteNotifications>;
}

/** Hub shape of the uplink status (DESIGN.md, "Uplink"). Pure. */
export function siteStates(
  sites: readonly SiteRecord[],
  { sources, lastSeen, decisions, orders, evidence, wants, notifications }: SeenForStatus,
  now: number,
): SiteStatus[] {
  const bySite = Map.groupBy(sources, (source) => source.instance);
  return sites.map((site) => {
    const own = bySite.get(site.instance) ?? [];
    const names = [site.instance, ...site.continues];
    const seen = lastSeen.get(site.instance);
    const waits = {
      decisions: decisionsOf(names.flatMap((name) => decisions.get(name) ?? [])),
      orders: ordersOf(names.flatMap((name) => orders.get(name) ?? [])),
      evidence: evidenceOf(
        evidence.get(site.instance),
        names.flatMap((name) => wants.get(name) ?? []),
      ),
      notifications: notifications.get(site.instance) ?? noNotifications,
    };
    return {
      ...heardOf(site, seen?.at, now),
      silentAfterMinutes: site.silentAfterMinutes,
      away: site.away,
      tenants: site.tenants,
      continues: site.continues,
      version: seen?.version ?? null,
      report: seen?.report ?? null,
      events: channelOf(own, 'events'),
      verdicts: channelOf(own, 'verdicts'),
      ...waits,
      flows: flowsOf(seen?.report ?? null, waits),
    };
  });
}

const noNotifications: SiteNotifications = {
  backlog: 0,
  heardAt: null,
  takenTotal: 0,
  lastTakenAt: null,
  underWay: 0,
  failed: 0,
  oldestUnderWayAt: null,
  lastError: null,
};

function evidenceOf(said: SiteEvidence | undefined, wants: readonly WantCounts[]): EvidenceState {
  const sum = (member: Exclude<keyof WantCounts, 'oldestAt' | 'lastReason'>): number =>
    wants.reduce((total, one) => total + one[member], 0);
  return {
    mode: said?.mode ?? null,
    backlog: said?.backlogFiles ?? 0,
    backlogBytes: said?.backlogBytes ?? 0,
    wanted: sum('files'),
    wantedBytes: sum('bytes'),
    oldestWantedAt: earliest(wants.map(({ oldestAt }) => oldestAt)),
    lastError: wants.find(({ lastReason }) => lastReason !== null)?.lastReason ?? null,
    orders: sum('orders'),
    deletedAtSite: sum('gone'),
    failed: sum('failed'),
    receivedFiles: said?.receivedFiles ?? 0,
    receivedBytes: said?.receivedBytes ?? 0,
    lastReceivedAt: said?.lastReceivedAt ?? null,
  };
}

function decisionsOf(counts: readonly DecisionCounts[]): SiteStatus['decisions'] {
  return {
    waiting: counts.reduce((sum, one) => sum + one.waiting, 0),
    oldestWaitingAt: earliest(counts.map(({ oldestWaitingAt }) => oldestWaitingAt)),
    refused: counts.reduce((sum, one) => sum + one.refused, 0),
  };
}

const ordersOf = (counts: readonly OrderCounts[]): OrderCounts => ({
  ...decisionsOf(counts),
  waitingBytes: counts.reduce((sum, one) => sum + one.waitingBytes, 0),
});

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((at) => at !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** @param at when it was heard last, epoch ms; undefined: never */
export const heardOf = (
  {
    instance,
    displayName,
    groups,
    ...watch
  }: Pick<SiteRecord, 'instance' | 'displayName' | 'groups' | keyof Watch>,
  at: number | undefined,
  now: number,
): SiteHeard => ({
  instance,
  displayName,
  groups,
  state: heardState(at, watch, now),
  lastSeenAt: at ?? null,
});

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
