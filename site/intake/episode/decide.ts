// Whether a report of an alarm begins an occurrence, repeats one, or ends it.
import type { Device, DeviceTime, Episode, EpisodeEnd, Occurrence } from '../record.ts';

/**
 * Seconds without a repetition after which an alarm is over, where the device's configuration says nothing.
 */
export const SILENCE_S = 30;
/** A device that does not repeat an alarm and begins it again so long after, ms, has lost its end. */
const BEGUN_ANEW_MS = 10_000;
/** A device that does not repeat an alarm and tells no end of it for so long, ms, has lost the end. */
const STUCK_MS = 86_400_000;
/** A site that was away for longer, ms, does not take up the alarms that were under way. */
export const AWAY_MS = 600_000;

export type Step = 'open' | 'repeat' | 'close' | 'ignore';

/** What is known of the newest occurrence of an alarm when a report comes. */
export interface Present {
  episode: Episode;
  /** Since the last report, ms. */
  quietMs: number;
}

export const silenceMs = (device: Pick<Device, 'config'>): number =>
  (device.config.silenceSeconds ?? SILENCE_S) * 1000;

/** What a report of an alarm does that is not sent late. */
export function stepOf(
  present: Present | null,
  {
    state,
    repeats,
    unique,
    lasts,
    time,
  }: Pick<Occurrence, 'state' | 'repeats' | 'unique' | 'lasts' | 'time'>,
  silence: number,
): Step {
  const open = present !== null && present.episode.closedAt === null ? present : null;
  if (state === 'ended') return open ? 'close' : 'ignore';
  if (unique && present) return 'repeat';
  if (!open) return 'open';
  // What is told now and then while it lasts says nothing of an end that was lost.
  if (lasts && !repeats) return 'repeat';
  // A broker tells the last state again to whoever connects.
  const { deviceUntil } = open.episode;
  if (!repeats && deviceUntil !== null && time?.at === deviceUntil) return 'repeat';
  return open.quietMs > (repeats ? silence : BEGUN_ANEW_MS) ? 'open' : 'repeat';
}

/** Whether a report that the device sends again tells of an occurrence that is known. */
export function isKnownLate(episode: Episode | null, time: DeviceTime | null, silence: number): boolean {
  if (!episode || time === null || time.at === null) return false;
  const { deviceFrom, deviceUntil } = episode;
  if (deviceFrom === null) return false;
  return time.at >= deviceFrom - silence && time.at <= (deviceUntil ?? deviceFrom) + silence;
}

/** Whether an open alarm is over, because nothing was heard of it for too long. */
export const isSilent = (episode: Episode, quietMs: number, silence: number): boolean =>
  episode.closedAt === null && quietMs > (episode.repeats ? silence : Math.max(silence, STUCK_MS));

/**
 * Whether an alarm that begins is the message of one that is over, sent again: it is like that in everything,
 * and the device has told no end between the two.
 * @param before the newest occurrence of the alarm
 */
export const isSentAgain = (before: Episode, report: string): boolean =>
  before.report === report && before.endedBy !== 'device';

export function opened(
  device: Pick<Device, 'keyId'>,
  { alarm, time, repeats, report }: Pick<Episode, 'alarm' | 'report'> & Pick<Occurrence, 'time' | 'repeats'>,
  now: number,
  pending: string,
): Episode {
  const at = time?.at ?? null;
  return {
    keyId: device.keyId,
    alarm,
    openedAt: now,
    lastAt: now,
    reports: 1,
    closedAt: null,
    endedBy: null,
    deviceFrom: at,
    deviceUntil: at,
    repeats,
    report,
    pending,
    eventId: null,
  };
}

/** The episode after one more report. */
export function repeated(episode: Episode, time: DeviceTime | null, now: number): Episode {
  const at = time?.at ?? null;
  const until = at === null ? episode.deviceUntil : Math.max(at, episode.deviceUntil ?? at);
  return { ...episode, lastAt: now, reports: episode.reports + 1, deviceUntil: until };
}

export const closed = (episode: Episode, endedBy: EpisodeEnd, now: number): Episode => ({
  ...episode,
  closedAt: Math.max(Math.round(now), episode.openedAt),
  endedBy,
});
