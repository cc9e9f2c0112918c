import type { ChannelName } from '../../core/notification/record.ts';
import type { AlarmTaking } from '../alarm/record.ts';

/** How a message is put on the wire: three robots, a signed webhook, e-mail, an SMS gateway. */
export const channelFormats = ['wecom', 'dingtalk', 'feishu', 'webhook', 'email', 'sms_gateway'] as const;
export type ChannelFormat = (typeof channelFormats)[number];

/** Of a channel that sends e-mail. */
export interface MailSettings {
  /** Address of the sender. */
  from: string;
  /** Who logs in at the server, with the channel's secret; null: nobody does. */
  user: string | null;
}

/**
 * A configured way out, of one tenant or of the operators (`OPERATORS`). Address and secret are references
 * that `SecretResolver` opens for its host alone: the address of a robot holds its token.
 */
export interface ChannelRecord {
  id: string;
  tenantCode: string;
  /** Unique within the tenant. */
  name: string;
  channel: Exclude<ChannelName, 'inbox'>;
  format: ChannelFormat;
  urlRef: string;
  /** Host of the address, as `hostOf` writes it; what the references are bound to. */
  urlHost: string;
  secretRef: string | null;
  /** Telephone numbers for SMS, addresses for e-mail. */
  recipients: string[];
  /** Body of the SMS request; null: the standard one. */
  bodyTemplate: string | null;
  contentType: string | null;
  /** null: it sends none. */
  mail: MailSettings | null;
  enabled: boolean;
  /** Which alarms of the installation it takes; null: none. */
  alarms: AlarmTaking | null;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
}

/** What a decision needs to know of a channel. */
export type ChannelSummary = Pick<ChannelRecord, 'id' | 'channel'>;
