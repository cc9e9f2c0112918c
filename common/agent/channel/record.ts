import type { ChannelName } from '../../core/notification/record.ts';
import type { AlarmTaking } from '../alarm/record.ts';

/** How a message is put on the wire: three robots, a signed webhook, an SMS gateway. */
export const channelFormats = ['wecom', 'dingtalk', 'feishu', 'webhook', 'sms_gateway'] as const;
export type ChannelFormat = (typeof channelFormats)[number];

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
  /** Telephone numbers, for SMS. */
  recipients: string[];
  /** Body of the SMS request; null: the standard one. */
  bodyTemplate: string | null;
  contentType: string | null;
  enabled: boolean;
  /** Which alarms of the installation it takes; null: none. */
  alarms: AlarmTaking | null;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
}

/** What a decision needs to know of a channel. */
export type ChannelSummary = Pick<ChannelRecord, 'id' | 'channel'>;
