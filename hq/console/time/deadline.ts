// Pure: by when something is to be done, as people choose it.
import { write } from './zone.ts';

/** Minutes from now, the end of the day, or a moment of one's own. */
export type DueChoice = `${number}` | 'today' | 'own';

/**
 * @param own ms, of `own` @param now ms @param zone IANA name of who is to act
 * @returns ISO; null: a moment of one's own that was not chosen
 */
export function dueAt(choice: DueChoice, own: number | null, now: number, zone: string): string | null {
  if (choice === 'own') return own === null ? null : new Date(own).toISOString();
  if (choice === 'today') return endOfDay(now, zone);
  return new Date(now + Number(choice) * 60_000).toISOString();
}

/** One minute before midnight, or before the next where that has passed. */
function endOfDay(now: number, zone: string): string {
  const { date, offset } = write(now, zone);
  const end = Date.parse(`${date}T23:59:00${offset === 'UTC' ? 'Z' : offset}`);
  return new Date(end > now ? end : end + 86_400_000).toISOString();
}
