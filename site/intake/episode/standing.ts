import type { Device, Episode, Occurrence } from '../record.ts';
import { closed, silenceMs } from './decide.ts';

/** Alarms of one device that may stand at a time; the one that was heard least lately closes for another. */
const MAX_OPEN = 1_000;

/** The last report is noted in the store at most so often, ms: alarms repeat themselves twice a second. */
export const NOTED_EVERY_MS = 5_000;
/** Closed episodes are kept for what devices send again, ms. */
export const KEPT_MS = 7 * 86_400_000;

/** The newest occurrence of an alarm, in memory. */
export interface Standing {
  episode: Episode;
  /** Monotonic ms of the last report, and of the last noting in the store. */
  heardAt: number;
  notedAt: number;
  /** Puts the event of the episode into the store; null when nothing is under way. */
  storing: Promise<void> | null;
}

/** What is open of a device. */
export const openOf = (standing: ReadonlyMap<string, Standing>, keyId: string): Standing[] =>
  [...standing.values()].filter(({ episode }) => episode.keyId === keyId && episode.closedAt === null);

/**
 * Takes out the alarm of a device that makes room for another.
 * @returns it, closed, to be written; none while there is room
 */
export function makeRoom(standing: Map<string, Standing>, keyId: string, now: number): Episode[] {
  const own = [...standing].filter(([, { episode }]) => episode.keyId === keyId);
  if (own.length < MAX_OPEN) return [];
  const settled = own.filter(([, { episode, storing }]) => episode.pending === null && !storing);
  const [oldest] = settled.sort(([, a], [, b]) => a.heardAt - b.heardAt);
  if (!oldest) return [];
  standing.delete(oldest[0]);
  return [closed(oldest[1].episode, 'silence', now)];
}

/** Under what a report stands: its alarm, or the one heard last of those of which it tells one to last. */
export function idFor(
  standing: ReadonlyMap<string, Standing>,
  device: Pick<Device, 'keyId' | 'config'>,
  { alarm, lasts }: Pick<Occurrence, 'alarm' | 'lasts'>,
  monotonic: number,
): string {
  const own = `${device.keyId}\0${alarm}`;
  if (lasts === undefined) return own;
  const since = monotonic - silenceMs(device);
  const meant = [...standing].filter(
    ([id, { episode, heardAt }]) =>
      id.startsWith(`${device.keyId}\0${lasts}`) && episode.closedAt === null && heardAt >= since,
  );
  return meant.sort(([, a], [, b]) => b.heardAt - a.heardAt)[0]?.[0] ?? own;
}
