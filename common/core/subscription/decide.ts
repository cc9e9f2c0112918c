import type { AuditEntry } from '../audit/port.ts';
import type { SubscriptionRecord } from './port.ts';

/** The trace of a cursor that somebody moved in the consumer's place: what lies between, the consumer never gets. */
export function acknowledgement(
  { consumer, tenantCode, cursor: from }: SubscriptionRecord, { cursor, now, by }: { cursor: number; now: number; by: string },
): Omit<AuditEntry, 'id'> {
  return {
    at: now, actor: by, action: 'subscription.acknowledged', subject: `subscription:${consumer}`, tenantCode, before: { cursor: from }, after: { cursor },
  };
}
