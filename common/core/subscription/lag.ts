import type { EventPort } from '../event/port.ts';
import type { SubscriptionRecord } from './port.ts';

/** A tenant's own backlog is counted event by event, so only up to here. */
const MAX_TENANT_LAG = 1_000;
const TENANT_LAG_STEP = 100;

type WithLag = SubscriptionRecord & { lag: number };

/**
 * The backlog of each subscription: events after the confirmed cursor, before filters. @param tenantCode
 * those of this tenant alone, to whom other tenants' events do not count; null: all
 */
export async function withLags(
  events: EventPort,
  all: readonly SubscriptionRecord[],
  tenantCode: string | null,
): Promise<WithLag[]> {
  if (tenantCode !== null) {
    const own = all.filter((one) => one.tenantCode === tenantCode);
    return lagsOf(events, tenantCode, own);
  }
  const { oldest, highWaterMark } = await events.bounds();
  return all.map((one) => ({ ...one, lag: Math.max(0, highWaterMark - Math.max(one.cursor, oldest - 1)) }));
}

async function lagsOf(
  events: EventPort,
  tenantCode: string,
  own: readonly SubscriptionRecord[],
): Promise<WithLag[]> {
  const lowest = Math.min(...own.map((one) => one.cursor));
  const ids: number[] = [];
  while (own.length > 0 && ids.length < MAX_TENANT_LAG) {
    const rows = await events.list({ tenantCode, includeTest: true }, ids.at(-1) ?? null, TENANT_LAG_STEP);
    ids.push(...rows.map((row) => row.id));
    if (rows.length < TENANT_LAG_STEP || (ids.at(-1) ?? 0) <= lowest) break;
  }
  return own.map((one) => ({ ...one, lag: ids.filter((id) => id > one.cursor).length }));
}
