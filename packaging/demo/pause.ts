import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, and ends early and quietly when the signal comes. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
  }
}
