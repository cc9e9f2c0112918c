import type { Episode } from '../record.ts';

/** Alarms of one device that may stand at a time; the one that was heard least lately closes for another. */
const MAX_OPEN = 1_000;

/** The newest occurrence of an alarm, in memory. */
export interface Standing {
  episode: Episode;
  /** Monotonic ms of the last report, and of the last noting in the store. */
  heardAt: number;
  notedAt: number;
  /** Puts the event of the episode into the store; null when nothing is under way. */
  storing: Promise<void> | null;
}

/** Which alarm of a device makes room for another; null while there is room. */
export function leastHeard(standing: readonly (readonly [string, Standing])[], keyId: string): string | null {
  const own = standing.filter(([, { episode }]) => episode.keyId === keyId);
  if (own.length < MAX_OPEN) return null;
  const settled = own.filter(([, { episode, storing }]) => episode.pending === null && !storing);
  return settled.sort(([, a], [, b]) => a.heardAt - b.heardAt)[0]?.[0] ?? null;
}
