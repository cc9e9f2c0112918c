// How subscriptions are shown.
import * as z from 'zod/mini';
import type { Actor } from '../../http/actor.ts';
import { described } from '../../http/described.ts';
import { redactUrl } from '../../http/outbound/redact-url.ts';
import { formatTime, formatTimeOrNull } from '../../time.ts';
import { severities } from '../event/schema.ts';
import type { PushState } from '../push/port.ts';
import type { SubscriptionRecord } from './port.ts';

const text = z.nullable(z.string());
export const subscriptionView = z
  .object({
    consumer: z.string(),
    tenantCode: text,
    eventTypes: z.nullable(z.array(z.string())),
    minSeverity: z.nullable(z.enum(severities)),
    pushUrl: text,
    secretRef: text,
    enabled: z.boolean(),
    cursor: z.int(),
    pushCursor: z.int(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .register(described, { id: 'RegisteredSubscription' });
const pushView = z
  .object({
    failures: z.int(),
    nextAt: text,
    lastError: text,
    lastSuccessAt: text,
    receiptFaults: z.int(),
    lastReceiptFault: text,
  })
  .register(described, { id: 'PushState' });
export const listedView = z
  .extend(subscriptionView, { lag: z.int(), lagCapped: z.boolean(), push: z.nullable(pushView) })
  .register(described, { id: 'Subscription' });

/** Before the first push, or without a push URL, there is nothing to show. */
export function pushViewOf(state: PushState | null): z.infer<typeof pushView> | null {
  if (!state) return null;
  const { failures, lastError, receiptFaults, lastReceiptFault } = state;
  return {
    failures,
    nextAt: failures > 0 ? formatTime(state.nextAt) : null,
    lastError,
    lastSuccessAt: formatTimeOrNull(state.lastSuccessAt),
    receiptFaults,
    lastReceiptFault,
  };
}

export function viewOf(record: SubscriptionRecord): z.infer<typeof subscriptionView> {
  return {
    consumer: record.consumer,
    tenantCode: record.tenantCode,
    eventTypes: record.eventTypes,
    minSeverity: record.minSeverity,
    pushUrl: record.pushUrl,
    secretRef: record.secretRef,
    enabled: record.enabled,
    cursor: record.cursor,
    pushCursor: record.pushCursor,
    createdAt: formatTime(record.createdAt),
    updatedAt: formatTime(record.updatedAt),
  };
}

/**
 * What a customer sees: the address may open something by its query, and the reference names a secret of the
 * operator.
 */
const shownTo = (record: SubscriptionRecord): z.infer<typeof subscriptionView> => ({
  ...viewOf(record),
  pushUrl: record.pushUrl && redactUrl(record.pushUrl),
  secretRef: null,
});

/** As this caller may see it. */
export const seenBy = (
  { tenantCode }: Pick<Actor, 'tenantCode'>,
  record: SubscriptionRecord,
): z.infer<typeof subscriptionView> => (tenantCode === null ? viewOf(record) : shownTo(record));
