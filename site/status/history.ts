import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import { Loop } from '../../common/loop.ts';
import type { HistoryPort } from './port.ts';

/** Length of one step of the picture, ms. */
export const BUCKET_MS = 300_000;
const SETTLE_MS = 2_000;
const KEEP_MS = 48 * 3_600_000;

/** Writes the history once in five minutes. A full disk costs no more than a gap in the picture. */
export class HistoryRecorder {
  readonly loop: Loop;

  constructor(parts: {
    history: HistoryPort;
    backlog: () => Promise<number>;
    room: () => number | null;
    clock: Clock;
    log: Logger;
  }) {
    const { history, clock, log } = parts;
    this.loop = new Loop({
      name: 'history',
      interval: BUCKET_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: async () => {
        const now = clock.now();
        // A round comes just after the step that it closes.
        const at = now - SETTLE_MS;
        await history.note(
          { at: at - (at % BUCKET_MS), backlog: await parts.backlog(), room: parts.room() },
          now - KEEP_MS,
        );
        return { again: false, pauseMs: BUCKET_MS - (clock.now() % BUCKET_MS) + SETTLE_MS / 2 };
      },
    });
  }
}
