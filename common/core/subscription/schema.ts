import * as z from 'zod/mini';
import { described } from '../../http/described.ts';
import { code, isHttpUrl, severities, tenantCode } from '../event/schema.ts';
import { secretRef } from '../secret/schema.ts';

/** An exact event type, or a prefix with a trailing `*` such as `vehicle.*` (design §6). */
export const typePattern = z
  .string()
  .check(
    z.maxLength(128),
    z.regex(
      /^(?:\*|[a-z0-9_]+(?:\.[a-z0-9_]+)*(?:\.?\*)?)$/,
      'must be an event type, or a beginning of one with a trailing *, such as vehicle.*',
    ),
  );

export const consumerName = z
  .string()
  .check(
    z.maxLength(64),
    z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be letters, digits, ".", "_" and "-"'),
  );

/** Body of POST /api/core/events/subscribe (spec 2, "Event subscription (consumer registration)"). */
export const subscribeInput = z
  .strictObject({
    consumer: consumerName,
    tenant_code: z.optional(tenantCode),
    event_types: z.optional(z.array(typePattern).check(z.maxLength(200))),
    min_severity: z.optional(z.enum(severities)),
    push_url: z.optional(
      z
        .string()
        .check(
          z.maxLength(2048),
          z.refine(isHttpUrl, 'must be an http:// or https:// address without user name or password'),
        ),
    ),
    secret_ref: z.optional(secretRef),
    start_cursor: z.optional(z.int().check(z.minimum(0))),
    enabled: z._default(z.boolean(), true),
  })
  .register(described, { id: 'NewSubscription' });
export type SubscribeInput = z.infer<typeof subscribeInput>;

export const ackInput = z
  .strictObject({
    consumer: consumerName,
    cursor: z.int().check(z.minimum(0)),
    epoch: z.optional(code(64)),
  })
  .register(described, { id: 'Acknowledgement' });

export const sinceQuery = z.strictObject({
  consumer: consumerName,
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000))),
  include_test: z.optional(z.enum(['true', 'false'])),
  epoch: z.optional(code(64)),
});
