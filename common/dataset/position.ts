// Positions in a dataset: (update time, primary key), the time with microseconds and as text throughout. A
// floating-point or millisecond time would drop digits, and with them rows.
import { formatTime, parseTime } from '../time.ts';

/** Longest primary key, characters. */
export const MAX_PK = 256;

export interface DatasetPosition {
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`: as text in the order of time. */
  updatedAt: string;
  /** Empty: before every row of that time. */
  pk: string;
}

const FRACTION = /\.(\d+)/;
/** Digits of the fraction, which no time may exceed. */
const MICRO_DIGITS = 6;

/**
 * An RFC 3339 time with a zone as UTC with six digits of fraction; null when it is none, or has more digits
 * than these.
 */
export function canonicalTime(text: string): string | null {
  const digits = FRACTION.exec(text)?.[1] ?? '';
  if (digits.length > MICRO_DIGITS) return null;
  const at = parseTime(text.replace(FRACTION, ''));
  if (at === null) return null;
  return `${formatTime(at).slice(0, 19)}.${digits.padEnd(MICRO_DIGITS, '0')}Z`;
}

/** @param ms epoch milliseconds */
export const timeOfMs = (ms: number): string => `${formatTime(ms).slice(0, -1)}000Z`;

/**
 * Epoch milliseconds, the microseconds cut off: for showing how old something is, never for a comparison of
 * rows.
 */
export const msOfTime = (updatedAt: string): number => parseTime(updatedAt) ?? 0;

/** The time that many milliseconds earlier, its microseconds kept. */
export function earlier(updatedAt: string, ms: number): string {
  const moved = formatTime(Math.max(0, msOfTime(updatedAt) - ms));
  return `${moved.slice(0, -1)}${updatedAt.slice(23, 26)}Z`;
}

/** The last microsecond before a time. */
export function justBefore(updatedAt: string): string {
  const micros = Number(updatedAt.slice(23, 26));
  if (micros === 0) return `${formatTime(msOfTime(updatedAt) - 1).slice(0, -1)}999Z`;
  return `${updatedAt.slice(0, 23)}${String(micros - 1).padStart(3, '0')}Z`;
}

export const cursorOf = ({ updatedAt, pk }: DatasetPosition): string => `${updatedAt}|${pk}`;

/** null when the text is no `<time>|<primary key>`. */
export function parsePosition(cursor: string): DatasetPosition | null {
  const at = cursor.indexOf('|');
  if (at < 0 || cursor.length - at - 1 > MAX_PK) return null;
  const updatedAt = canonicalTime(cursor.slice(0, at));
  return updatedAt === null ? null : { updatedAt, pk: cursor.slice(at + 1) };
}
