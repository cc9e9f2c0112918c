import type { Clock } from '../../common/clock.ts';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { EventPort } from '../../common/core/event/port.ts';
import type { RetentionPort } from '../../common/core/retention/port.ts';
import type { Logger } from '../../common/log.ts';
import { Loop } from '../../common/loop.ts';
import { siteMessages } from '../site-messages.ts';
import type { ClockMarks } from './port.ts';

const EVERY_MS = 5_000;
/** A smaller step is an ordinary correction of the clock by its time service. */
const STEP_MS = 2_000;
/** A step of this size or more raises the alarm and marks the events received before it. */
const GROSS_STEP_MS = 60_000;
/** Only events received within this time before a step are marked. */
const MARK_BACK_MS = 86_400_000;
const ALARM_STANDS_MS = 86_400_000;
/** A clock that shows less was never set: this program is younger. */
export const EARLIEST_NOW = Date.UTC(2026, 0, 1);

export const CLOCK_ALARM = 'clock_stepped';

export interface ClockView {
  /** Whether what the clock shows cannot be right. */
  suspect: boolean;
  lastStep: { at: number; stepMs: number; marked: number } | null;
}

export interface ClockWatchOptions {
  clock: Clock;
  marks: ClockMarks;
  /** Id of the newest event when the process started; older ones were taken by earlier processes. */
  head: number;
  /** The latest time that the store has seen, epoch ms; 0 for none. */
  newestKnown: number;
  alarms: AlarmPort;
  instance: string;
  log: Logger;
}

/**
 * Watches the wall clock against the monotonic one. Nothing depends on it: order comes from ids and receipt
 * times that never fall. It only tells, and marks events whose times are not to be trusted with
 * `clockSuspect`.
 */
export class ClockWatch {
  readonly loop: Loop;
  lastStep: ClockView['lastStep'] = null;
  readonly #options: ClockWatchOptions;
  #floor: number;
  #offset: number;
  /** Monotonic time of the last step; at first of the start, since an alarm from before it may stand. */
  #stepMonotonic: number;

  constructor(options: ClockWatchOptions) {
    const { clock, log } = options;
    this.#options = options;
    this.#floor = Math.max(EARLIEST_NOW, options.newestKnown - GROSS_STEP_MS);
    this.#offset = clock.now() - clock.monotonic();
    this.#stepMonotonic = clock.monotonic();
    this.loop = new Loop({
      name: 'clock',
      interval: EVERY_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: () => this.round(),
    });
  }

  /**
   * Whether an event that comes now is to be marked: the clock stands before this program, or before what the
   * store knows.
   */
  get suspect(): boolean {
    return this.#options.clock.now() < this.#floor;
  }

  view(): ClockView {
    return { suspect: this.suspect, lastStep: this.lastStep };
  }

  async round(): Promise<void> {
    const offset = this.#options.clock.now() - this.#options.clock.monotonic();
    const stepMs = Math.round(offset - this.#offset);
    if (Math.abs(stepMs) < STEP_MS) {
      // Slow drift and small corrections are followed, so that they never add up to a step.
      this.#offset = offset;
      return this.#quiet();
    }
    const before = this.#options.clock.monotonic() + this.#offset;
    const marked =
      Math.abs(stepMs) < GROSS_STEP_MS
        ? 0
        : await this.#options.marks.mark(this.#options.head, before - MARK_BACK_MS);
    this.#offset = offset;
    this.lastStep = { at: this.#options.clock.now(), stepMs, marked };
    this.#stepMonotonic = this.#options.clock.monotonic();
    this.#options.log.warn({ stepMs, marked }, 'the clock of this machine was set');
    if (Math.abs(stepMs) >= GROSS_STEP_MS) await this.#raise(stepMs, marked);
  }

  #raise(stepMs: number, marked: number): Promise<boolean> {
    const seconds = Math.round(Math.abs(stepMs) / 1000);
    return this.#options.alarms.raise(
      {
        key: CLOCK_ALARM,
        instance: this.#options.instance,
        tenantCode: null,
        severity: 'warning',
        ...alarmText(
          siteMessages,
          {
            code: stepMs > 0 ? 'clock_set_ahead' : 'clock_set_back',
            params: { seconds, marked },
          },
          { stepMs, marked },
        ),
      },
      this.#options.clock.now(),
    );
  }

  async #quiet(): Promise<void> {
    if (
      this.#stepMonotonic === -Infinity ||
      this.#options.clock.monotonic() - this.#stepMonotonic < ALARM_STANDS_MS
    )
      return;
    this.#stepMonotonic = -Infinity;
    await this.#options.alarms.clear(CLOCK_ALARM, this.#options.instance, this.#options.clock.now());
  }
}

/**
 * The watch of a store, which knows the newest event of earlier processes and the latest time that it has
 * seen.
 */
export async function createClockWatch(parts: {
  store: { events: EventPort; retention: RetentionPort; clockMarks: ClockMarks; alarms: AlarmPort };
  instance: string;
  clock: Clock;
  log: Logger;
}): Promise<ClockWatch> {
  const { store, instance, clock, log } = parts;
  const { highWaterMark: head } = await store.events.bounds();
  const { newest } = await store.retention.survey(0, false);
  return new ClockWatch({
    clock,
    marks: store.clockMarks,
    head,
    newestKnown: newest?.receivedAt ?? 0,
    alarms: store.alarms,
    instance,
    log,
  });
}
