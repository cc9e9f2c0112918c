// Days and shares of calls to models (pure).
import { BEIJING_OFFSET_MINUTES, formatTime } from '../../time.ts';
import { NEARLY_FULL } from '../evidence/room/decide.ts';

const DAY_MS = 86_400_000;
/** Days that counts are kept. */
const KEPT_DAYS = 400;

/** The day of Beijing. @param now epoch ms @param ago days before */
export const dayAt = (now: number, ago = 0): string =>
  formatTime(now + BEIJING_OFFSET_MINUTES * 60_000 - ago * DAY_MS).slice(0, 10);

/** Days before it are no longer kept. */
export const keptFrom = (now: number): string => dayAt(now, KEPT_DAYS);

/** What is to be told of the calls of a day; `calls` null: one was refused. */
export function stageOf(calls: number | null, most: number): 'near' | 'spent' | null {
  if (calls === null) return 'spent';
  return calls >= most * NEARLY_FULL ? 'near' : null;
}
