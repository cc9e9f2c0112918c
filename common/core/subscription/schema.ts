import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { described } from '../../http/described.ts';
import { saying } from '../../http/fault/fault.ts';
import { waitParam } from '../../http/list.ts';
import { code, isHttpUrl, severities, tenantCode } from '../event/schema.ts';
import { secretRef } from '../secret/schema.ts';

/** An exact event type, or a prefix with a trailing `*` such as `vehicle.*`. */
export const typePattern = z
  .string()
  .check(upTo(128), z.regex(/^(?:\*|[a-z0-9_]+(?:\.[a-z0-9_]+)*(?:\.?\*)?)$/, saying('event_type_pattern')));

export const consumerName = z
  .string()
  .check(upTo(64), z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, saying('name_characters')));

/** What a consumer wants of the events. null takes a filter away; what is left out stays. */
const filters = {
  tenant_code: z.optional(z.nullable(tenantCode)),
  event_types: z.optional(z.nullable(z.array(typePattern).check(z.maxLength(200)))),
  min_severity: z.optional(z.nullable(z.enum(severities))),
  push_url: z.optional(z.nullable(z.string().check(upTo(2048), z.refine(isHttpUrl, saying('web_address'))))),
  secret_ref: z.optional(z.nullable(secretRef)),
  enabled: z.optional(z.boolean()),
};

/** Body of POST /api/core/events/subscribe (spec 2, "Event subscription (consumer registration)"). */
export const subscribeInput = z
  .strictObject({
    consumer: consumerName,
    ...filters,
    start_cursor: z.optional(z.int().check(z.minimum(0))),
  })
  .register(described, { id: 'NewSubscription' });
export type SubscribeInput = z.infer<typeof subscribeInput>;

/** Body of PATCH /api/core/subscriptions/{consumer}. */
export const subscriptionChange = z
  .strictObject(filters)
  .check(z.refine((change) => Object.keys(change).length > 0, saying('change_nothing')))
  .register(described, { id: 'SubscriptionChange' });
export type SubscriptionChange = z.infer<typeof subscriptionChange>;

export const ackInput = z
  .strictObject({
    consumer: consumerName,
    cursor: z.int().check(z.minimum(0)),
    epoch: z.optional(code(64)),
  })
  .register(described, { id: 'Acknowledgement' });

/** Longest that a stream may be asked to last, seconds. */
const MAX_STREAM_S = 86_400;

const pulled = {
  consumer: consumerName,
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000))),
  include_test: z.optional(z.enum(['true', 'false'])),
  epoch: z.optional(code(64)),
};

export const sinceQuery = z.strictObject({
  ...pulled,
  wait: waitParam,
});

export const streamQuery = z.strictObject({
  ...pulled,
  lasts: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_STREAM_S))),
});
