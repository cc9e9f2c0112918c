// Pure: what a message looks like on the wire of each channel, and whether an answer says that it was taken.
import { createHmac } from 'node:crypto';
import type { NotificationRecord } from '../../core/notification/record.ts';
import { transportMessages } from '../../http/outbound/transport-messages.ts';
import { signedHeaders } from '../../http/signing/signature.ts';
import { fillKnown, type Language, type MessageOf, say } from '../../message.ts';
import { formatTime } from '../../time.ts';
import { agentMessages } from '../agent-messages.ts';
import { cutFor } from './decide.ts';
import type { ChannelRecord } from './record.ts';

/** Why a channel did not take a message. */
export type ChannelFault = MessageOf<typeof agentMessages>;

export const channelFaultIn = (fault: ChannelFault, language: Language): string =>
  say({ ...transportMessages, ...agentMessages }, fault, language);

export interface Envelope {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The secrets of a channel in clear. */
export interface OpenChannel {
  url: string;
  secret: string | null;
}

/** What goes by HTTP. */
export type WebFormat = Exclude<ChannelRecord['format'], 'email'>;

const STANDARD_SMS_BODY = '{"phones":{phones_json},"text":"{text}","id":"{id}"}';
/** What a template of an SMS request may name. */
export const smsPlaceholders = ['phones', 'phones_json', 'text', 'id', 'tenant', 'severity_code'] as const;

/** @param now epoch milliseconds */
export function envelopeOf(
  channel: ChannelRecord & { format: WebFormat },
  open: OpenChannel,
  notification: NotificationRecord,
  now: number,
): Envelope {
  const headers = { 'content-type': 'application/json', 'idempotency-key': notification.id };
  const text = cutFor(channel.format, notification.message);
  switch (channel.format) {
    case 'wecom':
      return { url: open.url, headers, body: JSON.stringify({ msgtype: 'text', text: { content: text } }) };
    case 'dingtalk':
      return {
        url: dingtalkUrl(open, now),
        headers,
        body: JSON.stringify({ msgtype: 'text', text: { content: text } }),
      };
    case 'feishu':
      return {
        url: open.url,
        headers,
        body: JSON.stringify({ ...feishuSignature(open, now), msg_type: 'text', content: { text } }),
      };
    case 'webhook':
      return signedWebhook(channel, open, { headers, body: webhookBody(notification) }, now);
    case 'sms_gateway':
      return smsRequest(channel, open, notification, headers);
  }
}

/** DingTalk, "custom robot": base64 of HMAC-SHA256 with the secret over `<ms>\n<secret>`, in the query. */
function dingtalkUrl({ url, secret }: OpenChannel, now: number): string {
  if (secret === null) return url;
  const signed = new URL(url);
  signed.searchParams.set('timestamp', String(now));
  signed.searchParams.set('sign', createHmac('sha256', secret).update(`${now}\n${secret}`).digest('base64'));
  return signed.href;
}

/**
 * Feishu, "custom bot": base64 of HMAC-SHA256 of nothing, with `<seconds>\n<secret>` as the key, in the body.
 */
function feishuSignature({ secret }: OpenChannel, now: number): object {
  if (secret === null) return {};
  const timestamp = String(Math.floor(now / 1000));
  return { timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).digest('base64') };
}

function webhookBody({
  id,
  tenantCode,
  kind,
  eventId,
  taskId,
  ruleName,
  severity,
  message,
  isTest,
  instance,
  createdAt,
}: NotificationRecord): string {
  return JSON.stringify({
    id,
    tenantCode,
    kind,
    eventId,
    taskId,
    ruleName,
    severity,
    message,
    isTest,
    instance,
    createdAt: formatTime(createdAt),
  });
}

/** The one signature mechanism of the system; the key id is that of the channel. */
function signedWebhook(
  channel: ChannelRecord,
  { url, secret }: OpenChannel,
  { headers, body }: Omit<Envelope, 'url'>,
  now: number,
): Envelope {
  if (secret === null) return { url, headers, body };
  const { pathname, search } = new URL(url);
  return {
    url,
    headers: {
      ...headers,
      ...signedHeaders({ keyId: channel.id, secret }, now, 'POST', pathname + search, body),
    },
    body,
  };
}

function smsRequest(
  { recipients, bodyTemplate, contentType }: ChannelRecord,
  { url, secret }: OpenChannel,
  notification: NotificationRecord,
  headers: Record<string, string>,
): Envelope {
  const type = contentType ?? 'application/json';
  const inPlace = type.startsWith('application/x-www-form-urlencoded')
    ? encodeURIComponent
    : (text: string) => JSON.stringify(text).slice(1, -1);
  const values: Record<(typeof smsPlaceholders)[number], string> = {
    phones: inPlace(recipients.join(',')),
    phones_json: JSON.stringify(recipients),
    text: inPlace(cutFor('sms_gateway', notification.message)),
    id: inPlace(notification.id),
    tenant: inPlace(notification.tenantCode),
    severity_code: notification.severity,
  };
  const body = fillKnown(bodyTemplate ?? STANDARD_SMS_BODY, values);
  return {
    url,
    headers: {
      ...headers,
      'content-type': type,
      ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
    },
    body,
  };
}

/**
 * @returns why it was not taken; null when it was. Robots answer 200 and say in the body that they refused.
 */
export function refusalOf(format: WebFormat, status: number, body: Buffer): ChannelFault | null {
  if (status < 200 || status >= 300) return { code: 'channel_answered', params: { status } };
  const member = { wecom: 'errcode', dingtalk: 'errcode', feishu: 'code', webhook: null, sms_gateway: null }[
    format
  ];
  if (member === null) return null;
  const answer = readAnswer(body);
  const code = answer?.[member] ?? (format === 'feishu' ? answer?.StatusCode : undefined);
  if (code === 0) return null;
  return typeof code === 'number'
    ? { code: 'channel_robot_answered', params: { member, value: code } }
    : { code: 'channel_robot_unknown', params: { member } };
}

function readAnswer(body: Buffer): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null;
  } catch {
    // Not JSON: told as an unknown code.
    return null;
  }
}
