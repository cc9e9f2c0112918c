import type { Stamp } from '../../common/clock.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import type { Severity } from '../../common/core/event/schema.ts';
import type { TimelineCalls } from '../../common/core/timeline/port.ts';
import type { CallWrites, DutyCall, Sending } from './call/record.ts';
import type { CallChoice, Person, PushDevice } from './person/record.ts';
import type { Rota } from './rota/record.ts';

/** Rotas. Changes are audited on `rota:<id>` as `rota.created`, `rota.changed`, `rota.removed`. */
export interface RotaPort {
  /** By name. @param tenantCode null: every tenant's, and the operators' */
  list(tenantCode: string | null): Promise<Rota[]>;
  get(id: string): Promise<Rota | null>;
  /** @returns false where another of the tenant has the name */
  create(rota: Rota, actor: string, stamp: Stamp): Promise<boolean>;
  /**
   * Replaces the row of this id. @param priorAt when it was last changed, as far as the caller knows
   * @returns `changed` where it was changed since
   */
  change(
    rota: Rota,
    priorAt: number,
    actor: string,
    stamp: Stamp,
  ): Promise<'saved' | 'name_taken' | 'changed'>;
  remove(id: string, actor: string, stamp: Stamp): Promise<Rota | null>;
}

/** What people chose, and their devices. */
export interface PersonPort {
  /** Everybody who may log in. */
  people(): Promise<Person[]>;
  /** null: nobody of that name may log in. */
  person(name: string): Promise<Person | null>;
  choose(name: string, choice: CallChoice, consoleUrl: string | null, now: number): Promise<void>;
  /** Newest first. */
  devices(userName: string): Promise<PushDevice[]>;
  device(id: string): Promise<PushDevice | null>;
  /**
   * One of the same address takes the place of the one before, whoever's it was: a browser is used by one
   * person at a time. The oldest of a user who has too many goes. Audited as `push_device.added`.
   */
  addDevice(device: PushDevice, most: number, actor: string): Promise<void>;
  /** Audited as `push_device.removed`. @returns false where the user has none of that id */
  removeDevice(id: string, userName: string, actor: string, stamp: Stamp): Promise<boolean>;
  /** The push service knows it no more. */
  dropDevice(id: string): Promise<void>;
  /** @param error null: the service took a message */
  deviceTried(id: string, error: string | null, now: number): Promise<void>;
}

/** An event with all that a call says of it. */
export type CallableEvent = Pick<
  EventRecord,
  'id' | 'tenantCode' | 'type' | 'severity' | 'occurredAt' | 'receivedAt' | 'instance' | 'doc'
>;

/** Events behind the cursor that may call somebody. `through`: up to where they were looked through. */
export interface CallableEvents {
  cursor: number;
  through: number;
  events: CallableEvent[];
}

/** What a look at events comes to: calls that begin, and events that join one. */
export interface Begun {
  calls: CallWrites[];
  joined: { callId: string; eventId: number }[];
}

export interface SentOf extends Sending {
  call: DutyCall;
}

export interface Settled {
  id: string;
  /** null: taken; otherwise why not. */
  error: string | null;
  /** When it is tried again, epoch ms; null: no more. */
  nextAt: number | null;
}

export type TakeOutcome =
  { kind: 'taken'; call: DutyCall } | { kind: 'before'; call: DutyCall } | { kind: 'no_call' };

/** Calls. Each method is one transaction. */
export interface CallPort {
  /** Alerts that are no tests, of these severities, in the order in which they came. */
  callable(severities: readonly Severity[], limit: number): Promise<CallableEvents>;
  /** Of events that came within this time; and every one that still calls. */
  open(since: number): Promise<DutyCall[]>;
  /**
   * Writes what a look came to and moves the cursor, both or nothing. False: another process has looked.
   */
  begun(looked: { cursor: number; through: number }, begun: Begun, now: number): Promise<boolean>;
  /** Begins calls of alarms; one that there is stays. @returns how many there were not */
  alarmsBegun(calls: readonly CallWrites[]): Promise<number>;
  /** Of these alarms, by instance, key and time, those that have no call. */
  alarmsWithout<A extends { instance: string; key: string; raisedAt: number }>(
    alarms: readonly A[],
  ): Promise<A[]>;
  /** Calls of alarms that are not over. */
  alarmCalls(): Promise<DutyCall[]>;
  /** Whose next one is to be called. */
  due(now: number, limit: number): Promise<DutyCall[]>;
  /** Writes a step. False: another process has done it, or somebody took it. */
  stepped(before: DutyCall, step: CallWrites): Promise<boolean>;
  /**
   * Ends calls whose event was judged, and these. @param all also those that call nobody any more, which are
   * many more; otherwise only those that still call @returns how many
   */
  over(callIds: readonly string[], all: boolean, now: number): Promise<number>;
  /** Rotas of which a call was brought to everybody once at least, and is neither taken nor over. */
  waitingRotas(): Promise<string[]>;
  get(id: string): Promise<DutyCall | null>;
  /** By the id of the event. */
  ofEvents(eventIds: readonly number[]): Promise<Map<number, DutyCall>>;
  /** Oldest first. */
  sendings(callId: string, limit: number): Promise<Sending[]>;
  sending(id: string): Promise<SentOf | null>;
  /** Audited as `call.taken`. */
  take(callId: string, by: string, actor: string, stamp: Stamp): Promise<TakeOutcome>;
  /** A call that somebody took before anybody was called; one that there is is taken. */
  takeEvent(call: DutyCall, by: string, actor: string, stamp: Stamp): Promise<TakeOutcome>;
  /** Rows that are due, which come again after the lease. */
  claim(now: number, leaseMs: number, limit: number): Promise<SentOf[]>;
  settle(settled: Settled, now: number): Promise<void>;
  /** The device showed it, or the person opened it: the first time of each counts. */
  seen(sendingId: string, opened: boolean, now: number): Promise<void>;
  /** Deletes what is kept of deleted events. @returns calls */
  forgetEvents(eventIds: readonly number[]): Promise<number>;
  /** Deletes calls of alarms that began before. @returns calls */
  forgetAlarms(before: number, limit: number): Promise<number>;
}

export interface DutyStore {
  rotas: RotaPort;
  persons: PersonPort;
  calls: CallPort;
  timeline: TimelineCalls;
}
