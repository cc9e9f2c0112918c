// What travels between headquarters and a site, in one form for whoever looks at all of it. Pure.
import type { SiteReport } from '../../../common/uplink/site-report.ts';

/** `site`: it waits there to come up, as it last told; `hq`: it waits here, for the site or for a channel. */
export type FlowEnd = 'site' | 'hq';

export interface Flow {
  /** As a site names its flows; at headquarters `decisions`, `orders`, `evidence` and `notifications`. */
  name: string;
  at: FlowEnd;
  waiting: number;
  /** null: no figure is made of it. */
  bytes: number | null;
  /** Since when the oldest of it waits, epoch ms; null: nothing waits, or it is not known. */
  oldestAt: number | null;
  /** Refused, parked, given up or deleted: what does not come any more by itself. */
  failed: number;
  lastError: string | null;
  /** null: it is told in English only. */
  lastErrorZh: string | null;
  /** Tries that failed since the last one that went well; null: not told, or it is not tried from here. */
  failures: number | null;
  /** Epoch ms. */
  nextAttemptAt: number | null;
  /** Of a channel of the site: how far it is here, and its newest position; null for what is no channel. */
  cursor: number | null;
  head: number | null;
}

/** What waits here. */
export interface WaitsHere {
  decisions: { waiting: number; oldestWaitingAt: number | null; refused: number };
  orders: { waiting: number; waitingBytes: number; oldestWaitingAt: number | null; refused: number };
  evidence: {
    wanted: number;
    wantedBytes: number;
    oldestWantedAt: number | null;
    deletedAtSite: number;
    failed: number;
    lastError: string | null;
  };
  notifications: {
    underWay: number;
    oldestUnderWayAt: number | null;
    failed: number;
    lastError: string | null;
  };
}

/** What waits there comes first. @param report null: the site has told nothing yet */
export function flowsOf(
  report: Pick<SiteReport, 'flows'> | null,
  { decisions, orders, evidence, notifications }: WaitsHere,
): Flow[] {
  return [
    ...flowsThere(report),
    flowHere('decisions', decisions.waiting, decisions.oldestWaitingAt, { failed: decisions.refused }),
    flowHere('orders', orders.waiting, orders.oldestWaitingAt, {
      bytes: orders.waitingBytes,
      failed: orders.refused,
    }),
    flowHere('evidence', evidence.wanted, evidence.oldestWantedAt, {
      bytes: evidence.wantedBytes,
      failed: evidence.failed + evidence.deletedAtSite,
      lastError: evidence.lastError,
    }),
    flowHere('notifications', notifications.underWay, notifications.oldestUnderWayAt, notifications),
  ];
}

/** What waits at the site, as it told. @param report as in `flowsOf` */
export const flowsThere = (report: Pick<SiteReport, 'flows'> | null): Flow[] =>
  (report?.flows ?? []).map(flowThere);

function flowThere(told: NonNullable<SiteReport['flows']>[number]): Flow {
  return {
    name: told.name,
    at: 'site',
    waiting: told.waiting,
    bytes: told.bytes,
    oldestAt: momentOf(told.oldest_at),
    failed: told.parked,
    lastError: told.last_error,
    lastErrorZh: told.last_error_zh,
    failures: told.failures ?? null,
    nextAttemptAt: momentOf(told.next_attempt_at),
    cursor: told.cursor ?? null,
    head: told.head ?? null,
  };
}

/** Epoch ms of a time as a site tells it; null for none, and for one that cannot be read. */
function momentOf(told: string | null | undefined): number | null {
  const at = Date.parse(told ?? '');
  return Number.isFinite(at) ? at : null;
}

const flowHere = (
  name: string,
  waiting: number,
  oldestAt: number | null,
  {
    bytes = null,
    failed,
    lastError = null,
  }: Pick<Flow, 'failed'> & Partial<Pick<Flow, 'bytes' | 'lastError'>>,
): Flow => ({
  name,
  at: 'hq',
  waiting,
  bytes,
  oldestAt,
  failed,
  lastError,
  lastErrorZh: null,
  failures: null,
  nextAttemptAt: null,
  cursor: null,
  head: null,
});
