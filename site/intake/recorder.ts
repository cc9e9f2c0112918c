import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { eventKey, type EventPort } from '../../common/core/event/port.ts';
import type { EventService, SeverityOf } from '../../common/core/event/service.ts';
import { AppError, notFound } from '../../common/http/error.ts';
import type { Logger } from '../../common/log.ts';
import { clockOffMs } from './device/clock.ts';
import { ClockAlarms } from './device/clock-alarm.ts';
import { announcement, type DeviceEvent, eventOf, ranked, withDoubt, withLost } from './device/event.ts';
import { DeviceIntake } from './device/intake.ts';
import type { DeviceState, DeviceStates } from './device/state.ts';
import type { Source } from './driver.ts';
import { Episodes } from './episode/episodes.ts';
import { laneOf } from './episode/identity.ts';
import type { Doubt } from './episode/report.ts';
import { Turns } from './episode/turns.ts';
import type { HeldPictures, Owner } from './picture/held.ts';
import type { PictureKeeper } from './picture/keep.ts';
import { limitedFetch } from './picture/limited.ts';
import type { DevicePort } from './port.ts';
import type { Device, FetchPictures, Occurrence, Reading } from './record.ts';

export interface RecorderOptions {
  devices: DevicePort;
  events: EventService;
  /** Those that are stored. */
  kept: Pick<EventPort, 'byKeys'>;
  pictures: PictureKeeper;
  held: HeldPictures;
  alarms: AlarmPort;
  states: DeviceStates;
  self: string;
  clock: Clock;
  clockSuspect: () => boolean;
  deviceOf: (keyId: string) => Device | undefined;
  /** How grave an alarm of a type is, where neither the device nor its settings say. */
  severityOf: SeverityOf;
  log: Logger;
}

/** What became of a message. */
export interface Taken {
  /** Events that are new, and alarms that stood already or events that were known. */
  stored: number;
  repeated: number;
  /** Ends of alarms, which are no events of their own. */
  ended: number;
  heartbeats: number;
}

/**
 * Makes events of what devices say, through the intake of signed nodes. Invariant: when `take` has returned,
 * every alarm of the message is on the disk.
 */
export class Recorder {
  readonly episodes: Episodes;
  #intake: DeviceIntake;
  readonly #options: RecorderOptions;
  #clockAlarms: ClockAlarms;

  constructor(options: RecorderOptions) {
    this.#intake = new DeviceIntake(options);
    this.#options = options;
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
    const state = this.#options.states.of(device.keyId);
    const taken: Taken = { stored: 0, repeated: 0, ended: 0, heartbeats: 0 };
    state.messages += 1;
    state.heardAt = this.#options.clock.now();
    await this.#refuseUnreadable(state, readings);
    const singles: Occurrence[] = [];
    const reports: Occurrence[] = [];
    for (const reading of readings) {
      if (reading.what === 'unreadable') continue;
      await this.#look(device, state, reading);
      if (reading.what === 'heartbeat') {
        taken.heartbeats += 1;
        if (reading.begun) await this.episodes.endAll(device.keyId);
      } else if (reading.state === 'single') singles.push(reading);
      else reports.push(reading);
    }
    await this.#takeReports(device, source, { reports, fetch, taken });
    if (singles.length > 0) await this.#takeSingles(device, source, singles, taken);
    state.heartbeats += taken.heartbeats;
    state.stored += taken.stored;
    state.repeated += taken.repeated;
    state.ended += taken.ended;
    state.take(singles.length + reports.length > 0);
    return taken;
  }

  /** Of a device that is registered no more. */
  async forget(keyId: string): Promise<void> {
    this.#options.states.forget(keyId);
    await this.#clockAlarms.forget(keyId);
  }

  async #refuseUnreadable(state: DeviceState, readings: readonly Reading[]): Promise<void> {
    const reasons = readings.flatMap((reading) => (reading.what === 'unreadable' ? [reading.reason] : []));
    if (reasons.length === 0 && readings.length > 0) return;
    state.unreadable += Math.max(1, reasons.length);
    const reason = reasons.slice(0, 10).join('; ') || 'there is nothing in it';
    state.refuse('unreadable', reason, this.#options.clock.now());
    if (reasons.length === readings.length)
      throw new AppError(400, 'unreadable', `The message cannot be read, and nothing was stored: ${reason}.`);
  }

  /** What a message tells of the device itself. */
  async #look(device: Device, state: DeviceState, reading: Exclude<Reading, { what: 'unreadable' }>) {
    if (reading.what === 'occurrence' && !reading.known) state.countUnknown(reading.rawType.slice(0, 128));
    const { time } = reading;
    if (time === null || (reading.what === 'occurrence' && (reading.late || reading.begunBefore))) return;
    state.lastTime = time;
    state.clockOffMs = clockOffMs(time, this.#options.clock.now());
    await this.#clockAlarms.tell(device, state.clockOffMs);
  }

  /**
   * Those of one kind of alarm in their order, of several kinds at once: a picture that is slow to come keeps
   * no other alarm waiting.
   */
  async #takeReports(
    device: Device,
    source: Pick<Source, 'vendor'>,
    { reports, fetch, taken }: { reports: Occurrence[]; fetch: FetchPictures | undefined; taken: Taken },
  ): Promise<void> {
    const limited = fetch && limitedFetch(fetch, this.#options.clock);
    const turns = new Turns();
    const settled = await Promise.allSettled(
      reports.map((occurrence) =>
        turns.take(laneOf(occurrence.identity), () =>
          this.#report(device, source, { occurrence, fetch: limited, taken }),
        ),
      ),
    );
    for (const one of settled) if (one.status === 'rejected') throw one.reason;
  }

  async #report(
    device: Device,
    source: Pick<Source, 'vendor'>,
    { occurrence, fetch, taken }: { occurrence: Occurrence; fetch: FetchPictures | undefined; taken: Taken },
  ): Promise<void> {
    const event = this.#eventOf(device, source.vendor, occurrence, this.#options.clock.now());
    let owner = { ...device, eventKey: event.idempotency_key };
    let [pictures, file, lost] = [occurrence.pictures, '', occurrence.picturesLost ?? 0];
    const heldAs = async (text: DeviceEvent): Promise<string> => {
      const before = { owner, file };
      owner = { ...device, eventKey: text.idempotency_key };
      file = await this.#options.held.hold(owner, pictures);
      await this.#options.held.release(before.owner, before.file);
      return JSON.stringify(text);
    };
    const inDoubt = (doubt: Doubt | null): DeviceEvent => (doubt === null ? event : withDoubt(event, doubt));
    const withPictures = async (doubt: Doubt | null): Promise<string> => {
      const fetched = (await fetch?.(occurrence)) ?? [];
      const missing = Math.max(0, occurrence.pictureUrls.length - fetched.length);
      lost += missing;
      pictures = [...pictures, ...fetched];
      return heldAs({ ...withLost(inDoubt(doubt), lost), ...announcement(pictures) });
    };
    try {
      const { outcome, eventId } = await this.episodes.report(device, occurrence, {
        known: () => this.#idOf(device, event.idempotency_key),
        event: (doubt) => {
          if (doubt) this.#options.states.of(device.keyId).doubtful += 1;
          return heldAs(inDoubt(doubt));
        },
        ...(fetch && occurrence.pictureUrls.length > 0 ? { withPictures } : {}),
      });
      if (outcome !== 'stored') taken[outcome] += 1;
      if (outcome !== 'stored') return;
      taken.stored += 1;
      this.#options.states.of(device.keyId).picturesLost += lost;
      if (eventId !== null) await this.#options.pictures.keepAtOnce(device, eventId, pictures);
    } catch (error) {
      if (this.episodes.awaits(device.keyId, occurrence.identity)) {
        await this.#options.held.leave(owner, file, pictures.length);
        file = '';
      }
      throw error;
    } finally {
      await this.#options.held.release(owner, file);
    }
  }

  async #takeSingles(
    device: Device,
    source: Pick<Source, 'vendor'>,
    singles: readonly Occurrence[],
    taken: Taken,
  ): Promise<void> {
    const now = this.#options.clock.now();
    const events = singles.map((one) => this.#eventOf(device, source.vendor, one, now));
    const held: { owner: Owner; file: string }[] = [];
    try {
      for (const [index, { idempotency_key }] of events.entries()) {
        const owner = { ...device, eventKey: idempotency_key };
        held.push({ owner, file: await this.#options.held.hold(owner, singles[index]?.pictures ?? []) });
      }
      for (const [index, { id, duplicate }] of (await this.#intake.storeAll(device, events)).entries()) {
        taken[duplicate ? 'repeated' : 'stored'] += 1;
        if (!duplicate)
          this.#options.states.of(device.keyId).picturesLost += singles[index]?.picturesLost ?? 0;
        await this.#options.pictures.keepAtOnce(device, id, singles[index]?.pictures ?? []);
      }
    } finally {
      for (const { owner, file } of held) await this.#options.held.release(owner, file);
    }
  }

  /** The event of a key; null: there is none. */
  async #idOf({ tenantCode }: Device, idempotencyKey: string): Promise<number | null> {
    const found = await this.#options.kept.byKeys([{ tenantCode, idempotencyKey }]);
    return found.get(eventKey(tenantCode, idempotencyKey))?.id ?? null;
  }

  #eventOf(device: Device, vendor: string, occurrence: Occurrence, now: number): DeviceEvent {
    return ranked(eventOf(device, vendor, occurrence, now), device, this.#options.severityOf);
  }

  /** @returns the id of the event, also when it was known */
  async #storeEvent(event: DeviceEvent, keyId: string): Promise<number> {
    const device = this.#options.deviceOf(keyId);
    if (!device) throw notFound(`The device ${keyId}`);
    return (await this.#intake.store(device, event)).id;
  }
}
