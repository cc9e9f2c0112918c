// What is asked about deliveries, and how it is answered.
import * as z from 'zod/mini';
import { zonedTime } from '../../common/core/event/schema.ts';
import { described } from '../../common/http/described.ts';
import { formatTime, formatTimeOrNull } from '../../common/time.ts';
import { eventTypes, subscribableTypes } from './business-event.ts';
import { deliveryInChinese } from './delivery-messages.ts';
import type { AttemptRecord, DeliveryRecord } from './record.ts';

export const testInput = z
  .strictObject({ event: z.optional(z.enum(subscribableTypes)) })
  .register(described, { id: 'WebhookTestRequest' });
export const recoverInput = z
  .strictObject({ since: zonedTime })
  .register(described, { id: 'DeliveryRecovery' });
export const deliveryQuery = z.strictObject({
  status: z.optional(z.enum(['pending', 'success', 'failed'])),
  event: z.optional(z.enum(eventTypes)),
  response_code: z.optional(z.coerce.number().check(z.int(), z.minimum(100), z.maximum(599))),
  since: z.optional(zonedTime),
  until: z.optional(zonedTime),
  cursor: z.optional(z.string().check(z.maxLength(512))),
});

export const deliveryView = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    messageId: z.string(),
    event: z.enum(eventTypes),
    status: z.enum(['pending', 'success', 'failed']),
    attempts: z.int(),
    response_code: z.nullable(z.int()),
    last_error: z.nullable(z.string()),
    /** `last_error` in Chinese; null where an older version wrote it. */
    last_error_zh: z.nullable(z.string()),
    responseBody: z.nullable(z.string()),
    time: z.string(),
    lastAttemptAt: z.nullable(z.string()),
    nextAttemptAt: z.nullable(z.string()),
    settledAt: z.nullable(z.string()),
  })
  .register(described, { id: 'Delivery' });
const attemptView = z
  .object({
    attempt: z.int(),
    at: z.string(),
    response_code: z.nullable(z.int()),
    error: z.nullable(z.string()),
    /** `error` in Chinese; null where an older version wrote it. */
    error_zh: z.nullable(z.string()),
    responseBody: z.nullable(z.string()),
  })
  .register(described, { id: 'DeliveryAttempt' });
export const deliveryDetail = z
  .extend(deliveryView, {
    webhookName: z.nullable(z.string()),
    body: z.nullable(z.string()),
    made: z.array(attemptView),
  })
  .register(described, { id: 'DeliveryInFull' });

export function viewDelivery(delivery: DeliveryRecord): z.infer<typeof deliveryView> {
  const {
    id,
    webhookId,
    eventId,
    event,
    attempts,
    responseCode,
    lastError,
    lastErrorTold,
    responseBody,
    createdAt,
    lastAttemptAt,
    nextAt,
    settledAt,
  } = delivery;
  return {
    id,
    webhookId,
    messageId: eventId,
    event,
    status: delivery.status,
    attempts,
    response_code: responseCode,
    last_error: lastError,
    last_error_zh: deliveryInChinese(lastErrorTold),
    responseBody,
    time: formatTime(createdAt),
    lastAttemptAt: formatTimeOrNull(lastAttemptAt),
    nextAttemptAt: delivery.status === 'pending' ? formatTime(nextAt) : null,
    settledAt: formatTimeOrNull(settledAt),
  };
}

export const viewAttempt = ({
  attempt,
  at,
  responseCode,
  error,
  errorTold,
  responseBody,
}: AttemptRecord): z.infer<typeof attemptView> => ({
  attempt,
  at: formatTime(at),
  response_code: responseCode,
  error,
  error_zh: deliveryInChinese(errorTold),
  responseBody,
});
