// Who is on duty: a pattern of the week, and what is otherwise at times. Pure data.
import type { Severity } from '../../../common/core/event/schema.ts';

/** The tenant of rotas of the operators: no tenant has this code. */
export const OPERATORS = '';

/** A shift of some days of the week, by the clock of the rota's zone. */
export interface Shift {
  /** 1 is Monday, 7 is Sunday: the days on which it begins. */
  days: number[];
  /** As HH:MM. An end that is not after the begin is on the next day. */
  begin: string;
  end: string;
  /** Users: the first is called first, each further one when nobody before has taken over. */
  people: string[];
  /** The first of one week is the last of the next, and everybody else moves up. */
  weekly: boolean;
}

/** A time in which it is otherwise: a swap, a holiday. */
export interface Exception {
  /** As YYYY-MM-DDTHH:MM, by the clock of the rota's zone; `to` is not in it. */
  from: string;
  to: string;
  /** Who is away; null: everybody whom the week names. */
  away: string | null;
  /** Who stands in; null: nobody, the next is called first. */
  instead: string | null;
}

export interface Rota {
  id: string;
  /** `OPERATORS`, or the tenant whose alarms it is for. */
  tenantCode: string;
  /** Unique within the tenant. */
  name: string;
  /** Names of sites; null: every one, unless it names groups. */
  sites: string[] | null;
  /** Groups of sites; it is for those that are in one of them at the moment, too. */
  siteGroups: string[];
  /** The least severity of an event that calls somebody. */
  from: Severity;
  /** Operational alarms that call somebody. */
  alarms: 'none' | 'critical' | 'warning';
  /** IANA name of the time zone of all its times. */
  zone: string;
  /** A Monday, as YYYY-MM-DD: the week in which weekly shifts are as they are written. */
  firstWeek: string;
  shifts: Shift[];
  exceptions: Exception[];
  /** Nobody has taken over for so long: the next one is called. */
  nextAfterMinutes: number;
  enabled: boolean;
  createdAt: number;
  updatedAt: number;
}

/** A stretch of time in which the same people are called in the same order. Epoch ms, `to` is not in it. */
export interface Span {
  from: number;
  to: number;
  /** In the order in which they are called; nobody: a gap. */
  people: string[];
}
