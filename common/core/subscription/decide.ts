import { fault } from '../../http/error.ts';
import type { AuditEntry } from '../audit/port.ts';
import type { SubscriptionFilters, SubscriptionRecord } from './port.ts';
import type { SubscriptionChange } from './schema.ts';

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

/**
 * The audit entry of a cursor that somebody moved in the consumer's place: the consumer never gets the events
 * in between.
 */
export function acknowledgement(
  { consumer, tenantCode, cursor: from }: SubscriptionRecord,
  { cursor, now, by }: { cursor: number; now: number; by: string },
): Omit<AuditEntry, 'id'> {
  return {
    at: now,
    actor: by,
    action: 'subscription.acknowledged',
    subject: `subscription:${consumer}`,
    tenantCode,
    before: { cursor: from },
    after: { cursor },
  };
}
