import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { code, isHttpUrl, tenantCode } from '../../core/event/schema.ts';
import { isSmtpUrl } from '../../core/secret/decide.ts';
import { secretRef } from '../../core/secret/schema.ts';
import { described } from '../../http/described.ts';
import { isZone } from '../../time.ts';
import { saying } from './channel-fault-messages.ts';
import { isMailAddress } from './decide.ts';
import { channelFormats } from './record.ts';

const url = z.string().check(
  upTo(2048),
  z.refine((text) => isHttpUrl(text) || isSmtpUrl(text), saying('channel_address')),
);
/** Whether it can be a telephone number. */
export const isPhone = (text: string): boolean => /^\+?[0-9]{5,20}$/.test(text);
const recipient = z.string().check(
  upTo(320),
  z.refine((text) => isPhone(text) || isMailAddress(text), saying('recipient')),
);
const mail = z
  .strictObject({
    from: z.string().check(upTo(320), z.refine(isMailAddress, saying('mail_address'))),
    user: z._default(z.nullable(z.string().check(z.minLength(1), upTo(320), z.regex(/^\P{Cc}+$/u))), null),
  })
  .register(described, { id: 'MailSettings' });
const time = z.string().check(z.regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, saying('time_of_day')));
const zone = z.string().check(upTo(64), z.refine(isZone, saying('time_zone')));
const quietHours = z
  .strictObject({ begin: time, end: time, zone, critical_through: z._default(z.boolean(), true) })
  .register(described, { id: 'QuietHours' });
const alarmTaking = z
  .strictObject({
    from: z.enum(['warning', 'critical']),
    repeat_minutes: z._default(z.int().check(z.minimum(0), z.maximum(1440)), 30),
    quiet: z.optional(quietHours),
  })
  .register(described, { id: 'AlarmTaking' });
export type AlarmTakingInput = z.infer<typeof alarmTaking>;

const way = {
  url: z.optional(url),
  url_ref: z.optional(secretRef),
  secret: z.optional(z.string().check(z.minLength(1), z.maxLength(512))),
  secret_ref: z.optional(secretRef),
  recipients: z.optional(z.array(recipient).check(z.minLength(1), z.maxLength(100))),
  body_template: z.optional(z.string().check(z.minLength(1), z.maxLength(4000))),
  content_type: z.optional(z.enum(['application/json', 'application/x-www-form-urlencoded'])),
  mail: z.optional(mail),
  enabled: z.optional(z.boolean()),
  alarms: z.optional(z.nullable(alarmTaking)),
};

/** Body of POST /api/agent/channels. */
export const channelInput = z
  .strictObject({
    tenant_code: z.nullable(tenantCode),
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
