// A call: an alarm that brings people, whom it was brought to, and who took it. Pure data.
import type { Severity } from '../../../common/core/event/schema.ts';
import type { CallWay } from '../person/record.ts';

/**
 * `calling`: the next one is called in time. `told`: no rota is for it, those who chose so were told.
 * `taken`: by a person. `judged`: each of its events has a verdict, or the alarm is over. `unanswered`:
 * everybody was called as often as is done.
 */
export const callStates = ['calling', 'told', 'taken', 'judged', 'unanswered'] as const;
export type CallState = (typeof callStates)[number];

/** What a call is about, as messages say it. */
export interface CallSubject {
  kind: 'event' | 'alarm';
  /** The first event of the call; null: an alarm. */
  eventId: number | null;
  /** Of an alarm. */
  alarmKey: string | null;
  /** Where it arose; null: headquarters. */
  instance: string | null;
  tenantCode: string | null;
  severity: Severity;
  /** Type of the event; null: an alarm. */
  type: string | null;
  /** Both languages where it has them. */
  title: string | null;
  titleZh: string | null;
  camera: string | null;
  place: string | null;
  /** Epoch ms; when it occurred, or else came. */
  at: number;
}

export interface DutyCall extends CallSubject {
  id: string;
  state: CallState;
  /** The rota that it goes by; null: none. */
  rotaId: string | null;
  /** How often everybody was called. */
  round: number;
  /** Called in this round. */
  called: string[];
  /** When the next one is called, epoch ms; null: nobody is. */
  nextAt: number | null;
  /** Events of it. */
  events: number;
  lastEventAt: number;
  takenBy: string | null;
  takenAt: number | null;
  createdAt: number;
}

/** `pending`: to be sent, or sent again. `cancelled`: it was taken over before. */
export const sendingStates = ['pending', 'sent', 'failed', 'cancelled'] as const;
export type SendingState = (typeof sendingStates)[number];

/** `duty`: on a rota; `choice`: by their own choice; `taken`: that somebody has taken it. */
export type SendingReason = 'duty' | 'choice' | 'taken';

/** One message to one device or address of a person. */
export interface Sending {
  id: string;
  callId: string;
  userName: string;
  way: CallWay;
  /** null: e-mail, or a person who cannot be reached. */
  deviceId: string | null;
  reason: SendingReason;
  state: SendingState;
  attempts: number;
  nextAt: number;
  lastError: string | null;
  createdAt: number;
  /** When the service took it, or it was given up. */
  settledAt: number | null;
  /** When the device showed it, as it says. */
  shownAt: number | null;
  /** When the person opened it. */
  openedAt: number | null;
}

/** A call as it is from now on, and what is sent of it. */
export interface CallWrites {
  call: DutyCall;
  sendings: Sending[];
  /** Nobody is on duty by this rota, and everybody whom it names is called. */
  gap: boolean;
  /** Everybody was called, and nobody has taken over. */
  exhausted: boolean;
}
