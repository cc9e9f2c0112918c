import type { Clock } from '../../clock.ts';
import type { Logger } from '../../log.ts';
import { Loop } from '../../loop.ts';
import { gauge, type Metric } from '../../metrics.ts';
import { formatTime } from '../../time.ts';
import { coreAlarmMessages } from '../alarm/alarm-messages.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import type { AlarmPort } from '../alarm/port.ts';
import { counted, repetition, seconds, STALL_STANDS_MS, stallOf, viewStalls } from './decide.ts';
import { readStalls, writeStalls } from './files.ts';
import type { Stall } from './record.ts';
import type { StallsView } from './schema.ts';

const KEY = 'program_stalled';
const TURN_EVERY_MS = 500;
const LOOK_EVERY_MS = 60_000;

export interface StallsOptions {
  /** Folder of the data. */
  dir: string;
  clock: Pick<Clock, 'now'>;
  log: Logger;
  /**
   * Milliseconds of the process's own clock, which neither a step of the wall clock nor a suspended machine
   * moves, and of computing by this thread.
   */
  time?: () => { monotonic: number; computed: number };
}

function ownTime(): { monotonic: number; computed: number } {
  const { user, system } = process.threadCpuUsage();
  return { monotonic: performance.now(), computed: (user + system) / 1000 };
}

/**
 * Notices afterwards that the event loop stood still, which nothing else does where no service manager ends
 * a program that hangs: counts it, and raises an alarm that begins when the loop stopped.
 */
export class Stalls {
  readonly metrics: Metric[];
  readonly #options: StallsOptions;
  #time: NonNullable<StallsOptions['time']>;
  #stalls: Stall[] = [];
  /** Of which no alarm could be stored yet. */
  #untold: Stall[] = [];
  #turned: ReturnType<NonNullable<StallsOptions['time']>>;
  #timer: NodeJS.Timeout | null = null;
  #loop: Loop | null = null;

  constructor(options: StallsOptions) {
    this.#options = options;
    this.#time = options.time ?? ownTime;
    this.#turned = this.#time();
    this.metrics = [
      gauge(
        'fieldline_stalls',
        'Times of the last 30 days that the program did not run for 5 s or longer',
        () =>
          [true, false].map((busy) => ({
            labels: { how: busy ? 'computing' : 'waiting' },
            value: counted(this.#stalls, options.clock.now()).filter((one) => one.busy === busy).length,
          })),
      ),
    ];
  }

  begin(alarms: AlarmPort, instance: string): void {
    const { dir, clock, log } = this.#options;
    try {
      this.#stalls = counted(readStalls(dir), clock.now());
    } catch (error) {
      log.warn({ err: error }, 'the stalls of before cannot be read; they are counted anew');
    }
    this.#loop = new Loop({
      name: 'stalls',
      interval: LOOK_EVERY_MS,
      log,
      round: () => this.tell(alarms, instance),
    });
    this.#loop.start();
    this.#turned = this.#time();
    this.#timer = setInterval(() => this.turn(), TURN_EVERY_MS).unref();
  }

  /** The event loop turns. */
  turn(): void {
    const { dir, clock, log } = this.#options;
    const [before, now] = [this.#turned, this.#time()];
    this.#turned = now;
    const passed = { ms: now.monotonic - before.monotonic, computedMs: now.computed - before.computed };
    const stall = stallOf(passed, TURN_EVERY_MS, clock.now());
    if (stall === null) return;
    log.warn({ stalledMs: stall.ms, computing: stall.busy }, 'the program did not run');
    this.#untold.push(stall);
    this.#stalls = counted([...this.#stalls, stall], stall.at);
    try {
      writeStalls(dir, this.#stalls);
    } catch (error) {
      log.warn({ err: error }, 'a stall of the program cannot be noted');
    }
    this.#loop?.kick();
  }

  /** Raises the alarm for what is new, and ends it when it has not happened again for a day. */
  async tell(alarms: AlarmPort, instance: string): Promise<void> {
    for (let stall = this.#untold[0]; stall; stall = this.#untold[0]) {
      await this.#raise(alarms, instance, stall);
      this.#untold.shift();
    }
    const filter = { tenantCode: null, includeCleared: false, instance, keys: [KEY] };
    const now = this.#options.clock.now();
    for (const { lastAt } of await alarms.list(filter, 1))
      if (now - lastAt >= STALL_STANDS_MS) await alarms.clear(KEY, instance, now);
  }

  async #raise(alarms: AlarmPort, instance: string, { at, ms, busy }: Stall): Promise<void> {
    const again = repetition(this.#stalls, at);
    const params = {
      seconds: seconds(ms),
      until: formatTime(at),
      how: { code: busy ? 'stalled_computing' : 'stalled_waiting', params: {} },
      again:
        again === null
          ? ''
          : ({ code: 'stalled_again', params: { count: again.count, hours: again.hours } } as const),
    } as const;
    const text = alarmText(coreAlarmMessages, { code: KEY, params });
    const severity = again?.severity ?? 'warning';
    await alarms.raise({ key: KEY, instance, tenantCode: null, severity, since: at - ms, ...text }, at);
  }

  view(): StallsView {
    return viewStalls(this.#stalls, this.#options.clock.now(), formatTime);
  }

  async end(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#loop?.stop();
  }
}
