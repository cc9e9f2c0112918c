/** Somebody else has the lease now, or it was taken back: nothing more may be written. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
  constructor() {
    super('the lease was lost');
  }
}

/**
 * Runs `work` while a lease is renewed every `everyMs` milliseconds. When a
 * renewal says that the lease is lost, or fails, the signal given to `work` is aborted, with a `LeaseLost` or
 * the failure.
 */
export async function holdingLease<T>(
  renew: () => Promise<boolean>,
  everyMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const timer = setInterval(() => {
    renew().then(
      (held) => held || lost.abort(new LeaseLost()),
      (error: unknown) => lost.abort(error),
    );
  }, everyMs);
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(timer);
  }
}
