// Pure: who is called of an alarm, who is called next, and what becomes of it when somebody takes it.
import { isQuiet } from '../../../common/agent/alarm/decide.ts';
import type { Stamp } from '../../../common/clock.ts';
import { severities, type Severity } from '../../../common/core/event/schema.ts';
import type { Person } from '../person/record.ts';
import { everybodyIn, onDutyAt, rotaFor } from '../rota/decide.ts';
import type { Rota } from '../rota/record.ts';
import type { CallSubject, CallWrites, DutyCall, Sending, SendingReason } from './record.ts';

const MINUTE_MS = 60_000;
/** What the same camera raises of the same type within this is one call, ms. */
export const JOIN_MS = 10 * MINUTE_MS;
/** A tenant that has so many calls within that time gets no further one: what comes joins the newest. */
export const FLOOD = 10;
/** How often everybody of a rota is called. */
export const ROUNDS = 3;

export interface SeenDuty {
  people: readonly Person[];
  rotas: readonly Rota[];
  /** The groups that a site is in. */
  groupsOf: (instance: string | null) => readonly string[];
}

export const rankOf = (severity: Severity): number => severities.indexOf(severity);

/** Whether the rota is for an alarm as grave as this one. */
export function calls(rota: Rota, subject: CallSubject): boolean {
  if (subject.kind === 'event') return rankOf(subject.severity) >= rankOf(rota.from);
  // That nobody came of a rota would bring nobody of that rota either.
  if (subject.alarmKey?.startsWith('duty_') && subject.alarmKey.endsWith(`:${rota.id}`)) return false;
  return rota.alarms === 'warning' || (rota.alarms === 'critical' && subject.severity === 'critical');
}

/** Another tenant's alarm does not exist for a person, and one of the installation is the operators'. */
export const mayBeCalled = ({ tenantCode, mayTake }: Person, subject: CallSubject): boolean =>
  mayTake && (tenantCode === null || tenantCode === subject.tenantCode);

/** Whether somebody has chosen to be told of it now. */
export function wants(person: Person, subject: CallSubject, now: number): boolean {
  const { when, severities: chosen, alarms, tenants, sites, quiet } = person.choice;
  if (when !== 'always' || !mayBeCalled(person, subject) || !chosen.includes(subject.severity)) return false;
  if (subject.kind === 'alarm' && !alarms) return false;
  if (tenants !== null && !tenants.includes(subject.tenantCode ?? '')) return false;
  if (sites !== null && !sites.includes(subject.instance ?? '')) return false;
  if (quiet === null || !isQuiet(quiet, now)) return true;
  return quiet.criticalThrough && subject.severity === 'critical';
}

/** The call that it joins, so that a camera that raises the same again and again calls once. */
export function joins(open: readonly DutyCall[], subject: CallSubject, now: number): DutyCall | null {
  const recent = open
    .filter(
      ({ kind, tenantCode, lastEventAt }) =>
        kind === 'event' && tenantCode === subject.tenantCode && now - lastEventAt < JOIN_MS,
    )
    .sort((a, b) => b.createdAt - a.createdAt);
  const same = recent.find(
    ({ type, camera, instance, severity }) =>
      type === subject.type &&
      camera === subject.camera &&
      instance === subject.instance &&
      rankOf(severity) >= rankOf(subject.severity),
  );
  if (same) return same;
  return recent.filter(({ createdAt }) => now - createdAt < JOIN_MS).length >= FLOOD
    ? (recent[0] ?? null)
    : null;
}

/** The first step of a new call; null where nobody wants to know of it and nobody has to. */
export function begin(
  subject: CallSubject,
  { people, rotas, groupsOf }: SeenDuty,
  stamp: Stamp,
): CallWrites | null {
  const { now } = stamp;
  const rota = rotaFor(rotas, { ...subject, groups: groupsOf(subject.instance) }, (one) =>
    calls(one, subject),
  );
  const call: DutyCall = {
    ...subject,
    id: stamp.newId(),
    state: 'told',
    rotaId: rota?.id ?? null,
    round: 0,
    called: [],
    nextAt: null,
    events: subject.kind === 'event' ? 1 : 0,
    lastEventAt: now,
    takenBy: null,
    takenAt: null,
    createdAt: now,
  };
  const first: CallWrites = rota
    ? next({ ...call, state: 'calling', nextAt: now }, rota, people, stamp)
    : { call, sendings: [], gap: false, exhausted: false };
  const reached = new Set(first.sendings.map(({ userName }) => userName));
  const choosers = people.filter((one) => !reached.has(one.name) && wants(one, subject, now));
  const told = choosers.flatMap((one) => sendingsTo(one, call, 'choice', stamp));
  const sendings = [...first.sendings, ...told.filter(({ state }) => state === 'pending')];
  return rota === null && sendings.length === 0 ? null : { ...first, sendings };
}

/** Calls whoever is next. One who cannot be reached is noted, and the next one is called at once. */
export function next(call: DutyCall, rota: Rota, people: readonly Person[], stamp: Stamp): CallWrites {
  const { now } = stamp;
  const onDuty = onDutyAt(rota, now);
  const gap = onDuty.length === 0;
  const order = (gap ? everybodyIn(rota) : onDuty).flatMap((name) => {
    const found = people.find((one) => one.name === name);
    return found && mayBeCalled(found, call) ? [found] : [];
  });
  const sendings: Sending[] = [];
  let { round, called } = call;
  let exhausted = false;
  for (;;) {
    const person = order.find(({ name }) => !called.includes(name));
    if (person) {
      const made = sendingsTo(person, call, 'duty', stamp);
      // Whoever cannot be reached is noted once.
      sendings.push(...(round === 0 ? made : made.filter(({ state }) => state === 'pending')));
      called = [...called, person.name];
      if (!made.some(({ state }) => state === 'pending')) continue;
      const nextAt = now + rota.nextAfterMinutes * MINUTE_MS;
      return { call: { ...call, round, called, nextAt }, sendings, gap, exhausted };
    }
    exhausted = true;
    round += 1;
    if (round >= ROUNDS || !order.some(isReachable)) {
      const ended = { ...call, state: 'unanswered' as const, round, called, nextAt: null };
      return { call: ended, sendings, gap, exhausted };
    }
    called = [];
  }
}

export function isReachable({ devices, choice }: Person): boolean {
  return devices.length > 0 || choice.email !== null;
}

/** One to each device and address by the ways that were chosen; by any, where those lead nowhere. */
function sendingsTo(person: Person, call: DutyCall, reason: SendingReason, stamp: Stamp): Sending[] {
  const { devices, choice } = person;
  const push = devices.map((deviceId) => ({ way: 'push' as const, deviceId }));
  const email = choice.email === null ? [] : [{ way: 'email' as const, deviceId: null }];
  const all = [...push, ...email];
  const chosen = all.filter(({ way }) => choice.ways.includes(way));
  const ways = chosen.length > 0 ? chosen : reason === 'duty' ? all : [];
  if (ways.length > 0)
    return ways.map((way) => ({ ...sendingOf(person.name, call.id, reason, stamp), ...way }));
  const none = sendingOf(person.name, call.id, reason, stamp);
  return [{ ...none, state: 'failed', lastError: 'no_way', settledAt: stamp.now }];
}

function sendingOf(userName: string, callId: string, reason: SendingReason, stamp: Stamp): Sending {
  return {
    id: stamp.newId(),
    callId,
    userName,
    way: 'push',
    deviceId: null,
    reason,
    state: 'pending',
    attempts: 0,
    nextAt: stamp.now,
    lastError: null,
    createdAt: stamp.now,
    settledAt: null,
    shownAt: null,
    openedAt: null,
  };
}

export type Taking =
  | { kind: 'taken'; call: DutyCall; sendings: Sending[] }
  /** By somebody else, or the same person again; or the matter is over. */
  | { kind: 'before'; call: DutyCall };

/**
 * Somebody takes it: the first one has it, and the devices on which others were called are told.
 * @param sent what was sent of the call
 */
export function take(call: DutyCall, sent: readonly Sending[], by: string, stamp: Stamp): Taking {
  if (call.state === 'taken' || call.state === 'judged') return { kind: 'before', call };
  const told = new Set<string>();
  const sendings = sent.flatMap(({ way, deviceId, userName, state }) => {
    if (way !== 'push' || deviceId === null || state !== 'sent' || told.has(deviceId)) return [];
    told.add(deviceId);
    return [{ ...sendingOf(userName, call.id, 'taken', stamp), deviceId }];
  });
  const taken = { ...call, state: 'taken' as const, nextAt: null, takenBy: by, takenAt: stamp.now };
  return { kind: 'taken', call: taken, sendings };
}
