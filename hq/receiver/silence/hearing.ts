import type { Clock } from '../../../common/clock.ts';

/** Between two looks that are further apart, or over which the clock was set by more, nothing counts, ms. */
const BREAK_MS = 60_000;

/**
 * For how long this process has been able to hear sites without a break, by its looks: time in which
 * headquarters could not hear, or keep what it heard, counts for no site.
 */
export class Hearing {
  #clock: Pick<Clock, 'monotonic'>;
  /** When it could hear at last after a break, and when it looked last, monotonic and epoch ms. */
  #since: number | null = null;
  #looked = { monotonic: 0, wall: 0 };

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** It can hear. @param now epoch ms @returns for how long already, ms */
  look(now: number): number {
    const monotonic = this.#clock.monotonic();
    const passed = monotonic - this.#looked.monotonic;
    const stepped = Math.abs(now - this.#looked.wall - passed);
    if (this.#since === null || passed > BREAK_MS || stepped > BREAK_MS) this.#since = monotonic;
    this.#looked = { monotonic, wall: now };
    return monotonic - this.#since;
  }

  /** It cannot, or not keep it. */
  lost(): void {
    this.#since = null;
  }
}
