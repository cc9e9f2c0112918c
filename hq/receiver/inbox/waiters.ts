import type { Metric } from '../../../common/metrics.ts';
import type { SiteNews } from '../contact/port.ts';

/** While changes are not told, a call is held no longer than a site waits between two calls, ms. */
const UNTOLD_MS = 3_000;

interface Waiter {
  wake: () => void;
  timer: NodeJS.Timeout;
}

/**
 * The calls that are held, one of a site. Invariant: after `close` none is held, and none will be.
 */
export class Waiters {
  #news: SiteNews;
  #most: number;
  #random: () => number;
  #waiting = new Map<string, Waiter>();
  #closed = false;

  /** @param most calls that are held at a time: each keeps a connection */
  constructor(news: SiteNews, most: number, random: () => number = Math.random) {
    this.#news = news;
    this.#most = most;
    this.#random = random;
    news.onSite((instance) => (instance === null ? this.#untold() : this.#waiting.get(instance)?.wake()));
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Whether a call of the site may be held. */
  hasRoom(instance: string): boolean {
    return !this.#closed && (this.#waiting.size < this.#most || this.#waiting.has(instance));
  }

  /**
   * Begins to wait at once: what is told from now on is not missed. The site's earlier call ends its wait.
   * @param holdMs longest wait
   */
  begin(instance: string, holdMs: number): { woken: Promise<void>; wake: () => void; end: () => void } {
    this.#waiting.get(instance)?.wake();
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    const ms = this.#news.current() ? holdMs : Math.min(holdMs, UNTOLD_MS);
    const waiter: Waiter = { wake, timer: setTimeout(wake, ms) };
    this.#waiting.set(instance, waiter);
    if (this.#closed) wake();
    const end = (): void => {
      clearTimeout(waiter.timer);
      if (this.#waiting.get(instance) === waiter) this.#waiting.delete(instance);
    };
    return { woken, wake, end };
  }

  /** Ends every wait, so that the calls are answered before the connections are closed. */
  close(): void {
    this.#closed = true;
    for (const { wake } of this.#waiting.values()) wake();
  }

  /** Something may have been missed: all look again, but not all at once. */
  #untold(): void {
    for (const waiter of this.#waiting.values()) {
      clearTimeout(waiter.timer);
      waiter.timer = setTimeout(waiter.wake, UNTOLD_MS * this.#random());
    }
  }
}

export const waitersMetric = (waiters: Waiters): Metric => ({
  name: 'fieldline_uplink_calls_held',
  help: 'Calls of sites that are held until something waits for them',
  type: 'gauge',
  read: () => waiters.size,
});
