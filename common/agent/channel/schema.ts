import * as z from 'zod/mini';
import { described } from '../../http/described.ts';
import { code, isHttpUrl, tenantCode } from '../../core/event/schema.ts';
import { secretRef } from '../../core/secret/schema.ts';
import { channelFormats } from './record.ts';
import { saying } from '../../http/fault/fault.ts';

const url = z.string().check(z.maxLength(2048), z.refine(isHttpUrl, saying('web_address')));
const phone = z.string().check(z.regex(/^\+?[0-9]{5,20}$/, saying('telephone')));
const way = {
  url: z.optional(url),
  url_ref: z.optional(secretRef),
  secret: z.optional(z.string().check(z.minLength(1), z.maxLength(512))),
  secret_ref: z.optional(secretRef),
  recipients: z.optional(z.array(phone).check(z.minLength(1), z.maxLength(100))),
  body_template: z.optional(z.string().check(z.minLength(1), z.maxLength(4000))),
  content_type: z.optional(z.enum(['application/json', 'application/x-www-form-urlencoded'])),
  enabled: z.optional(z.boolean()),
};

/** Body of POST /api/agent/channels. */
export const channelInput = z
  .strictObject({
    tenant_code: tenantCode,
    name: code(64),
    channel: z.enum(['chat', 'sms']),
    format: z.enum(channelFormats),
    ...way,
  })
  .register(described, { id: 'NewChannel' });
export type ChannelInput = z.infer<typeof channelInput>;

/** Body of PATCH /api/agent/channels/{id}: what is left out stays. */
export const channelChange = z
  .strictObject({ name: z.optional(code(64)), ...way })
  .register(described, { id: 'ChannelChange' });
export type ChannelChange = z.infer<typeof channelChange>;
