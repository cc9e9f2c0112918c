import type { Clock } from '../../../common/clock.ts';
import type { DevicePort } from '../port.ts';
import type { Device, Episode, Occurrence } from '../record.ts';
import { AWAY_MS, closed, isKnownLate, isSilent, opened, repeated, silenceMs, stepOf } from './decide.ts';
import { idFor, KEPT_MS, makeRoom, NOTED_EVERY_MS, openOf, type Standing } from './standing.ts';
import { ENDED, REPEATED, type Making, type Reported, type StoreEvent } from './report.ts';
import { Turns } from './turns.ts';

export interface EpisodesOptions {
  devices: DevicePort;
  clock: Clock;
  storeEvent: StoreEvent;
}

/**
 * The alarms that stand, in memory and in the store. Invariants: an episode is in the store before its event
 * is, so that no restart makes a second event of it; `report` returns only when the event is stored.
 */
export class Episodes {
  #devices: DevicePort;
  #clock: Clock;
  #storeEvent: StoreEvent;
  #standing = new Map<string, Standing>();
  #turns = new Turns();
  #loaded: Promise<void> | null = null;

  constructor({ devices, clock, storeEvent }: EpisodesOptions) {
    this.#devices = devices;
    this.#clock = clock;
    this.#storeEvent = storeEvent;
  }

  /** Takes up what stood when the process ended. Time that the site was away is no silence of a device. */
  load(): Promise<void> {
    return (this.#loaded ??= this.#load().catch((error: unknown) => {
      this.#loaded = null;
      throw error;
    }));
  }

  async #load(): Promise<void> {
    const now = this.#clock.now();
    for (const episode of await this.#devices.unsettled()) {
      const away = now - episode.lastAt > AWAY_MS && episode.closedAt === null;
      this.#standing.set(idOf(episode), this.#heard(away ? closed(episode, 'restart', now) : episode));
    }
  }

  /** @throws what the stores throw; the report is then to come again */
  async report(device: Device, occurrence: Occurrence, making: Making): Promise<Reported> {
    await this.load();
    const id = idFor(this.#standing, device, occurrence, this.#clock.monotonic());
    // One after the other, so that two that tell of one occurrence make one event.
    if (occurrence.unique)
      return this.#turns.take(id, () => this.#reportUnique(id, device, occurrence, making));
    if (occurrence.late && occurrence.state !== 'ended')
      return this.#turns.take(id, () => this.#reportLate(device, occurrence, making));
    return this.#reportNow(id, device, occurrence, making);
  }

  /** What is told once, then only more of it. One whose beginning was missed begins with its end. */
  async #reportUnique(id: string, device: Device, occurrence: Occurrence, making: Making): Promise<Reported> {
    const ended = occurrence.state === 'ended';
    if (this.#standing.has(id)) return this.#reportNow(id, device, occurrence, making);
    if (await this.#devices.episode(device.keyId, occurrence.alarm)) return ended ? ENDED : REPEATED;
    const stored = await this.#reportNow(id, device, { ...occurrence, state: 'active' }, making);
    if (ended) await this.#reportNow(id, device, occurrence, making);
    return stored;
  }

  async #reportNow(id: string, device: Device, occurrence: Occurrence, making: Making): Promise<Reported> {
    const standing = this.#standing.get(id);
    const step = stepOf(standing ? this.#present(standing) : null, occurrence, silenceMs(device));
    if (step === 'ignore') return ENDED;
    if (standing && step !== 'open') {
      this.#note(standing, occurrence);
      await this.#settle(standing);
      if (step === 'repeat') await this.#keepNoted(standing);
      else await this.#close(standing);
      return step === 'repeat' ? REPEATED : ENDED;
    }
    // An event before it that is not stored yet goes first; meanwhile another report may begin.
    if (standing && standing.episode.pending !== null) {
      await this.#settle(standing);
      return this.#reportNow(id, device, occurrence, making);
    }
    return { outcome: 'stored', eventId: await this.#open(id, device, occurrence, making) };
  }

  /** Ends what stands of a device that began anew, and so tells no end of it. */
  async endAll(keyId: string): Promise<void> {
    await this.load();
    for (const standing of openOf(this.#standing, keyId))
      await this.#settle(standing).then(() => this.#close(standing));
  }

  /** Ends what fell silent, tries again what is not stored, and forgets what is long over. */
  async sweep(deviceOf: (keyId: string) => Device | undefined): Promise<void> {
    await this.load();
    const over: [string, Standing][] = [];
    const failed: unknown[] = [];
    for (const [id, standing] of [...this.#standing]) {
      const device = deviceOf(standing.episode.keyId);
      if (!device) {
        this.#standing.delete(id);
        continue;
      }
      try {
        await this.#settle(standing);
      } catch (error) {
        // One that cannot be stored now keeps no other from its end.
        failed.push(error);
        continue;
      }
      const { quietMs } = this.#present(standing);
      if (isSilent(standing.episode, quietMs, silenceMs(device)))
        standing.episode = closed(standing.episode, 'silence', this.#clock.now() - quietMs);
      if (standing.episode.closedAt !== null) over.push([id, standing]);
    }
    await this.#putAway(over);
    if (failed.length > 0) throw new AggregateError(failed, 'an alarm could not be stored yet');
  }

  /** Writes what is over. An alarm that has begun anew meanwhile is left as it is, here and in the store. */
  async #putAway(over: readonly [string, Standing][]): Promise<void> {
    const still = over.filter(([id, standing]) => this.#standing.get(id) === standing);
    if (still.length === 0) return;
    await this.#devices.save(still.map(([, { episode }]) => episode));
    for (const [id, standing] of still) this.#drop(id, standing);
  }

  #drop(id: string, standing: Standing): void {
    if (this.#standing.get(id) === standing) this.#standing.delete(id);
  }

  prune(): Promise<void> {
    return this.#devices.prune(this.#clock.now() - KEPT_MS);
  }

  /** Whether an event of an alarm is in the store of episodes, and still to be stored itself. */
  awaits(keyId: string, alarm: string): boolean {
    return [alarm, `${alarm}|late`].some((one) => this.#standing.get(`${keyId}\0${one}`)?.episode.pending);
  }

  /** How many alarms stand now. */
  get open(): number {
    return this.#standing.size;
  }

  async #open(id: string, device: Device, occurrence: Occurrence, making: Making): Promise<number | null> {
    const standing = this.#heard(opened(device, occurrence, this.#clock.now(), ''));
    const over = makeRoom(this.#standing, device.keyId, this.#clock.now());
    this.#standing.set(id, standing);
    standing.storing = this.#begin(standing, making, over).finally(() => (standing.storing = null));
    try {
      await standing.storing;
      return standing.episode.eventId;
    } catch (error) {
      // What is in the store is tried again; what never came there begins with the next report.
      if (!standing.episode.pending) this.#drop(id, standing);
      throw error;
    }
  }

  /** @param over what made room for it; one that has begun anew meanwhile has a row of its own */
  async #begin(standing: Standing, { event, withPictures }: Making, over: Episode[]): Promise<void> {
    const pending = await event();
    const still = over.filter((episode) => !this.#standing.has(idOf(episode)));
    await this.#devices.save([...still, { ...standing.episode, pending }]);
    standing.episode = { ...standing.episode, pending };
    if (withPictures) standing.episode = { ...standing.episode, pending: await withPictures() };
    await this.#store(standing);
  }

  async #reportLate(device: Device, occurrence: Occurrence, { event }: Making): Promise<Reported> {
    const silence = occurrence.repeats ? silenceMs(device) : 0;
    const lateAlarm = `${occurrence.alarm}|late`;
    const standing = this.#standing.get(`${device.keyId}\0${occurrence.alarm}`);
    const live = standing?.episode ?? (await this.#devices.episode(device.keyId, occurrence.alarm));
    if (isKnownLate(live, occurrence.time, silence)) return REPEATED;
    const unsettled = this.#standing.get(`${device.keyId}\0${lateAlarm}`);
    if (unsettled) await this.#settle(unsettled);
    const before = await this.#devices.episode(device.keyId, lateAlarm);
    const now = this.#clock.now();
    if (before && isKnownLate(before, occurrence.time, silence)) {
      const longer = repeated(before, occurrence.time, now);
      if (longer.deviceUntil !== before.deviceUntil) await this.#devices.save([longer]);
      return REPEATED;
    }
    const late = closed(
      opened(device, { ...occurrence, alarm: lateAlarm }, now, await event()),
      'single',
      now,
    );
    await this.#devices.save([late]);
    const own = this.#heard(late);
    this.#standing.set(idOf(late), own);
    await this.#settle(own);
    this.#drop(idOf(late), own);
    return { outcome: 'stored', eventId: own.episode.eventId };
  }

  /** Waits for the event of an episode, or tries to store it again. */
  async #settle(standing: Standing): Promise<void> {
    if (standing.storing) return standing.storing;
    if (standing.episode.pending === null) return;
    standing.storing = this.#store(standing).finally(() => (standing.storing = null));
    await standing.storing;
  }

  async #store(standing: Standing): Promise<void> {
    const { pending, keyId } = standing.episode;
    if (pending === null) return;
    const eventId = await this.#storeEvent(pending, keyId);
    standing.episode = { ...standing.episode, pending: null, eventId };
    await this.#devices.save([standing.episode]);
  }

  #note(standing: Standing, { time }: Occurrence): void {
    standing.episode = repeated(standing.episode, time, this.#clock.now());
    standing.heardAt = this.#clock.monotonic();
  }

  async #keepNoted(standing: Standing): Promise<void> {
    const now = this.#clock.monotonic();
    if (now - standing.notedAt < NOTED_EVERY_MS || !this.#stands(standing)) return;
    standing.notedAt = now;
    await this.#devices.save([standing.episode]);
  }

  async #close(standing: Standing): Promise<void> {
    if (!this.#stands(standing)) return;
    standing.episode = closed(standing.episode, 'device', this.#clock.now());
    await this.#devices.save([standing.episode]);
    this.#drop(idOf(standing.episode), standing);
  }

  /** false: while this was waited for, the alarm has begun anew, and its row in the store is that one's. */
  #stands = (standing: Standing): boolean => this.#standing.get(idOf(standing.episode)) === standing;

  #heard(episode: Episode): Standing {
    const now = this.#clock.monotonic();
    return { episode, heardAt: now, notedAt: now, storing: null };
  }

  #present = ({ episode, heardAt }: Standing) => ({ episode, quietMs: this.#clock.monotonic() - heardAt });
}

const idOf = ({ keyId, alarm }: Episode): string => `${keyId}\0${alarm}`;
