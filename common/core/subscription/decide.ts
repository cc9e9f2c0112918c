import { fault } from '../../http/error.ts';
import type { AuditEntry } from '../audit/port.ts';
import type { SubscriptionRecord } from './port.ts';
import type { SubscribeInput } from './schema.ts';

/**
 * Filters or acknowledgements of others under the name that this program's response rules read by would keep
 * events from the rules.
 * @param own that name; null where the rules are not at work
 * @throws AppError 400
 */
export function checkFree(consumer: string, own: string | null): void {
  if (consumer !== own) return;
  const rest = 'only pause it, or set it going, by registering it with nothing but "enabled"';
  throw fault(
    'consumer',
    `${own} is how the response rules of this program read events: choose another name; ${rest}`,
  );
}

/** Whether a registration says more than that the consumer is to go on or to pause. */
export const saysMore = ({ consumer: _, enabled: __, ...more }: SubscribeInput): boolean =>
  Object.values(more).some((value) => value !== undefined);

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
