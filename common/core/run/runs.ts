import type { Clock } from '../../clock.ts';
import type { Logger } from '../../log.ts';
import { Loop } from '../../loop.ts';
import { gauge, type Metric } from '../../metrics.ts';
import { formatTime } from '../../time.ts';
import { coreAlarmMessages } from '../alarm/alarm-messages.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import type { AlarmPort } from '../alarm/port.ts';
import { counted, endOf, repetition, viewEnds } from './decide.ts';
import { bootOfMachine, markEnded, markRunning, readEnds, takeFound, writeEnds } from './files.ts';
import { endKinds, type UnplannedEnd } from './record.ts';
import type { UnplannedEndsView } from './schema.ts';
import { Stalls } from './stalls.ts';

const KEY = 'ends_repeat';
const LOOK_EVERY_MS = 60_000;

export interface RunsOptions {
  /** Folder of the data. */
  dir: string;
  clock: Clock;
  log: Logger;
}

/**
 * Knows at a start whether the last run was ended in order, and counts those that were not: they would leave
 * no trace for people, since the service manager starts the program again. It counts stalls of this run too.
 */
export class Runs {
  readonly metrics: Metric[];
  readonly #options: RunsOptions;
  #ends: UnplannedEnd[] = [];
  #begun = false;
  /** The end that this start found. */
  #found: UnplannedEnd | null = null;
  #loop: Loop | null = null;
  #stalls: Stalls;

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#stalls = new Stalls(options);
    this.metrics = [
      gauge('fieldline_unplanned_ends', 'Ends of the last 30 days that nobody had asked for', () => {
        const kinds = Map.groupBy(counted(this.#ends, options.clock.now()), ({ kind }) => kind);
        return endKinds.map((kind) => ({ labels: { kind }, value: kinds.get(kind)?.length ?? 0 }));
      }),
      ...this.#stalls.metrics,
    ];
  }

  /** Once the program serves: notes that it runs, and tells where ends repeat until they do so no more. */
  begin(alarms: AlarmPort, instance: string): void {
    this.#note();
    this.#stalls.begin(alarms, instance);
    this.#watch(alarms, instance);
  }

  /** What cannot be read or written is told by the log: serving goes before. */
  #note(): void {
    const { dir, clock, log } = this.#options;
    const [boot, now] = [bootOfMachine(), clock.now()];
    try {
      this.#ends = counted(this.#readEnds(), now);
      this.#found = endOf(takeFound(dir), boot, now);
      if (this.#found) {
        log.warn({ end: { ...this.#found, at: formatTime(this.#found.at) } }, 'the last run ended unplanned');
        this.#ends = [...this.#ends, this.#found];
        writeEnds(dir, this.#ends);
      }
      markRunning(dir, boot);
      this.#begun = true;
    } catch (error) {
      log.warn({ err: error }, 'how the last run ended cannot be noted');
    }
  }

  #readEnds(): UnplannedEnd[] {
    const { dir, log } = this.#options;
    try {
      return readEnds(dir);
    } catch (error) {
      log.warn({ err: error }, 'the unplanned ends of before cannot be read; they are counted anew');
      return [];
    }
  }

  #watch(alarms: AlarmPort, instance: string): void {
    const { clock, log } = this.#options;
    if (this.#ends.length === 0) return;
    const again = this.#found === null ? null : repetition(this.#ends, clock.now());
    let untold = again && this.#found ? { ...again, last: this.#found } : null;
    this.#loop = new Loop({
      name: 'unplanned ends',
      interval: LOOK_EVERY_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: async () => {
        if (untold) await this.#raise(alarms, instance, untold);
        untold = null;
        if (repetition(this.#ends, clock.now()) === null) await alarms.clear(KEY, instance, clock.now());
      },
    });
    this.#loop.start();
  }

  async #raise(
    alarms: AlarmPort,
    instance: string,
    { severity, count, hours, last }: NonNullable<ReturnType<typeof repetition>> & { last: UnplannedEnd },
  ): Promise<void> {
    const params = { count, hours, how: { code: `ended_${last.kind}`, params: {} } } as const;
    const text = alarmText(coreAlarmMessages, { code: KEY, params }, { ends: this.#ends.slice(-count) });
    const now = this.#options.clock.now();
    await alarms.raise({ key: KEY, instance, tenantCode: null, severity, ...text }, now);
  }

  view(): UnplannedEndsView {
    const ends = viewEnds(this.#ends, this.#options.clock.now(), formatTime);
    return { ...ends, stalls: this.#stalls.view() };
  }

  /** At the end of everything else: what hangs before it is no orderly end. */
  async end(): Promise<void> {
    await this.#loop?.stop();
    await this.#stalls.end();
    if (this.#begun) markEnded(this.#options.dir);
  }
}
