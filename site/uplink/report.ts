import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import type { SiteReport } from '../../common/uplink/site-report.ts';

/**
 * Making a report costs a write to the disk: in a stream of verdicts it goes along no more often than this,
 * ms.
 */
const REPORT_EVERY_MS = 15_000;

export type ReportOrder = SiteReport['order'];

/**
 * What headquarters is told of this machine, with the verdicts channel and in haste with the held call. One
 * is made at a time, so that of two the one with the higher number knows more.
 */
export class Report {
  #make: ((order: ReportOrder) => Promise<string>) | null = null;
  #clock: Clock;
  #log: Logger;
  /** Monotonic ms of the last report. */
  #madeAt = -Infinity;
  #run: string;
  #made = 0;
  #making: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
    this.#run = clock.newId();
  }

  /** @param make the report as JSON text; before it is known none is made */
  madeBy(make: (order: ReportOrder) => Promise<string>): void {
    this.#make = make;
  }

  /** Whether there is anything to tell at all. */
  get known(): boolean {
    return this.#make !== null;
  }

  /** @returns null when none is due yet, or when none could be made: the uplink goes on without it */
  async next(): Promise<string | null> {
    return this.#clock.monotonic() - this.#madeAt < REPORT_EVERY_MS ? null : this.now();
  }

  /** However recent the last one is. @returns null when none could be made */
  now(): Promise<string | null> {
    this.#madeAt = this.#clock.monotonic();
    const made = this.#making.then(() => this.#one());
    this.#making = made;
    return made;
  }

  /** The next request carries a report, however recent the last one is. */
  makeDue(): void {
    this.#madeAt = -Infinity;
  }

  async #one(): Promise<string | null> {
    if (this.#make === null) return null;
    this.#made += 1;
    try {
      return await this.#make({ run: this.#run, no: this.#made });
    } catch (error) {
      this.#log.warn({ err: error }, 'the report to headquarters could not be made');
      return null;
    }
  }
}
