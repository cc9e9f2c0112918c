// Pure: what does not fit in what a caller gives of a channel.
import { isHttpUrl } from '../../core/event/schema.ts';
import { isSmtpUrl } from '../../core/secret/decide.ts';
import { type Fault } from '../../http/fault/fault.ts';
import { faultAt } from './channel-fault-messages.ts';
import { isMailAddress } from './decide.ts';
import { smsPlaceholders } from './message.ts';
import type { ChannelReferences } from './port.ts';
import type { ChannelRecord } from './record.ts';
import { type ChannelChange, type ChannelInput, isPhone } from './schema.ts';

/** A password without a user would go nowhere, and a user without one could not log in. */
export const loginFaults = (mail: ChannelRecord['mail'], { secretRef }: ChannelReferences): Fault[] =>
  mail !== null && (mail.user === null) !== (secretRef === null)
    ? [faultAt('mail.user', 'mail_login_whole')]
    : [];

/** What a new channel needs and was not given. */
export function missingFaults({ channel, format, ...input }: ChannelInput): Fault[] {
  const faults: Fault[] = [];
  if (input.url === undefined && input.url_ref === undefined)
    faults.push(faultAt('url', 'channel_address_needed'));
  if ((channel === 'sms' || format === 'email') && input.recipients === undefined)
    faults.push(faultAt('recipients', 'recipients_needed'));
  if (format === 'email' && input.mail === undefined) faults.push(faultAt('mail', 'mail_needed'));
  return faults;
}

/** What was given and is not of such a channel. */
export function formFaults(
  channel: ChannelRecord['channel'],
  format: ChannelRecord['format'],
  input: ChannelChange,
): Fault[] {
  const faults: Fault[] = [];
  if ((channel === 'sms') !== (format === 'sms_gateway'))
    faults.push(faultAt('format', channel === 'sms' ? 'sms_format' : 'chat_format'));
  for (const name of ['body_template', 'content_type'] as const) {
    if (channel !== 'sms' && input[name] !== undefined) faults.push(faultAt(name, 'sms_only'));
  }
  for (const [, name = ''] of (input.body_template ?? '').matchAll(/\{([a-z_]+)\}/g)) {
    if (!(smsPlaceholders as readonly string[]).includes(name))
      faults.push(
        faultAt('body_template', 'placeholder_unknown', {
          name: `{${name}}`,
          names: smsPlaceholders.map((one) => `{${one}}`).join(' '),
        }),
      );
  }
  return [...faults, ...recipientFaults(channel, format, input), ...mailFaults(format, input)];
}

function recipientFaults(
  channel: ChannelRecord['channel'],
  format: ChannelRecord['format'],
  { recipients }: ChannelChange,
): Fault[] {
  if (recipients === undefined) return [];
  if (channel !== 'sms' && format !== 'email') return [faultAt('recipients', 'recipients_only')];
  const [fits, code] =
    format === 'email' ? [isMailAddress, 'mail_address' as const] : [isPhone, 'telephone' as const];
  return recipients.flatMap((one, at) => (fits(one) ? [] : [faultAt(`recipients[${at}]`, code)]));
}

function mailFaults(format: ChannelRecord['format'], { url, mail }: ChannelChange): Fault[] {
  const faults: Fault[] = [];
  if (url !== undefined && !fitsFormat(format, url))
    faults.push(faultAt('url', format === 'email' ? 'address_of_mail' : 'address_of_web'));
  if (mail !== undefined && format !== 'email') faults.push(faultAt('mail', 'mail_only'));
  return faults;
}

/** Whether an address is of the kind that the format sends to. */
export const fitsFormat = (format: ChannelRecord['format'], url: string): boolean =>
  format === 'email' ? isSmtpUrl(url) : isHttpUrl(url);
