import type { Severity } from '../event/schema.ts';

/** Ways of a notification (spec 3, Action, `channels`). */
export const channelNames = ['inbox', 'chat', 'sms'] as const;
export type ChannelName = (typeof channelNames)[number];

/**
 * `task`: an event was decided on; `escalation`: its task was not taken over in time; `refusal`: a site did
 * not carry out what headquarters decided or ordered; `alarm`: of the installation itself.
 */
export const notificationKinds = ['task', 'escalation', 'refusal', 'alarm'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** `failed` is the end: every try failed, or there is nothing to send it through. */
export const notificationStates = ['pending', 'sent', 'failed'] as const;
export type NotificationState = (typeof notificationStates)[number];

/**
 * How far a site has come in handing a message to headquarters. `waiting`: headquarters was not told;
 * `offered`: it may have it; `late`: the same, and it is too late to hand it up again: headquarters is only
 * asked what became of it; `taken`: it said that it has it, and delivers it.
 */
export const handovers = ['waiting', 'offered', 'late', 'taken'] as const;
export type Handover = (typeof handovers)[number];

/** One message through one way. Times are epoch milliseconds. */
export interface NotificationRecord {
  /** The same on each try; receivers know a repetition by it. */
  id: string;
  /** Order of writing. */
  seq: number;
  tenantCode: string;
  eventId: number | null;
  taskId: number | null;
  kind: NotificationKind;
  channel: ChannelName;
  /** The configured channel that it goes through; null for the inbox, and where none was configured. */
  channelId: string | null;
  /** At a site: headquarters is to deliver it by its channels; null: it does not go that way. */
  handover: Handover | null;
  /** Names of the channels of headquarters that took it; null: none has. */
  deliveredBy: string | null;
  /** At headquarters: the site that handed it up, and its id there; null: it was made here. */
  instance: string | null;
  originId: string | null;
  ruleName: string | null;
  severity: Severity;
  message: string;
  isTest: boolean;
  state: NotificationState;
  attempts: number;
  nextAt: number;
  lastError: string | null;
  createdAt: number;
  settledAt: number | null;
}

/** As a decision makes it; the store numbers it. */
export type NewNotification = Omit<NotificationRecord, 'seq'>;

export interface NotificationFilter {
  /** null: every tenant (operator). */
  tenantCode: string | null;
  channel?: ChannelName;
  state?: NotificationState;
  kind?: NotificationKind;
  eventId?: number;
  taskId?: number;
  includeTest: boolean;
}
