/**
 * Pieces of work that run side by side, one for each key. A round starts what is due and does not wait for
 * it, so that one slow peer delays nobody; `stop` waits.
 */
export class InFlightJobs {
  #running = new Map<string, Promise<void>>();
  #abort = new AbortController();
  readonly #max: number;
  readonly #onError: (error: unknown, key: string) => void;

  /**
   * @param onError told of what a piece of work throws, also while it is being aborted, unless it is the
   * abort itself
   */
  constructor(max: number, onError: (error: unknown, key: string) => void) {
    this.#max = max;
    this.#onError = onError;
  }

  has(key: string): boolean {
    return this.#running.has(key);
  }

  /** Pieces that may still be started now. */
  get capacity(): number {
    return this.#abort.signal.aborted ? 0 : Math.max(0, this.#max - this.#running.size);
  }

  /** Starts `work`, unless one with this key runs or there is no room. */
  start(key: string, work: (signal: AbortSignal) => Promise<void>): boolean {
    if (this.has(key) || this.capacity === 0) return false;
    const { signal } = this.#abort;
    const running = work(signal)
      .catch((error: unknown) => {
        if (!isAbort(error, signal)) this.#onError(error, key);
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return true;
  }

  /** Resolves when everything started so far has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /**
   * Gives what runs so many milliseconds, aborts what is left and waits for its end; nothing can be started
   * any more.
   */
  async stop(withinMs = 0): Promise<void> {
    if (withinMs > 0) await this.#settledWithin(withinMs);
    this.#abort.abort();
    await this.settled();
  }

  async #settledWithin(ms: number): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([this.settled(), late]);
    clearTimeout(timer);
  }
}

/** Whether the error is nothing but the signal's own abort, however often it was wrapped on its way. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause === signal.reason || cause.name === 'AbortError') return true;
  return false;
}
