import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { EventService } from '../../common/core/event/service.ts';
import { AppError, notFound } from '../../common/http/error.ts';
import type { Logger } from '../../common/log.ts';
import { actorOf } from './device/actor.ts';
import { ClockAlarms } from './device/clock-alarm.ts';
import { clockOffMs } from './device/clock.ts';
import { announcement, eventOf, type DeviceEvent } from './device/event.ts';
import type { DeviceState, DeviceStates } from './device/state.ts';
import { Episodes } from './episode/episodes.ts';
import type { HeldPictures, Owner } from './picture/held.ts';
import type { PictureKeeper } from './picture/keep.ts';
import type { DevicePort } from './port.ts';
import type { Device, Occurrence, Picture, Reading } from './record.ts';
import type { Source } from './source.ts';

export interface RecorderOptions {
  devices: DevicePort;
  events: EventService;
  pictures: PictureKeeper;
  held: HeldPictures;
  alarms: AlarmPort;
  states: DeviceStates;
  self: string;
  clock: Clock;
  clockSuspect: () => boolean;
  deviceOf: (keyId: string) => Device | undefined;
  log: Logger;
}

/** What became of a message. */
export interface Taken {
  /** Events that are new, alarms that stood already or events that were known, and heartbeats. */
  stored: number;
  repeated: number;
  heartbeats: number;
}

/** Fetches pictures that a device keeps. It takes a few seconds at most, and never fails. */
export type FetchPictures = (occurrence: Occurrence) => Promise<Picture[]>;

/**
 * Makes events of what devices say, through the intake of signed nodes. Invariant: when `take` has returned,
 * every alarm of the message is on the disk.
 */
export class Recorder {
  readonly episodes: Episodes;
  #events: EventService;
  #pictures: PictureKeeper;
  #held: HeldPictures;
  #states: DeviceStates;
  #clock: Clock;
  #clockAlarms: ClockAlarms;
  #log: Logger;
  #deviceOf: RecorderOptions['deviceOf'];

  constructor(options: RecorderOptions) {
    this.#events = options.events;
    this.#pictures = options.pictures;
    this.#held = options.held;
    this.#states = options.states;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#deviceOf = options.deviceOf;
    this.#clockAlarms = new ClockAlarms(options);
    this.episodes = new Episodes({
      devices: options.devices,
      clock: options.clock,
      storeEvent: (pending, keyId) => this.#storeEvent(JSON.parse(pending) as DeviceEvent, keyId),
    });
  }

  /** @throws AppError 400 when nothing of the message could be read; what the stores throw */
  async take(
    device: Device,
    source: Pick<Source, 'vendor'>,
    readings: readonly Reading[],
    fetch?: FetchPictures,
  ): Promise<Taken> {
    const state = this.#states.of(device.keyId);
    const taken: Taken = { stored: 0, repeated: 0, heartbeats: 0 };
    state.messages += 1;
    state.heardAt = this.#clock.now();
    await this.#refuseUnreadable(state, readings);
    const singles: Occurrence[] = [];
    for (const reading of readings) {
      if (reading.what === 'unreadable') continue;
      await this.#look(device, state, reading);
      if (reading.what === 'heartbeat') {
        taken.heartbeats += 1;
        if (reading.begun) await this.episodes.endAll(device.keyId);
      } else if (reading.state === 'single') singles.push(reading);
      else await this.#report(device, source, { occurrence: reading, fetch, taken });
    }
    if (singles.length > 0) await this.#takeSingles(device, source, singles, taken);
    state.heartbeats += taken.heartbeats;
    state.stored += taken.stored;
    state.repeated += taken.repeated;
    return taken;
  }

  /** Of a device that is registered no more. */
  async forget(keyId: string): Promise<void> {
    this.#states.forget(keyId);
    await this.#clockAlarms.forget(keyId);
  }

  async #refuseUnreadable(state: DeviceState, readings: readonly Reading[]): Promise<void> {
    const reasons = readings.flatMap((reading) => (reading.what === 'unreadable' ? [reading.reason] : []));
    if (reasons.length === 0 && readings.length > 0) return;
    state.unreadable += Math.max(1, reasons.length);
    const reason = reasons.slice(0, 10).join('; ') || 'there is nothing in it';
    state.refuse('unreadable', reason, this.#clock.now());
    if (reasons.length === readings.length)
      throw new AppError(400, 'unreadable', `The message cannot be read, and nothing was stored: ${reason}.`);
  }

  /** What a message tells of the device itself. */
  async #look(device: Device, state: DeviceState, reading: Exclude<Reading, { what: 'unreadable' }>) {
    if (reading.what === 'occurrence' && !reading.known) state.countUnknown(reading.rawType.slice(0, 128));
    const { time } = reading;
    if (time === null || (reading.what === 'occurrence' && (reading.late || reading.begunBefore))) return;
    state.lastTime = time;
    state.clockOffMs = clockOffMs(time, this.#clock.now());
    await this.#clockAlarms.tell(device, state.clockOffMs);
  }

  async #report(
    device: Device,
    source: Pick<Source, 'vendor'>,
    { occurrence, fetch, taken }: { occurrence: Occurrence; fetch: FetchPictures | undefined; taken: Taken },
  ): Promise<void> {
    const event = eventOf(device, source.vendor, occurrence, this.#clock.now());
    const owner = { ...device, eventKey: event.idempotency_key };
    let [pictures, file] = [occurrence.pictures, ''];
    const heldAs = async (text: DeviceEvent): Promise<string> => {
      const before = file;
      file = await this.#held.hold(owner, pictures);
      await this.#held.release(owner, before);
      return JSON.stringify(text);
    };
    const withPictures = async (): Promise<string> => {
      const fetched = (await fetch?.(occurrence)) ?? [];
      const missing = Math.max(0, occurrence.pictureUrls.length - fetched.length);
      this.#states.of(device.keyId).picturesLost += missing;
      pictures = [...pictures, ...fetched];
      return heldAs({ ...event, ...announcement(pictures) });
    };
    try {
      const { outcome, eventId } = await this.episodes.report(device, occurrence, {
        event: () => heldAs(event),
        ...(fetch && occurrence.pictureUrls.length > 0 ? { withPictures } : {}),
      });
      if (outcome === 'repeated') taken.repeated += 1;
      if (outcome !== 'stored') return;
      taken.stored += 1;
      if (eventId !== null) await this.#pictures.keepAtOnce(device, eventId, pictures);
    } catch (error) {
      if (this.episodes.awaits(device.keyId, occurrence.alarm)) {
        await this.#held.leave(owner, file, pictures.length);
        file = '';
      }
      throw error;
    } finally {
      await this.#held.release(owner, file);
    }
  }

  async #takeSingles(
    device: Device,
    source: Pick<Source, 'vendor'>,
    singles: readonly Occurrence[],
    taken: Taken,
  ): Promise<void> {
    const now = this.#clock.now();
    const events = singles.map((one) => eventOf(device, source.vendor, one, now));
    const held: { owner: Owner; file: string }[] = [];
    try {
      for (const [index, { idempotency_key }] of events.entries()) {
        const owner = { ...device, eventKey: idempotency_key };
        held.push({ owner, file: await this.#held.hold(owner, singles[index]?.pictures ?? []) });
      }
      for (const [index, { id, duplicate }] of (await this.#storeAll(device, events)).entries()) {
        taken[duplicate ? 'repeated' : 'stored'] += 1;
        await this.#pictures.keepAtOnce(device, id, singles[index]?.pictures ?? []);
      }
    } finally {
      for (const { owner, file } of held) await this.#held.release(owner, file);
    }
  }

  /** Events of one message, in their order. One that is refused costs none of the others. */
  async #storeAll(device: Device, events: readonly DeviceEvent[]): Promise<Stored[]> {
    const taken = await this.#events.take({ events }, actorOf(device)).catch(unlessRefused);
    const refused = new Set(taken?.answer.rejected.map(({ index }) => index) ?? events.keys());
    const items = [...(taken?.answer.items ?? [])];
    const stored: Stored[] = [];
    for (const [index, event] of events.entries()) {
      const item = refused.has(index) ? undefined : items.shift();
      stored.push(item ?? (await this.#store(device, event)));
    }
    return stored;
  }

  /** @returns the id of the event, also when it was known */
  async #storeEvent(event: DeviceEvent, keyId: string): Promise<number> {
    const device = this.#deviceOf(keyId);
    if (!device) throw notFound(`The device ${keyId}`);
    return (await this.#store(device, event)).id;
  }

  async #store(device: Device, event: DeviceEvent): Promise<Stored> {
    try {
      return storedIn(await this.#events.take(event, actorOf(device)));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // An alarm whose particulars intake does not take is stored without them, since few devices tell it
      // again; the refusal is shown with the device.
      const state = this.#states.of(device.keyId);
      state.unreadable += 1;
      state.refuse('unreadable', error.message, this.#clock.now());
      this.#log.error({ err: error, device: device.keyId }, 'an alarm was stored without its particulars');
      const { idempotency_key, occurred_at, severity } = event;
      const type = /^[a-z0-9_]+(\.[a-z0-9_]+)*$/.test(event.type) ? event.type : 'device.alarm';
      const bare = { idempotency_key, type, occurred_at, severity, payload: { refused: error.message } };
      return storedIn(await this.#events.take(bare, actorOf(device)));
    }
  }
}

type Stored = { id: number; duplicate: boolean };

const storedIn = ({ answer }: { answer: { items: Stored[] } }): Stored =>
  answer.items[0] ?? { id: 0, duplicate: true };

const isRefusal = (error: unknown): error is AppError => error instanceof AppError && error.status === 400;

function unlessRefused(error: unknown): null {
  if (isRefusal(error)) return null;
  throw error;
}
