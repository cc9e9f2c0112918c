import { CALLS_PER_MINUTE } from './schema.ts';

const MINUTE_MS = 60_000;
/** Callers that are remembered; each is an authenticated key, so that this is far more than there are. */
const MAX_CALLERS = 10_000;

/** Counts the calls of a caller within a window that begins with its first call. */
export interface CallCounter {
  /** Counts one call. @returns calls of the window, this one included, and when the window began, epoch ms */
  add(caller: string, now: number, windowMs: number): Promise<{ count: number; startedAt: number }>;
}

/** Counts in the memory of one process. */
class MemoryCalls implements CallCounter {
  #windows = new Map<string, { count: number; startedAt: number }>();

  add(caller: string, now: number, windowMs: number): Promise<{ count: number; startedAt: number }> {
    const known = this.#windows.get(caller);
    const window =
      known && now - known.startedAt < windowMs && known.startedAt <= now
        ? known
        : { count: 0, startedAt: now };
    window.count += 1;
    if (this.#windows.size >= MAX_CALLERS) this.#windows.clear();
    this.#windows.set(caller, window);
    return Promise.resolve({ ...window });
  }
}

export interface CallQuota {
  allowed: boolean;
  /** Calls left in the window. */
  remaining: number;
  /** Seconds to the end of the window. */
  resetS: number;
}

/** Spec 2, "Limits": 60 calls per caller per minute. */
export class CallLimit {
  readonly perMinute: number;
  #counter: CallCounter;

  constructor(counter: CallCounter = new MemoryCalls(), perMinute = CALLS_PER_MINUTE) {
    this.#counter = counter;
    this.perMinute = perMinute;
  }

  /** Counts a call. @returns what the caller has left */
  async take(caller: string, now: number): Promise<CallQuota> {
    const { count, startedAt } = await this.#counter.add(caller, now, MINUTE_MS);
    return {
      allowed: count <= this.perMinute,
      remaining: Math.max(0, this.perMinute - count),
      resetS: Math.max(1, Math.ceil((startedAt + MINUTE_MS - now) / 1000)),
    };
  }

  /** The headers of draft-ietf-httpapi-ratelimit-headers. */
  headers({ remaining, resetS }: CallQuota): Record<string, string> {
    return {
      'RateLimit-Policy': `"calls";q=${this.perMinute};w=${MINUTE_MS / 1000}`,
      RateLimit: `"calls";r=${remaining};t=${resetS}`,
    };
  }
}
