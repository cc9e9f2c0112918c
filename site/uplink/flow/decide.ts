// What travels between this site and headquarters, in one form for whoever looks at all of it. Pure.
import type { ChannelName } from '../../../common/uplink/wire.ts';

export const flowNames = ['events', 'verdicts', 'evidence', 'notifications', 'orders'] as const;
export type FlowName = (typeof flowNames)[number];

/** A backlog older than this is worth a look, ms. */
const LATE_MS = 10 * 60_000;
/** Evidence behind as many tries that failed in a row does not go by itself. */
const FAILING_TRIES = 3;

/** How its tries go. */
export interface Tries {
  lastError: string | null;
  lastErrorCode: string | null;
  lastErrorZh: string | null;
  consecutiveFailures: number;
  nextAttemptAt: string | null;
}

export interface Flow extends Tries {
  name: FlowName;
  waiting: number;
  /** null: no figure is made of it. */
  bytes: number | null;
  /** Since when the oldest of it waits. */
  oldestAt: string | null;
  /** Whether it has waited for too long. */
  late: boolean;
  parked: number;
}

interface Backlog extends Tries {
  backlog: number;
  backlogBytes: number | null;
}

/** What the flows are read from: the status of the uplink. */
export interface FlowFacts {
  channels: readonly (Backlog & { name: ChannelName; oldestUnsentAt: string | null; parked: number })[];
  evidence: (Backlog & { oldestWaitingAt: string | null }) | null;
  notifications: (Backlog & { oldestWaitingAt: string | null }) | null;
  orders: (Backlog & { oldestWaitingAt: string | null }) | null;
}

/** Every flow that there is at this site, the channels first. @param now epoch ms */
export function flowsOf({ channels, evidence, notifications, orders }: FlowFacts, now: number): Flow[] {
  const beside = { evidence, notifications, orders } as const;
  return [
    ...channels.map(({ name, oldestUnsentAt, parked, ...rest }) =>
      flowOf({ name, parked, oldestAt: oldestUnsentAt }, rest, now),
    ),
    ...(['evidence', 'notifications', 'orders'] as const).flatMap((name) => {
      const one = beside[name];
      return one === null ? [] : [flowOf({ name, parked: 0, oldestAt: one.oldestWaitingAt }, one, now)];
    }),
  ];
}

function flowOf(
  { name, parked, oldestAt: at }: Pick<Flow, 'name' | 'parked' | 'oldestAt'>,
  of: Backlog,
  now: number,
): Flow {
  const oldestAt = of.backlog === 0 ? null : at;
  const { consecutiveFailures } = of;
  return {
    name,
    waiting: of.backlog,
    bytes: of.backlogBytes,
    oldestAt,
    late: isLate({ name, oldestAt, consecutiveFailures }, now),
    parked,
    lastError: of.lastError,
    lastErrorCode: of.lastErrorCode,
    lastErrorZh: of.lastErrorZh,
    consecutiveFailures,
    nextAttemptAt: of.nextAttemptAt,
  };
}

/**
 * Evidence may wait for as long as its cap and the channels make it: it is late once its tries fail too, and
 * whatever its age once they fail again and again.
 */
function isLate(
  { name, oldestAt, consecutiveFailures }: Pick<Flow, 'name' | 'oldestAt' | 'consecutiveFailures'>,
  now: number,
): boolean {
  if (oldestAt === null) return false;
  if (name === 'evidence' && consecutiveFailures >= FAILING_TRIES) return true;
  if (name === 'evidence' && consecutiveFailures === 0) return false;
  return now - Date.parse(oldestAt) > LATE_MS;
}
