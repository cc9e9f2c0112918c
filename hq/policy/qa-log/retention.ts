import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, stampOf } from '../../../common/clock.ts';
import { takeEach } from '../../../common/core/left-out/row-by-row.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop } from '../../../common/loop.ts';
import type { RetentionScopePort } from '../port.ts';

const EVERY_MS = 3_600_000;
const SLICE = 1_000;
/** Pause between slices, so that requests are not held up, ms. */
const PAUSE_MS = 20;
const DAY_MS = 86_400_000;

/**
 * Deletes log entries of tenants that set how many days theirs are kept; of others nothing (spec 3,
 * "Limits").
 */
export class QaLogRetention {
  readonly counts = { deleted: 0 };
  readonly loop: Loop;
  #scopes: RetentionScopePort;
  #clock: Clock;

  constructor(scopes: RetentionScopePort, clock: Clock, log: Logger) {
    this.#scopes = scopes;
    this.#clock = clock;
    this.loop = new Loop({
      name: 'qa log retention',
      interval: EVERY_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  async round(signal: AbortSignal): Promise<void> {
    await takeEach(await this.#scopes.list(null), async ({ tenantCode, days }) => {
      const before = this.#clock.now() - days * DAY_MS;
      for (;;) {
        if (signal.aborted) return;
        const deleted = await this.#scopes.dropAnswers(tenantCode, before, SLICE, stampOf(this.#clock));
        this.counts.deleted += deleted;
        if (deleted < SLICE) break;
        await sleep(PAUSE_MS);
      }
    });
  }
}
