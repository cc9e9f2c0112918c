import type { Clock } from '../../../common/clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How much of one kind is taken of a site. */
export interface SiteRateLimits {
  minute: number;
  hour: number;
}

interface Window {
  since: number;
  taken: number;
}

/** Bounds what one site has headquarters do that people see, whoever holds its key. */
export class SiteRate {
  #clock: Pick<Clock, 'monotonic'>;
  #limits: SiteRateLimits;
  #windows = new Map<string, { minute: Window; hour: Window }>();

  constructor(clock: Pick<Clock, 'monotonic'>, limits: SiteRateLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** @returns how many of `wanted` may be taken now; they are counted */
  take(site: string, wanted: number): number {
    const now = this.#clock.monotonic();
    const before = this.#windows.get(site);
    const minute = current(before?.minute, now, MINUTE_MS);
    const hour = current(before?.hour, now, HOUR_MS);
    const left = Math.min(this.#limits.minute - minute.taken, this.#limits.hour - hour.taken);
    const taken = Math.max(0, Math.min(wanted, left));
    minute.taken += taken;
    hour.taken += taken;
    this.#windows.set(site, { minute, hour });
    return taken;
  }
}

const current = (window: Window | undefined, now: number, length: number): Window =>
  window && now - window.since < length ? window : { since: now, taken: 0 };
