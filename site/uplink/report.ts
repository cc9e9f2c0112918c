import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';

/**
 * Making a report costs a write to the disk: in a stream of verdicts it goes along no more often than this,
 * ms.
 */
const REPORT_EVERY_MS = 15_000;

/** What headquarters is told of this machine with the verdicts channel. */
export class Report {
  #make: () => Promise<string>;
  #clock: Clock;
  #log: Logger;
  /** Monotonic ms of the last report. */
  #madeAt = -Infinity;

  /** @param make the report as JSON text */
  constructor(make: () => Promise<string>, clock: Clock, log: Logger) {
    this.#make = make;
    this.#clock = clock;
    this.#log = log;
  }

  /** @returns null when none is due yet, or when none could be made: the uplink goes on without it */
  async next(): Promise<string | null> {
    const now = this.#clock.monotonic();
    if (now - this.#madeAt < REPORT_EVERY_MS) return null;
    this.#madeAt = now;
    try {
      return await this.#make();
    } catch (error) {
      this.#log.warn({ err: error }, 'the report to headquarters could not be made');
      return null;
    }
  }

  /** The next request carries a report, however recent the last one is. */
  makeDue(): void {
    this.#madeAt = -Infinity;
  }
}
