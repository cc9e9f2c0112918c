// Which operational alarms a channel takes, as its form has them. Pure.
import type { Channel } from './queries.ts';

/** What the form asks: severity from which on, how often again, and when nothing is told. */
export interface TakingFields {
  /** Operational alarms from this severity on. */
  alarms?: 'none' | 'warning' | 'critical';
  repeatMinutes?: number;
  /** Whether there are hours in which nothing is told. */
  quiet?: boolean;
  begin?: string;
  end?: string;
  zone?: string;
  criticalThrough?: boolean;
}

/** As headquarters does it by itself. */
const REPEAT_MINUTES = 30;

/** What the form begins with. @param ownZone of this browser */
export function fieldsOf(channel: Channel | undefined, ownZone: string): TakingFields {
  const { from = 'none', repeatMinutes = REPEAT_MINUTES, quiet = null } = channel?.alarms ?? {};
  const hours = quiet ?? { begin: '22:00', end: '07:00', zone: ownZone, criticalThrough: true };
  return { alarms: from, repeatMinutes, quiet: quiet !== null, ...hours };
}

/** As it is sent; null: the channel takes none. */
function inputOf(fields: TakingFields) {
  const { alarms: from = 'none', repeatMinutes = REPEAT_MINUTES, quiet = false } = fields;
  if (from === 'none') return null;
  const { begin = '', end = '', zone = '', criticalThrough = true } = fields;
  const taking = { from, repeat_minutes: repeatMinutes };
  return quiet ? { ...taking, quiet: { begin, end, zone, critical_through: criticalThrough } } : taking;
}

/** What was changed of it: nothing where it is as it was, so that it stays what others made of it. */
export function takingOf(fields: TakingFields, present: Channel | undefined) {
  const [next, before] = [inputOf(fields), inputOf(fieldsOf(present, fields.zone ?? ''))];
  return JSON.stringify(next) === JSON.stringify(before) ? {} : { alarms: next };
}
