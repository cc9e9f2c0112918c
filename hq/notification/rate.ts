import type { Clock } from '../../common/clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** New notifications of one site that are taken: what a burst of alarms needs, and no more. */
export const SITE_RATE = { minute: 300, hour: 3_000 } as const;

interface Window {
  since: number;
  taken: number;
}

/** Bounds what one site has headquarters send to people, whoever holds its key. */
export class NotificationRate {
  #clock: Pick<Clock, 'monotonic'>;
  #windows = new Map<string, { minute: Window; hour: Window }>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** @returns how many of `wanted` may be taken now; they are counted */
  take(site: string, wanted: number): number {
    const now = this.#clock.monotonic();
    const before = this.#windows.get(site);
    const minute = current(before?.minute, now, MINUTE_MS);
    const hour = current(before?.hour, now, HOUR_MS);
    const left = Math.min(SITE_RATE.minute - minute.taken, SITE_RATE.hour - hour.taken);
    const taken = Math.max(0, Math.min(wanted, left));
    minute.taken += taken;
    hour.taken += taken;
    this.#windows.set(site, { minute, hour });
    return taken;
  }
}

const current = (window: Window | undefined, now: number, length: number): Window =>
  window && now - window.since < length ? window : { since: now, taken: 0 };
