// Figures as people read them.
import { say } from './language.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** @param ms below 0 counts as 0 */
export function span(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 120) return s + say()('s');
  if (s < 7_200) return Math.round(s / 60) + say()('m');
  return s < 172_800 ? Math.round(s / 3_600) + say()('h') : Math.round(s / 86_400) + say()('d');
}

/** @param count null where it is not known */
export function bytes(count: number | null): string {
  if (count === null) return '–';
  let [size, at] = [Math.max(0, count), 0];
  while (size >= 1_024 && at < UNITS.length - 1) [size, at] = [size / 1_024, at + 1];
  return `${size >= 100 || at === 0 ? Math.round(size) : size.toFixed(1)} ${UNITS[at] ?? ''}`;
}

export const twoDigits = (count: number): string => String(count).padStart(2, '0');

/** Empty for today; with the year where it is another. */
export function dayOf(date: Date): string {
  const today = new Date();
  if (date.toDateString() === today.toDateString()) return '';
  const year = date.getFullYear() === today.getFullYear() ? '' : `${date.getFullYear()}-`;
  return `${year}${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} `;
}

export const timeOf = (date: Date): string =>
  [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');

/** @param text RFC 3339 */
export function clockTime(text: string): string {
  const date = new Date(text);
  return dayOf(date) + timeOf(date);
}
