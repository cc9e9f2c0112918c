// What each person chooses to be called for, and the devices that they are called on. Pure data.
import type { Severity } from '../../../common/core/event/schema.ts';
import type { Language } from '../../../common/message.ts';

/** `always`: for what fits the choice; `on_duty`: only where a rota calls them. */
export const callTimes = ['always', 'on_duty'] as const;
export const callWays = ['push', 'email'] as const;
export type CallWay = (typeof callWays)[number];

/** Hours of each day in which nobody is called but who is on duty. */
export interface Quiet {
  /** As HH:MM, by the clock of the zone; an end before the begin is on the next day. */
  begin: string;
  end: string;
  zone: string;
  /** Critical ones call nonetheless. */
  criticalThrough: boolean;
}

export interface CallChoice {
  when: (typeof callTimes)[number];
  severities: Severity[];
  /** Operational alarms too. */
  alarms: boolean;
  /** null: all that the person may see. */
  tenants: string[] | null;
  /** Names of sites; null: all. */
  sites: string[] | null;
  quiet: Quiet | null;
  language: Language;
  ways: CallWay[];
  /** Address for e-mail; null: none. */
  email: string | null;
}

/** What holds for somebody who has chosen nothing. */
export const STANDARD_CHOICE: CallChoice = {
  when: 'always',
  severities: ['high', 'critical'],
  alarms: false,
  tenants: null,
  sites: null,
  quiet: null,
  language: 'zh',
  ways: ['push', 'email'],
  email: null,
};

/** A browser on a device that takes push messages for a user. */
export interface PushDevice {
  id: string;
  userName: string;
  /** Lowercase hex SHA-256 of the address, which is the secret of whoever may write to the device. */
  endpointHash: string;
  /** Host of the push service. */
  host: string;
  /** Address and keys, sealed. */
  sealed: string;
  /** What the browser calls itself. */
  label: string;
  createdAt: number;
  /** When the push service last took a message; null: not yet. */
  lastSentAt: number | null;
  /** What it last answered where that was no yes; null: it took the last message. */
  lastError: string | null;
}

/** Somebody who may be called. */
export interface Person {
  name: string;
  /** The tenant that they are limited to; null: none. */
  tenantCode: string | null;
  /** Whether they may see events, and judge what is to be taken over. */
  mayTake: boolean;
  choice: CallChoice;
  devices: string[];
  /** Where their browser finds the console, for links; null: it has never said so. */
  consoleUrl: string | null;
}
