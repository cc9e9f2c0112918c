import type { Device, Episode, Occurrence } from '../record.ts';
import { closed, silenceMs } from './decide.ts';
import { alarmKey, maybeSame, speaksOf } from './identity.ts';
import type { Doubt } from './report.ts';

/** Alarms of one device that may stand at a time; the one that was heard least lately closes for another. */
const MAX_OPEN = 1_000;

/** The last report is noted in the store at most so often, ms: alarms repeat themselves twice a second. */
export const NOTED_EVERY_MS = 5_000;
/** Closed episodes are kept for what devices send again, ms. */
export const KEPT_MS = 7 * 86_400_000;

/** The newest occurrence of an alarm, in memory. */
export interface OpenEpisode {
  episode: Episode;
  /** Monotonic ms of the last report, and of the last noting in the store. */
  heardAt: number;
  notedAt: number;
  /** Puts the event of the episode into the store; null when nothing is under way. */
  storing: Promise<void> | null;
}

/** By device and alarm. */
export const idOf = ({ keyId, alarm }: Pick<Episode, 'keyId' | 'alarm'>): string => `${keyId}\0${alarm}`;

/** What is open of a device. */
export const openOf = (standing: ReadonlyMap<string, OpenEpisode>, keyId: string): OpenEpisode[] =>
  [...standing.values()].filter(({ episode }) => episode.keyId === keyId && episode.closedAt === null);

/**
 * Takes out the alarm of a device that makes room for another.
 * @returns it, closed, to be written; none while there is room
 */
export function makeRoom(standing: Map<string, OpenEpisode>, keyId: string, now: number): Episode[] {
  const own = [...standing].filter(([, { episode }]) => episode.keyId === keyId);
  if (own.length < MAX_OPEN) return [];
  const settled = own.filter(([, { episode, storing }]) => episode.pending === null && !storing);
  const [oldest] = settled.sort(([, a], [, b]) => a.heardAt - b.heardAt);
  if (!oldest) return [];
  standing.delete(oldest[0]);
  return [closed(oldest[1].episode, 'silence', now)];
}

/** Which alarm a report is of: its own, or the one heard last of those of which it tells one to last. */
export function alarmFor(
  standing: ReadonlyMap<string, OpenEpisode>,
  device: Pick<Device, 'keyId' | 'config'>,
  { identity, lasts }: Pick<Occurrence, 'identity' | 'lasts'>,
  monotonic: number,
): string {
  const own = alarmKey(identity);
  if (!lasts) return own;
  const since = monotonic - silenceMs(device);
  const meant = openOf(standing, device.keyId).filter(
    ({ episode, heardAt }) => speaksOf(own, episode.alarm) && heardAt >= since,
  );
  return meant.sort((a, b) => b.heardAt - a.heardAt)[0]?.episode.alarm ?? own;
}

/** The alarms that stand and that an end speaks of. */
export const endedBy = (standing: ReadonlyMap<string, OpenEpisode>, keyId: string, told: string): string[] =>
  openOf(standing, keyId)
    .map(({ episode }) => episode.alarm)
    .filter((alarm) => speaksOf(told, alarm));

/**
 * One that stands and that an alarm which begins may be as well. Where an alarm is repeated while it lasts,
 * one that begins again was over before.
 */
export function sameAs(
  standing: ReadonlyMap<string, OpenEpisode>,
  keyId: string,
  { alarm, repeats }: { alarm: string; repeats: boolean },
): Doubt | null {
  const like = openOf(standing, keyId).filter(
    ({ episode }) => maybeSame(alarm, episode.alarm) && !(repeats && alarm === episode.alarm),
  );
  const [last] = like.sort((a, b) => b.heardAt - a.heardAt);
  return last ? { eventId: last.episode.eventId, mark: null } : null;
}
