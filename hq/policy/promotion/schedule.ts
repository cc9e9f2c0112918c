import { type Clock, stampOf } from '../../../common/clock.ts';
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop } from '../../../common/loop.ts';
import { hubMessages } from '../../hub-messages.ts';
import type { DocumentPort, EndingPolicy } from '../port.ts';

/** A version comes into force at most this late on its day; until then the one before it stays. */
const EVERY_MS = 5_000;
const SLICE = 50;
/** What the wall clock may run ahead of the steady one between two rounds, ms; beyond it was set. */
const LEAP_MS = 60_000;
/** A clock that was set forward is believed after this long; a wrong one is often put right before. */
const BELIEVED_MS = 10 * 60_000;
/** How long before its last day it is told that a policy ends. */
const NOTICE_MS = 30 * 86_400_000;
/** Most policies that the alarm names. */
const NAMED = 100;
const ALARM = 'policies_ending';

export interface PolicyScheduleOptions {
  documents: Pick<DocumentPort, 'due' | 'promoteDue' | 'ending'>;
  alarms: Pick<AlarmPort, 'raise' | 'clear'>;
  clock: Clock;
  log: Logger;
  instance: string;
}

/** Brings scheduled versions into force on their day, and tells of policies that end soon. */
export class PolicySchedule {
  readonly counts = { promoted: 0 };
  readonly loop: Loop;
  readonly #options: PolicyScheduleOptions;
  /** The policies that the alarm tells of, as far as this process knows; null: not yet looked. */
  #told: string | null = null;
  /** By how much the wall clock is ahead of the steady one; null before the first round. */
  #ahead: number | null = null;
  /** Steady ms until which the wall clock is not believed. */
  #doubted = -Infinity;

  constructor(options: PolicyScheduleOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'policy schedule',
      interval: EVERY_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  async round(signal: AbortSignal): Promise<void> {
    const due = this.#isClockSure()
      ? await this.#options.documents.due(this.#options.clock.now(), SLICE)
      : [];
    for (const { tenantCode, id } of due) {
      if (signal.aborted) return;
      const document = await this.#options.documents.promoteDue(tenantCode, id, stampOf(this.#options.clock));
      if (document?.status === 'effective') this.counts.promoted += 1;
      else if (document)
        this.#options.log.error({ id }, 'a scheduled version cannot come into force and is in review again');
    }
    await this.#tellEnding();
  }

  /**
   * What comes into force by a clock that was set forward by mistake would be in force too early, and the
   * version before it would be gone when the clock is put right.
   */
  #isClockSure(): boolean {
    const steady = this.#options.clock.monotonic();
    const ahead = this.#options.clock.now() - steady;
    const leapt = this.#ahead !== null && ahead - this.#ahead > LEAP_MS;
    // Put right again: as far ahead as it was, or less.
    if (this.#ahead !== null && this.#ahead - ahead > LEAP_MS) this.#doubted = -Infinity;
    if (leapt) {
      this.#doubted = steady + BELIEVED_MS;
      this.#options.log.warn(
        { ms: ahead - (this.#ahead ?? ahead) },
        'the clock was set forward; scheduled versions wait',
      );
    }
    this.#ahead = ahead;
    return steady >= this.#doubted;
  }

  async #tellEnding(): Promise<void> {
    const now = this.#options.clock.now();
    const ending = await this.#options.documents.ending(now, now + NOTICE_MS, NAMED);
    const told = JSON.stringify(ending);
    if (told === this.#told) return;
    const [first] = ending;
    if (first) await this.#raise(ending, first);
    else await this.#options.alarms.clear(ALARM, null, now);
    this.#told = told;
  }

  /** It names files by number: their titles are for those who may see them. */
  async #raise(policies: EndingPolicy[], first: EndingPolicy): Promise<void> {
    await this.#options.alarms.raise(
      {
        key: ALARM,
        instance: this.#options.instance,
        shared: true,
        tenantCode: null,
        severity: 'warning',
        ...alarmText(
          hubMessages,
          {
            code: 'policies_ending',
            params: {
              count: policies.length,
              doc: first.id,
              tenant: first.tenantCode,
              day: first.expiryDate ?? '',
            },
          },
          { policies },
        ),
      },
      this.#options.clock.now(),
    );
  }
}
