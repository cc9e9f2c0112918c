// What is kept of the hours that sites tell of. Pure.
import type { SiteReport } from '../../../common/uplink/site-report.ts';
import type { SiteHour } from './record.ts';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How far back the hours of a site are shown. */
export const SHOWN_MS = 7 * DAY_MS;
/** With a day more, for a site whose clock is behind. */
const KEPT_MS = SHOWN_MS + DAY_MS;
/** Of a clock that is ahead by more nothing is believed. */
const AHEAD_MS = DAY_MS;

/** Hours outside of it are not kept: however wrong a clock is, a site has no more rows than this holds. */
export const keptSpan = (now: number): { from: number; to: number } => ({
  from: now - KEPT_MS,
  to: now + AHEAD_MS,
});

/** What a report says of hours, each once, oldest first, without those that are not kept. */
export function hoursIn({ hours = [] }: Pick<SiteReport, 'hours'>, now: number): SiteHour[] {
  const { from, to } = keptSpan(now);
  const found = new Map<number, SiteHour>();
  for (const { at: told, received, backlog, room_bytes: roomBytes } of hours) {
    const at = Math.floor(Date.parse(told) / HOUR_MS) * HOUR_MS;
    if (at >= from && at <= to) found.set(at, { at, received, backlog, roomBytes });
  }
  return [...found.values()].sort((a, b) => a.at - b.at);
}

/** What is kept and what the newest report says, which knows its own hours better. */
export function joined(kept: readonly SiteHour[], told: readonly SiteHour[], now: number): SiteHour[] {
  const all = new Map([...kept, ...told].map((hour) => [hour.at, hour]));
  return [...all.values()].filter(({ at }) => at > now - SHOWN_MS).sort((a, b) => a.at - b.at);
}
