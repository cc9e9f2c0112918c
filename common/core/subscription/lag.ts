import { consumerSees } from '../event/decide.ts';
import type { EventPort } from '../event/port.ts';
import type { SubscriptionRecord } from './port.ts';

/** Rows that are looked at for the lag of one subscription at most. */
export const LAG_SCAN = 20_000;

export interface Lag {
  /** Events after the confirmed cursor that the filters let through. */
  lag: number;
  /** Whether there may be more: so many events lie behind the cursor that only the first were looked at. */
  lagCapped: boolean;
}

/** With its lag each. @param tenantCode those of this tenant alone; null: all */
export async function withLags(
  events: EventPort,
  all: readonly SubscriptionRecord[],
  tenantCode: string | null,
): Promise<(SubscriptionRecord & Lag)[]> {
  const shown = all.filter((one) => tenantCode === null || one.tenantCode === tenantCode);
  const { oldest, highWaterMark } = await events.bounds();
  const lags: (SubscriptionRecord & Lag)[] = [];
  for (const one of shown) {
    const after = Math.max(one.cursor, oldest - 1);
    lags.push({ ...one, ...(await lagOf(events, one, { after, highWaterMark })) });
  }
  return lags;
}

async function lagOf(
  events: EventPort,
  filter: SubscriptionRecord,
  { after, highWaterMark }: { after: number; highWaterMark: number },
): Promise<Lag> {
  const behind = Math.max(0, highWaterMark - after);
  const unfiltered = [filter.tenantCode, filter.eventTypes, filter.minSeverity].every((one) => one === null);
  // Where every event is one of its own, their ids alone say how many.
  if (behind === 0 || unfiltered) return { lag: behind, lagCapped: false };
  const tallies = await events.tally(after, LAG_SCAN);
  const sum = (of: typeof tallies): number => of.reduce((total, { count }) => total + count, 0);
  return {
    lag: sum(tallies.filter((one) => consumerSees(filter, one, true))),
    lagCapped: sum(tallies) === LAG_SCAN && behind > LAG_SCAN,
  };
}
