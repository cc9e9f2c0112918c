import { type Clock, stampOf } from '../../../common/clock.ts';
import { alarmText, readAlarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmPort, AlarmRecord, RaiseAlarm } from '../../../common/core/alarm/port.ts';
import { keepStanding } from '../../../common/core/alarm/standing.ts';
import type { CameraBook, CameraNames } from '../../../common/core/camera/record.ts';
import { readDoc } from '../../../common/core/event/record.ts';
import { severities } from '../../../common/core/event/schema.ts';
import { takeEach } from '../../../common/core/left-out/row-by-row.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import type { Catalogue } from '../../../common/message.ts';
import { dutyAlarmMessages } from '../duty-messages.ts';
import type { CallableEvent, DutyStore } from '../port.ts';
import { onDutyAt } from '../rota/decide.ts';
import { OPERATORS, type Rota } from '../rota/record.ts';
import { begin, JOIN_MS, joins, next, rankOf, type SeenDuty } from './decide.ts';
import type { CallSubject, CallWrites, DutyCall } from './record.ts';
import { headOf } from './text.ts';

const INTERVAL_MS = 1_000;
const AT_ONCE = 200;
const MOST_ALARMS = 1_000;
/** How often gaps and old calls are looked for, monotonic ms. */
const CARE_MS = 30_000;
const ALARMS_KEPT_MS = 90 * 86_400_000;

export interface CallerOptions {
  store: DutyStore;
  alarms: AlarmPort;
  /** Sentences of the alarms of this program. */
  messages: Catalogue;
  /** What people call cameras. */
  cameras: CameraNames;
  /** Which groups each site is in, as it stands now. */
  groupsOf: () => Promise<SeenDuty['groupsOf']>;
  onSendings: () => void;
  clock: Clock;
  log: Logger;
  instance: string;
}

/**
 * Calls people: looks through what has come for whom to call, and calls the next one where nobody has taken
 * over. Any number of processes do it side by side: of two that look at the same, one writes.
 */
export class Caller {
  readonly loop: Loop;
  readonly counts = { begun: 0, steps: 0, unanswered: 0 };
  readonly #options: CallerOptions;
  #caredAt: number | null = null;

  constructor(options: CallerOptions) {
    this.#options = options;
    const { clock, log } = options;
    this.loop = new Loop({
      name: 'calls',
      interval: INTERVAL_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  async round(signal: AbortSignal): Promise<RoundResult> {
    const { store, clock } = this.#options;
    const rotas = await store.rotas.list(null);
    const [people, groupsOf] = await Promise.all([store.persons.people(), this.#options.groupsOf()]);
    const seen: SeenDuty = { rotas, people, groupsOf };
    const again = await this.#events(seen);
    await this.#alarms(seen);
    const due = await store.calls.due(clock.now(), AT_ONCE);
    await takeEach(due, async (call) => {
      if (!signal.aborted) await this.#step(call, seen);
    });
    await this.#care(rotas);
    return { again: (again || due.length === AT_ONCE) && !signal.aborted };
  }

  async #events(seen: SeenDuty): Promise<boolean> {
    const { store, clock } = this.#options;
    const wanted = wantedSeverities(seen);
    const looked = await store.calls.callable(wanted, AT_ONCE);
    if (looked.through === looked.cursor) return false;
    const stamp = stampOf(clock);
    const cameras = await this.#options.cameras();
    const open = looked.events.length === 0 ? [] : await store.calls.open(stamp.now - JOIN_MS);
    const calls: CallWrites[] = [];
    const joined: { callId: string; eventId: number }[] = [];
    for (const event of looked.events) {
      const subject = subjectOf(event, cameras);
      const call = joins(open, subject, stamp.now);
      if (call) joined.push({ callId: call.id, eventId: event.id });
      const begun = call ? null : begin(subject, seen, stamp);
      if (!begun) continue;
      calls.push(begun);
      open.push(begun.call);
    }
    if (!(await store.calls.begun(looked, { calls, joined }, stamp.now))) return false;
    await this.#begun(calls, seen);
    return looked.events.length === AT_ONCE;
  }

  async #begun(calls: readonly CallWrites[], seen: SeenDuty): Promise<void> {
    this.counts.begun += calls.length;
    if (calls.some(({ sendings }) => sendings.length > 0)) this.#options.onSendings();
    for (const one of calls) if (one.exhausted) await this.#tellUnanswered(one.call, seen);
  }

  /** Those that nobody has taken care of yet; and what is over calls nobody any more. */
  async #alarms(seen: SeenDuty): Promise<void> {
    const { store, alarms, clock } = this.#options;
    const standing = await alarms.list({ tenantCode: null, includeCleared: false }, MOST_ALARMS, 'worst');
    const names = new Set(standing.filter(({ takenAt }) => takenAt === null).map(alarmId));
    const called = await store.calls.alarmCalls();
    const over = called.filter(
      ({ instance, alarmKey, at }) =>
        standing.length < MOST_ALARMS && !names.has(`${instance}\n${alarmKey}\n${at}`),
    );
    await store.calls.over(
      over.map(({ id }) => id),
      false,
      clock.now(),
    );
    const known = new Set(called.map(({ instance, alarmKey, at }) => `${instance}\n${alarmKey}\n${at}`));
    const fresh = standing.filter((one) => one.takenAt === null && !known.has(alarmId(one)));
    const stamp = stampOf(clock);
    const begun = (await store.calls.alarmsWithout(fresh)).flatMap(
      (alarm) => begin(this.#subjectOfAlarm(alarm), seen, stamp) ?? [],
    );
    if (begun.length > 0 && (await store.calls.alarmsBegun(begun)) > 0) await this.#begun(begun, seen);
  }

  async #step(call: DutyCall, seen: SeenDuty): Promise<void> {
    const { store, clock, onSendings } = this.#options;
    const rota = seen.rotas.find(({ id }) => id === call.rotaId);
    const stamp = stampOf(clock);
    const ended = { ...call, state: 'told' as const, nextAt: null };
    // A rota that was removed or turned off calls nobody.
    const step = rota?.enabled
      ? next(call, rota, seen.people, stamp)
      : { call: ended, sendings: [], gap: false, exhausted: false };
    if (!(await store.calls.stepped(call, step))) return;
    this.counts.steps += 1;
    if (step.sendings.length > 0) onSendings();
    if (step.exhausted) await this.#tellUnanswered(step.call, seen);
  }

  async #tellUnanswered(call: DutyCall, { rotas }: SeenDuty): Promise<void> {
    const rota = rotas.find(({ id }) => id === call.rotaId);
    if (!rota) return;
    this.counts.unanswered += 1;
    const params = { ...namesOf(rota), what: headOf(call, 'en') };
    await this.#options.alarms.raise(
      {
        ...this.#alarmOf(`duty_unanswered:${rota.id}`),
        ...alarmText(dutyAlarmMessages, { code: 'duty_unanswered', params }, { callId: call.id }),
      },
      this.#options.clock.now(),
    );
  }

  /** Alarms of who is on duty are the operators': a tenant's own rota would not bring anybody. */
  #alarmOf(key: string): Pick<RaiseAlarm, 'key' | 'instance' | 'tenantCode' | 'severity' | 'shared'> {
    const { instance } = this.#options;
    return { key, instance, tenantCode: null, severity: 'critical', shared: true };
  }

  async #care(rotas: readonly Rota[]): Promise<void> {
    const { store, alarms, clock } = this.#options;
    if (this.#caredAt !== null && clock.monotonic() - this.#caredAt < CARE_MS) return;
    this.#caredAt = clock.monotonic();
    const now = clock.now();
    const gaps = rotas.filter((rota) => rota.enabled && onDutyAt(rota, now).length === 0);
    const found = gaps.map((rota) => ({
      ...this.#alarmOf(`duty_gap:${rota.id}`),
      ...alarmText(dutyAlarmMessages, { code: 'duty_gap', params: namesOf(rota) }),
    }));
    await keepStanding(alarms, { prefix: 'duty_gap:', instance: null, most: MOST_ALARMS }, found, now);
    await store.calls.over([], true, now);
    await this.#settleUnanswered(now);
    await store.calls.forgetAlarms(now - ALARMS_KEPT_MS, AT_ONCE);
  }

  /** It is over when no call of the rota goes unanswered any more. */
  async #settleUnanswered(now: number): Promise<void> {
    const { store, alarms } = this.#options;
    const filter = { tenantCode: null, includeCleared: false, keys: ['duty_unanswered:'] };
    const told = await alarms.list(filter, MOST_ALARMS);
    if (told.length === 0) return;
    const waiting = new Set(await store.calls.waitingRotas());
    for (const { key } of told)
      if (!waiting.has(key.slice('duty_unanswered:'.length))) await alarms.clear(key, null, now);
  }

  #subjectOfAlarm(alarm: AlarmRecord): CallSubject {
    return {
      kind: 'alarm',
      eventId: null,
      alarmKey: alarm.key,
      instance: alarm.instance,
      tenantCode: alarm.tenantCode,
      severity: alarm.severity === 'critical' ? 'critical' : 'high',
      type: null,
      title: alarm.message,
      titleZh: readAlarmText(this.#options.messages, alarm.details).messageZh,
      camera: null,
      place: null,
      at: alarm.raisedAt,
    };
  }
}

const alarmId = ({ instance, key, raisedAt }: AlarmRecord): string => `${instance}\n${key}\n${raisedAt}`;

const namesOf = ({ name, tenantCode }: Rota) => ({
  rota: name,
  tenant: tenantCode === OPERATORS ? { code: 'of_operators', params: {} } : tenantCode,
});

/** Those that any rota or anybody wants. */
function wantedSeverities({ rotas, people }: SeenDuty) {
  return severities.filter(
    (severity) =>
      rotas.some(({ enabled, from }) => enabled && rankOf(from) <= rankOf(severity)) ||
      people.some(
        ({ choice, devices }) =>
          choice.severities.includes(severity) && (devices.length > 0 || choice.email !== null),
      ),
  );
}

/** What a call says of an event. */
export function subjectOf(event: CallableEvent, cameras: CameraBook): CallSubject {
  const doc = readDoc(event);
  const { tenantCode, instance } = event;
  const cameraRef = doc.cameraRef ?? null;
  return {
    kind: 'event',
    eventId: event.id,
    alarmKey: null,
    instance: event.instance,
    tenantCode: event.tenantCode,
    severity: event.severity ?? 'medium',
    type: event.type,
    title: doc.title ?? null,
    titleZh: null,
    camera: cameras.called({ tenantCode, instance, cameraRef }) ?? doc.cameraName ?? cameraRef,
    place: doc.siteRef ?? null,
    at: event.occurredAt ?? event.receivedAt,
  };
}
