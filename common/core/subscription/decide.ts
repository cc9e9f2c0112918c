import type { AuditEntry } from '../audit/port.ts';
import { sameFilters } from '../push/decide.ts';
import type { AckOutcome, SubscriptionFilters, SubscriptionRecord } from './port.ts';
import type { SubscriptionChange } from './schema.ts';
import { fault } from './subscription-fault-messages.ts';

/**
 * Filters or acknowledgements of others under the name that this program's response rules read by would keep
 * events from the rules.
 * @param own that name; null where the rules are not at work
 * @throws AppError 400
 */
export function checkFree(consumer: string, own: string | null): void {
  if (consumer !== own) return;
  throw fault('consumer', 'consumer_taken', { name: consumer });
}

/** Whether a change says more than that the consumer is to go on or to pause. */
export const saysMore = ({ enabled: _, ...more }: SubscriptionChange & { start_cursor?: unknown }): boolean =>
  Object.values(more).some((value) => value !== undefined);

/** Every event, by pull. */
export const UNFILTERED: SubscriptionFilters = {
  tenantCode: null,
  eventTypes: null,
  minSeverity: null,
  pushUrl: null,
  secretRef: null,
  enabled: true,
};

/** The filters after a registration. @param before null: it is the first */
export function merged(
  before: SubscriptionFilters | null,
  given: Partial<SubscriptionFilters>,
): SubscriptionFilters {
  const { tenantCode, eventTypes, minSeverity, pushUrl, secretRef, enabled } = before ?? UNFILTERED;
  return { tenantCode, eventTypes, minSeverity, pushUrl, secretRef, enabled, ...given };
}

/** The filters that a caller gives. */
export function givenBy(change: SubscriptionChange): Partial<SubscriptionFilters> {
  const { tenant_code: tenantCode, min_severity: minSeverity, push_url: pushUrl } = change;
  const { event_types: types, secret_ref: secretRef, enabled } = change;
  const eventTypes = types?.length === 0 ? null : types;
  const named = { tenantCode, eventTypes, minSeverity, pushUrl, secretRef, enabled };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** Whether the filters keep events from the consumer, or its events go elsewhere. */
export const isNarrowed = ({ tenantCode, eventTypes, minSeverity, pushUrl }: SubscriptionRecord): boolean =>
  [tenantCode, eventTypes, minSeverity, pushUrl].some((one) => one !== null);

/** The subscription that a first registration makes. @param cursor the id after which it begins */
export const registered = (
  consumer: string,
  given: Partial<SubscriptionFilters>,
  cursor: number,
  now: number,
): SubscriptionRecord => ({
  consumer,
  ...merged(null, given),
  cursor,
  pushCursor: cursor,
  createdAt: now,
  updatedAt: now,
});

/** What a registration made again, or a change, comes to. */
export function changed(
  before: SubscriptionRecord,
  given: Partial<SubscriptionFilters>,
  now: number,
): { after: SubscriptionRecord; voidsPush: boolean } {
  const after = { ...before, ...merged(before, given), updatedAt: now };
  return { after, voidsPush: !sameFilters(before, after) };
}

export interface SubscriptionStep {
  before: SubscriptionRecord | null;
  after: SubscriptionRecord | null;
  now: number;
  actor: string;
}

/** The audit entry of a registration, a change or a removal. */
export function subscriptionEntry(
  action: `subscription.${'registered' | 'changed' | 'removed'}`,
  { before, after, now, actor }: SubscriptionStep,
): Omit<AuditEntry, 'id'> {
  const of = after ?? before;
  return {
    at: now,
    actor,
    action,
    subject: `subscription:${of?.consumer ?? ''}`,
    tenantCode: of?.tenantCode ?? null,
    before,
    after,
  };
}

/**
 * Moves the cursor of a consumer forward, never back and never beyond the newest event (spec 2, "ack").
 * @param seen the subscription, null where there is none, and the newest id
 * @param command `by`: who moves it in the consumer's place, which is audited; undefined: the consumer itself
 * @returns `audit` is to be written with the cursor, if the outcome has moved it
 */
export function decideAck(
  { subscription, head }: { subscription: SubscriptionRecord | null; head: number },
  { cursor, now, by }: { cursor: number; now: number; by?: string | undefined },
): { outcome: AckOutcome; audit: Omit<AuditEntry, 'id'> | null } {
  if (!subscription) return { outcome: { kind: 'no_subscription' }, audit: null };
  if (cursor > head) return { outcome: { kind: 'ahead', head }, audit: null };
  const { cursor: from, consumer, tenantCode } = subscription;
  if (cursor <= from) return { outcome: { kind: 'acked', cursor: from, moved: false }, audit: null };
  // The consumer never gets the events in between.
  const audit =
    by === undefined
      ? null
      : {
          at: now,
          actor: by,
          action: 'subscription.acknowledged',
          subject: `subscription:${consumer}`,
          tenantCode,
          before: { cursor: from },
          after: { cursor },
        };
  return { outcome: { kind: 'acked', cursor, moved: true }, audit };
}
