// Pure: what ended a run, and when ends are so many that a person must know.
import type { EndKind, Found, UnplannedEnd } from './record.ts';
import type { UnplannedEndsView } from './schema.ts';

/** Ends are counted for so long, days. */
export const KEPT_DAYS = 30;
/** Of more only the newest are kept. */
const MOST = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** As many within a day are an alarm, within an hour a critical one. */
const REPEATED = 3;

const BY_RESULT: Readonly<Record<string, EndKind>> = {
  watchdog: 'hang',
  timeout: 'hang',
  'oom-kill': 'memory',
  'exit-code': 'failed',
};

/** @param boot of the machine now @returns null: the last run was ended in order, or there was none */
export function endOf({ unended, seen }: Found, boot: string, now: number): UnplannedEnd | null {
  if (unended === null) return null;
  if (seen !== null && seen.result !== 'success')
    return { at: seen.at, kind: BY_RESULT[seen.result] ?? 'killed' };
  return { at: now, kind: unended === boot ? 'killed' : 'power' };
}

/** Those that are still counted. */
export const counted = (ends: readonly UnplannedEnd[], now: number): UnplannedEnd[] =>
  ends.filter(({ at }) => now - at < KEPT_DAYS * DAY_MS).slice(-MOST);

const within = (ends: readonly UnplannedEnd[], now: number, ms: number): UnplannedEnd[] =>
  ends.filter(({ at }) => now - at < ms);

/** How grave it is that they repeat; null: they do not. */
export function repetition(
  ends: readonly UnplannedEnd[],
  now: number,
): { severity: 'warning' | 'critical'; count: number; hours: number } | null {
  const ofHour = within(ends, now, HOUR_MS).length;
  if (ofHour >= REPEATED) return { severity: 'critical', count: ofHour, hours: 1 };
  const ofDay = within(ends, now, DAY_MS).length;
  return ofDay >= REPEATED ? { severity: 'warning', count: ofDay, hours: 24 } : null;
}

export function viewEnds(
  ends: readonly UnplannedEnd[],
  now: number,
  time: (at: number) => string,
): UnplannedEndsView {
  const shown = counted(ends, now);
  const last = shown.at(-1);
  return {
    days: KEPT_DAYS,
    count: shown.length,
    hangs: shown.filter(({ kind }) => kind === 'hang').length,
    lastAt: last ? time(last.at) : null,
    lastKind: last?.kind ?? null,
  };
}

/** Whole days that have passed. Pure. @param at and @param now epoch ms */
export const daysSince = (at: number, now: number): number => Math.floor((now - at) / 86_400_000);
