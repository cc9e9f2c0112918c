import { type Clock, stampOf } from '../../../common/clock.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import type { CameraNames } from '../../../common/core/camera/record.ts';
import type { EventPort } from '../../../common/core/event/port.ts';
import { AppError, conflict, notFound } from '../../../common/http/error.ts';
import type { DutyStore, SentOf, TakeOutcome } from '../port.ts';
import { subjectOf } from './caller.ts';
import { mayBeCalled } from './decide.ts';
import { type CallLinks, LINK_MS } from './link.ts';
import type { DutyCall } from './record.ts';

export interface CallServiceOptions {
  store: DutyStore;
  events: Pick<EventPort, 'get'>;
  /** What people call cameras. */
  cameras: CameraNames;
  alarms: Pick<AlarmPort, 'take'>;
  links: CallLinks;
  onSendings: () => void;
  clock: Clock;
}

/** Who took what over. */
export class CallService {
  readonly #options: CallServiceOptions;

  constructor(options: CallServiceOptions) {
    this.#options = options;
  }

  /** By event; what the caller may not see is not there. @param bound its tenant; null: every one */
  async ofEvents(eventIds: readonly number[], bound: string | null): Promise<Map<number, DutyCall>> {
    const found = await this.#options.store.calls.ofEvents(eventIds);
    return new Map([...found].filter(([, call]) => bound === null || call.tenantCode === bound));
  }

  /** @throws AppError 404, 409 call_over */
  async takeEvent(eventId: number, bound: string | null, by: string, actor: string): Promise<TakeOutcome> {
    const { store, events, cameras, clock } = this.#options;
    const event = await events.get(eventId);
    if (!event || (bound !== null && event.tenantCode !== bound)) throw notFound(`Event ${eventId}`);
    const stamp = stampOf(clock);
    const fresh: DutyCall = {
      ...subjectOf(event, await cameras()),
      ...{ id: stamp.newId(), state: 'told', rotaId: null, round: 0, called: [], nextAt: null, events: 1 },
      ...{ lastEventAt: stamp.now, takenBy: null, takenAt: null, createdAt: stamp.now },
    };
    return this.#settled(await store.calls.takeEvent(fresh, by, actor, stamp), by);
  }

  /** What a link is about. @throws AppError 404 call_link_invalid */
  async look(token: string): Promise<SentOf> {
    const { store, links, clock } = this.#options;
    const id = links.read(token);
    const sent = id === null ? null : await store.calls.sending(id);
    if (!sent || clock.now() - sent.createdAt > LINK_MS) throw invalid();
    // Whoever was disabled, or may see it no more, holds a link to nothing.
    const person = await store.persons.person(sent.userName);
    if (!person || !mayBeCalled(person, sent.call)) throw invalid();
    return sent;
  }

  /** @throws AppError 404 call_link_invalid, 409 call_over */
  async takeByLink(token: string, ip: string): Promise<{ outcome: TakeOutcome; userName: string }> {
    const sent = await this.look(token);
    const { store, clock } = this.#options;
    const stamp = stampOf(clock);
    await store.calls.seen(sent.id, true, stamp.now);
    const { userName } = sent;
    const actor = `user:${userName} by link from ${ip || 'local socket'}`;
    const taken = await store.calls.take(sent.callId, userName, actor, stamp);
    return { outcome: await this.#settled(taken, userName), userName };
  }

  /** @throws AppError 404 call_link_invalid */
  async seen(token: string, opened: boolean): Promise<void> {
    const { id } = await this.look(token);
    await this.#options.store.calls.seen(id, opened, this.#options.clock.now());
  }

  async #settled(outcome: TakeOutcome, by: string): Promise<TakeOutcome> {
    if (outcome.kind === 'no_call') throw notFound('The call');
    if (outcome.kind === 'before' && outcome.call.state !== 'taken')
      throw conflict('call_over', 'It was judged, or is over: there is nothing to take over.');
    const { alarms, clock, onSendings } = this.#options;
    const { alarmKey, instance } = outcome.call;
    if (outcome.kind === 'taken') {
      if (alarmKey !== null && instance !== null) await alarms.take(alarmKey, instance, by, clock.now());
      onSendings();
    }
    return outcome;
  }
}

const invalid = (): AppError => new AppError(404, 'call_link_invalid', 'The link is not valid, or too old.');
