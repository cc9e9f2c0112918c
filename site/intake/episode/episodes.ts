import type { AlarmIdentity, Device, Episode, Occurrence } from '../record.ts';
import {
  AWAY_MS,
  closed,
  isKnownLate,
  isSentAgain,
  isSilent,
  opened,
  repeated,
  silenceMs,
  stepOf,
} from './decide.ts';
import { alarmKey, reportDigest } from './identity.ts';
import { Keeping, type KeepingOptions } from './keeping.ts';
import { type Doubt, ENDED, type Making, REPEATED, type Reported } from './report.ts';
import { alarmFor, endedBy, idOf, KEPT_MS, makeRoom, type OpenEpisode, openOf, sameAs } from './standing.ts';
import { Turns } from './turns.ts';

/**
 * The alarms that stand, in memory and in the store. Invariants: an episode is in the store before its event
 * is, so that no restart makes a second event of it; `report` returns only when the event is stored.
 */
export class Episodes {
  readonly #options: KeepingOptions;
  #keeping: Keeping;
  #turns = new Turns();
  #loaded: Promise<void> | null = null;

  constructor(options: KeepingOptions) {
    this.#options = options;
    this.#keeping = new Keeping(options);
  }

  /** Takes up what stood when the process ended. Time that the site was away is no silence of a device. */
  load(): Promise<void> {
    return (this.#loaded ??= this.#load().catch((error: unknown) => {
      this.#loaded = null;
      throw error;
    }));
  }

  async #load(): Promise<void> {
    const now = this.#options.clock.now();
    for (const episode of await this.#options.devices.unsettled()) {
      const away = now - episode.lastAt > AWAY_MS && episode.closedAt === null;
      const own = this.#keeping.heard(away ? closed(episode, 'restart', now) : episode);
      this.#keeping.standing.set(idOf(episode), own);
    }
  }

  /** @throws what the stores throw; the report is then to come again */
  async report(device: Device, occurrence: Occurrence, making: Making): Promise<Reported> {
    await this.load();
    const alarm = alarmFor(this.#keeping.standing, device, occurrence, this.#options.clock.monotonic());
    const report: Report = { ...occurrence, alarm };
    const turn = idOf({ keyId: device.keyId, alarm });
    // One after the other, so that two that tell of one occurrence make one event.
    if (occurrence.unique) return this.#turns.take(turn, () => this.#reportUnique(device, report, making));
    if (occurrence.state === 'ended') return this.#end(device, report, making);
    if (occurrence.late) return this.#turns.take(turn, () => this.#reportLate(device, report, making));
    return this.#reportNow(device, report, making);
  }

  /** Ends what an end speaks of: one alarm, or all of a kind where it does not say which. */
  async #end(device: Device, report: Report, making: Making): Promise<Reported> {
    const meant = endedBy(this.#keeping.standing, device.keyId, report.alarm);
    await Promise.all(meant.map((alarm) => this.#reportNow(device, { ...report, alarm }, making)));
    if (meant.length > 0 || !report.tellsBeginning) return ENDED;
    const turn = idOf({ keyId: device.keyId, alarm: report.alarm });
    return this.#turns.take(turn, () => this.#beginWithEnd(device, report, making));
  }

  /** An alarm whose beginning was missed, unless it is over since a moment and the end is told again. */
  async #beginWithEnd(device: Device, report: Report, making: Making): Promise<Reported> {
    const before = await this.#options.devices.episode(device.keyId, report.alarm);
    const since = this.#options.clock.now() - silenceMs(device);
    if ((before?.closedAt ?? -Infinity) > since) return ENDED;
    const stored = await this.#reportNow(device, { ...report, state: 'active' }, making);
    await this.#reportNow(device, report, making);
    return stored;
  }

  /** What is told once, then only more of it. One whose beginning was missed begins with its end. */
  async #reportUnique(device: Device, report: Report, making: Making): Promise<Reported> {
    const ended = report.state === 'ended';
    const { keyId } = device;
    if (this.#keeping.standing.has(idOf({ ...report, keyId })))
      return this.#reportNow(device, report, making);
    if (await this.#options.devices.episode(keyId, report.alarm)) return ended ? ENDED : REPEATED;
    const stored = await this.#reportNow(device, { ...report, state: 'active' }, making);
    if (ended) await this.#reportNow(device, report, making);
    return stored;
  }

  async #reportNow(device: Device, report: Report, making: Making): Promise<Reported> {
    const standing = this.#keeping.standing.get(idOf({ ...report, keyId: device.keyId }));
    const step = stepOf(standing ? this.#keeping.present(standing) : null, report, silenceMs(device));
    if (step === 'ignore') return ENDED;
    if (standing && step !== 'open') {
      this.#keeping.note(standing, report);
      await this.#keeping.settle(standing);
      if (step === 'repeat') await this.#keeping.keepNoted(standing);
      else await this.#keeping.close(standing);
      return step === 'repeat' ? REPEATED : ENDED;
    }
    // An event before it that is not stored yet goes first; meanwhile another report may begin.
    if (standing && standing.episode.pending !== null) {
      await this.#keeping.settle(standing);
      return this.#reportNow(device, report, making);
    }
    return this.#open(device, report, making);
  }

  /** Ends what stands of a device that began anew, and so tells no end of it. */
  async endAll(keyId: string): Promise<void> {
    await this.load();
    for (const standing of openOf(this.#keeping.standing, keyId))
      await this.#keeping.settle(standing).then(() => this.#keeping.close(standing));
  }

  /** Ends what fell silent, tries again what is not stored, and forgets what is long over. */
  async sweep(deviceOf: (keyId: string) => Device | undefined): Promise<void> {
    await this.load();
    const over: [string, OpenEpisode][] = [];
    const failed: unknown[] = [];
    for (const [id, standing] of [...this.#keeping.standing]) {
      const device = deviceOf(standing.episode.keyId);
      if (!device) {
        this.#keeping.standing.delete(id);
        continue;
      }
      try {
        await this.#keeping.settle(standing);
      } catch (error) {
        // One that cannot be stored now keeps no other from its end.
        failed.push(error);
        continue;
      }
      const { quietMs } = this.#keeping.present(standing);
      if (isSilent(standing.episode, quietMs, silenceMs(device)))
        standing.episode = closed(standing.episode, 'silence', this.#options.clock.now() - quietMs);
      if (standing.episode.closedAt !== null) over.push([id, standing]);
    }
    await this.#keeping.putAway(over);
    if (failed.length > 0) throw new AggregateError(failed, 'an alarm could not be stored yet');
  }

  prune(): Promise<void> {
    return this.#options.devices.prune(this.#options.clock.now() - KEPT_MS);
  }

  /** Whether an event of an alarm is in the store of episodes, and still to be stored itself. */
  awaits(keyId: string, identity: AlarmIdentity): boolean {
    const alarm = alarmKey(identity);
    return [alarm, `${alarm}|late`].some(
      (one) => this.#keeping.standing.get(`${keyId}\0${one}`)?.episode.pending,
    );
  }

  /** How many alarms stand now. */
  get open(): number {
    return this.#keeping.standing.size;
  }

  async #open(device: Device, report: Report, making: Making): Promise<Reported> {
    const id = idOf({ ...report, keyId: device.keyId });
    const doubt = report.unique ? null : sameAs(this.#keeping.standing, device.keyId, report);
    const [now, digest] = [this.#options.clock.now(), reportDigest(report)];
    const standing = this.#keeping.heard(opened(device, { ...report, report: digest }, now, ''));
    const over = makeRoom(this.#keeping.standing, device.keyId, now);
    const last = this.#keeping.standing.get(id);
    this.#keeping.standing.set(id, standing);
    let sentAgain = false;
    standing.storing = this.#doubtOf(standing, report, { ...making, doubt })
      .then((found) => {
        if (found !== SENT_AGAIN) return this.#begin(standing, { ...making, doubt: found }, over);
        sentAgain = true;
        this.#keeping.putBack(standing, last);
        return over.length > 0 ? this.#options.devices.save(over) : undefined;
      })
      .finally(() => (standing.storing = null));
    try {
      await standing.storing;
      return sentAgain ? REPEATED : { outcome: 'stored', eventId: standing.episode.eventId };
    } catch (error) {
      // What is in the store is tried again; what never came there begins with the next report.
      if (!standing.episode.pending) this.#keeping.drop(id, standing);
      throw error;
    }
  }

  /**
   * Clocks of devices tell seconds, and alarms may begin twice within one: both are events, unless the second
   * message is the first one again.
   */
  async #doubtOf(
    { episode: { keyId, alarm, report } }: OpenEpisode,
    { unique }: Report,
    { known, doubt }: Making & { doubt: Doubt | null },
  ): Promise<Doubt | null | typeof SENT_AGAIN> {
    const before = unique ? null : await this.#options.devices.episode(keyId, alarm);
    const eventId = before && (await known());
    if (before === null || eventId === null) return doubt;
    return isSentAgain(before, report) ? SENT_AGAIN : { eventId, mark: this.#options.clock.newId() };
  }

  /** @param over what made room for it; one that has begun anew meanwhile has a row of its own */
  async #begin(
    standing: OpenEpisode,
    { event, withPictures, doubt }: Making & { doubt: Doubt | null },
    over: Episode[],
  ): Promise<void> {
    const pending = await event(doubt);
    const still = over.filter((episode) => !this.#keeping.standing.has(idOf(episode)));
    await this.#options.devices.save([...still, { ...standing.episode, pending }]);
    standing.episode = { ...standing.episode, pending };
    if (withPictures) standing.episode = { ...standing.episode, pending: await withPictures(doubt) };
    await this.#keeping.store(standing);
  }

  async #reportLate({ keyId, ...device }: Device, report: Report, { event }: Making): Promise<Reported> {
    const silence = report.repeats ? silenceMs(device) : 0;
    const lateAlarm = `${report.alarm}|late`;
    const standing = this.#keeping.standing.get(idOf({ ...report, keyId }));
    const live = standing?.episode ?? (await this.#options.devices.episode(keyId, report.alarm));
    if (isKnownLate(live, report.time, silence)) return REPEATED;
    const unsettled = this.#keeping.standing.get(idOf({ keyId, alarm: lateAlarm }));
    if (unsettled) await this.#keeping.settle(unsettled);
    const before = await this.#options.devices.episode(keyId, lateAlarm);
    const now = this.#options.clock.now();
    if (before && isKnownLate(before, report.time, silence)) {
      const longer = repeated(before, report.time, now);
      if (longer.deviceUntil !== before.deviceUntil) await this.#options.devices.save([longer]);
      return REPEATED;
    }
    const pending = await event(null);
    const told = { ...report, alarm: lateAlarm, report: reportDigest(report) };
    const late = closed(opened({ keyId }, told, now, pending), 'single', now);
    await this.#options.devices.save([late]);
    const own = this.#keeping.heard(late);
    this.#keeping.standing.set(idOf(late), own);
    await this.#keeping.settle(own);
    this.#keeping.drop(idOf(late), own);
    return { outcome: 'stored', eventId: own.episode.eventId };
  }
}

const SENT_AGAIN = 'sent again';

/** What a device tells of an alarm, under the name of that. */
type Report = Occurrence & { alarm: string };
