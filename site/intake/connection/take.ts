import { backoffDelay } from '../../../common/backoff.ts';
import type { Source } from '../driver.ts';
import type { Device, FetchPictures, Reading } from '../record.ts';
import type { Message } from './session.ts';

/** What becomes of messages. */
export interface MessageSink {
  read(device: Device, source: Source, message: Message): Reading[];
  /**
   * Returns when every alarm is on the disk; what cannot be read is counted. @throws what the stores throw
   */
  store(device: Device, source: Source, readings: readonly Reading[], fetch?: FetchPictures): Promise<void>;
  pictureLost(device: Device): void;
}

const PAUSES = { first: 500, cap: 30_000, jitter: 0.2 };

/**
 * A device that is connected to does not send again: what could not be stored is tried until it is. The
 * device is not listened to meanwhile. @throws the reason of `signal`
 */
export async function takeAtLast(
  take: () => Promise<void>,
  { signal, onFailure }: { signal: AbortSignal; onFailure: (error: unknown) => void },
): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await take();
    } catch (error) {
      onFailure(error);
      await pause(backoffDelay(failures, PAUSES, Math.random()), signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    }
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
