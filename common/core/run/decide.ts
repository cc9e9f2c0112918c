// Pure: what ended a run, when a run stalled, and when either is so often that a person must know.
import type { EndKind, Found, Stall, UnplannedEnd } from './record.ts';
import type { StallsView, UnplannedEndsView } from './schema.ts';

/** Ends and stalls are counted for so long, days. */
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
export const counted = <T extends { at: number }>(ends: readonly T[], now: number): T[] =>
  ends.filter(({ at }) => now - at < KEPT_DAYS * DAY_MS).slice(-MOST);

const within = <T extends { at: number }>(ends: readonly T[], now: number, ms: number): T[] =>
  ends.filter(({ at }) => now - at < ms);

/** How grave it is that they repeat; null: they do not. */
export function repetition(
  ends: readonly { at: number }[],
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
): Omit<UnplannedEndsView, 'stalls'> {
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

/** A program that does not run for so long has stalled, ms: below it is a slow disk or a busy machine. */
export const STALL_MS = 5_000;
/** An alarm of a stall stands for so long after the last one, ms. */
export const STALL_STANDS_MS = DAY_MS;
/**
 * Share of its time spent computing: with more, that is what it stalled of. Who waits or is stopped takes
 * hardly any; who computes has no more than its share of a busy machine.
 */
const BUSY_SHARE = 0.1;

/** What passed between two looks of the event loop, by clocks that do not count a suspended machine. */
export interface Passed {
  ms: number;
  /** Of it spent computing by the thread of the loop. */
  computedMs: number;
}

/** @param everyMs when the second look was due @returns null: the loop turned all the while */
export function stallOf({ ms, computedMs }: Passed, everyMs: number, now: number): Stall | null {
  const late = ms - everyMs;
  return late < STALL_MS ? null : { at: now, ms: Math.round(late), busy: computedMs > ms * BUSY_SHARE };
}

export const seconds = (ms: number): number => Math.round(ms / 1000);

export function viewStalls(stalls: readonly Stall[], now: number, time: (at: number) => string): StallsView {
  const shown = counted(stalls, now);
  const last = shown.at(-1);
  return {
    count: shown.length,
    longestSeconds: seconds(Math.max(0, ...shown.map(({ ms }) => ms))),
    lastAt: last ? time(last.at) : null,
    lastSeconds: last ? seconds(last.ms) : null,
  };
}

/** Whole days that have passed. Pure. @param at and @param now epoch ms */
export const daysSince = (at: number, now: number): number => Math.floor((now - at) / 86_400_000);
