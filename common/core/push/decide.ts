import { isDeepStrictEqual } from 'node:util';
import { LONGEST_WAIT_MS, stepBackBound } from '../../backoff.ts';
import type { Stamp } from '../../clock.ts';
import type { AuditEntry } from '../audit/port.ts';
import type { NewEvidenceJob } from '../evidence/port.ts';
import type { SubscriptionFilters, SubscriptionRecord } from '../subscription/port.ts';
import type { PushDelivered, PushLease, PushState } from './port.ts';

/** Spec 2, "Limits". */
export const PUSH_BACKOFF = { first: 3_000, cap: LONGEST_WAIT_MS, jitter: 0.2 };

/**
 * When they differ, a waiting backoff and a push under way are void, since the push would go elsewhere or
 * hold other events.
 */
export function sameFilters(a: SubscriptionFilters, b: SubscriptionFilters): boolean {
  return isDeepStrictEqual(filtersOf(a), filtersOf(b));
}

const filtersOf = ({
  tenantCode,
  eventTypes,
  minSeverity,
  pushUrl,
  secretRef,
  enabled,
}: SubscriptionFilters): SubscriptionFilters => ({
  tenantCode,
  eventTypes,
  minSeverity,
  pushUrl,
  secretRef,
  enabled,
});

/** A state row as the stores keep it. */
export interface PushRow extends PushState {
  lease: string | null;
  leasedUntil: number;
}

export const freshPushRow = (consumer: string): PushRow => ({
  consumer,
  failures: 0,
  nextAt: 0,
  lastError: null,
  lastSuccessAt: null,
  receiptFaults: 0,
  lastReceiptFault: null,
  lease: null,
  leasedUntil: 0,
});

const passed = (at: number, now: number): boolean => at <= now || at > stepBackBound(now);

/** Whether a subscription's next round may begin; one that was never pushed to is due. */
export function isDue(state: { nextAt: number } | undefined, now: number): boolean {
  return state === undefined || passed(state.nextAt, now);
}

/** Whether the consumer may be taken (`PushPort.claim`). */
export function mayClaim(
  seen: SubscriptionRecord,
  found: SubscriptionRecord | null,
  row: PushRow,
  now: number,
): boolean {
  return (
    found !== null &&
    found.enabled &&
    found.pushUrl !== null &&
    found.pushCursor === seen.pushCursor &&
    sameFilters(found, seen) &&
    isDue(row, now) &&
    (row.lease === null || passed(row.leasedUntil, now))
  );
}

/** The row after an answered push. */
export function afterDelivery(row: PushRow, delivered: PushDelivered, now: number): PushRow {
  if (!delivered.pushed) return { ...row, lease: null, leasedUntil: 0 };
  return {
    ...row,
    failures: 0,
    nextAt: now,
    lastError: null,
    lastSuccessAt: now,
    lease: null,
    leasedUntil: 0,
    receiptFaults: row.receiptFaults + delivered.receiptFaults,
    lastReceiptFault: delivered.lastReceiptFault ?? row.lastReceiptFault,
  };
}

/**
 * The row after a push that failed. Failures are counted and never disable (spec 2, "Optional push"). @param
 * nextAt epoch ms
 */
export function afterFailure(row: PushRow, error: string, nextAt: number): PushRow {
  return { ...row, failures: row.failures + 1, nextAt, lastError: error, lease: null, leasedUntil: 0 };
}

/** What of the state a changed registration leaves: the backoff and the lease go, the history stays. */
export function afterRegistration(row: PushRow): PushRow {
  return { ...row, failures: 0, nextAt: 0, lastError: null, lease: null, leasedUntil: 0 };
}

/**
 * Evidence leaves for an address that the consumer named; the audit keeps which and where to, not the
 * credentials.
 */
export function requestedAudit(
  lease: PushLease,
  tenantCode: string | null,
  jobs: readonly NewEvidenceJob[],
  stamp: Stamp,
): AuditEntry {
  return {
    id: stamp.newId(),
    at: stamp.now,
    actor: `consumer:${lease.consumer}`,
    action: 'evidence.requested',
    subject: `subscription:${lease.consumer}`,
    tenantCode,
    before: null,
    after: {
      jobs: jobs.map(({ id, eventId, name, putUrl }) => ({ id, eventId, name, host: new URL(putUrl).host })),
    },
  };
}
