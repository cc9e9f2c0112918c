import type { Clock } from '../../clock.ts';
import type { Logger } from '../../log.ts';
import { type FailingLoop, failingLoops, Loop, loopCounts, retryFailed, watchLoops } from '../../loop.ts';
import { counter, type Metric } from '../../metrics.ts';
import { coreAlarmMessages } from './alarm-messages.ts';
import { alarmText } from './alarm-text.ts';
import type { AlarmPort, AlarmRecord } from './port.ts';

const LOOK_EVERY_MS = 15_000;
/** An alarm that nobody has raised again for so long is of a process that is no more, ms. */
const STALE_MS = 120_000;
const CODE = 'loop_failing';
const MOST = 1_000;
const ERROR_CHARS = 300;

export interface LoopAlarmsOptions {
  alarms: AlarmPort;
  instance: string;
  clock: Clock;
  log: Logger;
}

/**
 * An alarm for each kind of background work of this process that fails for good, until its next success. It
 * knows the loops from their class: none has to be named here.
 */
export class LoopAlarms {
  readonly loop: Loop;
  readonly #options: LoopAlarmsOptions;
  /** Stands for this process: others may have loops of the same names. */
  readonly #process: string;
  #unwatch: () => void = () => undefined;
  #failed = false;

  constructor(options: LoopAlarmsOptions) {
    this.#options = options;
    const { clock, log } = options;
    this.#process = clock.newId();
    this.loop = new Loop({
      name: 'loop alarms',
      interval: LOOK_EVERY_MS,
      backoff: { first: 1_000, cap: LOOK_EVERY_MS, jitter: 0.2 },
      log,
      round: () => this.look(),
    });
  }

  start(): void {
    this.#unwatch = watchLoops(() => this.loop.kick());
    this.loop.start();
  }

  stop(): Promise<void> {
    this.#unwatch();
    return this.loop.stop();
  }

  /** What could not be stored is looked at again once it can, when the others have tried again. */
  async look(): Promise<void> {
    try {
      const standing = await this.#standing();
      if (this.#failed) retryFailed();
      else await this.#tell(standing);
      this.#failed = false;
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }

  async #tell(standing: readonly AlarmRecord[]): Promise<void> {
    const { alarms, instance, clock } = this.#options;
    const failing = Map.groupBy(failingLoops(), ({ name }) => `${CODE}:${name}`);
    for (const [key, [worst]] of failing) {
      if (!worst) continue;
      const text = alarmText(coreAlarmMessages, messageOf(worst), { process: this.#process });
      const alarm = { key, instance, tenantCode: null, severity: 'critical', ...text } as const;
      await alarms.raise(alarm, clock.now());
    }
    for (const one of standing)
      if (!failing.has(one.key) && this.#isOver(one)) await alarms.clear(one.key, one.instance, clock.now());
  }

  #isOver({ details, lastAt }: AlarmRecord): boolean {
    const own = (details as { process?: unknown } | null)?.process === this.#process;
    return own || this.#options.clock.now() - lastAt > STALE_MS;
  }

  /** Those of a site, which headquarters shows too, are under the name of the site. */
  async #standing(): Promise<AlarmRecord[]> {
    const { alarms, instance } = this.#options;
    const filter = { tenantCode: null, includeCleared: false, instance, keys: [`${CODE}:`] };
    return alarms.list(filter, MOST);
  }
}

const messageOf = ({ name, about, failures, forMs, error }: FailingLoop) =>
  ({
    code: CODE,
    params: {
      work: about === null ? name : `${name} ${about}`,
      minutes: Math.round(forMs / 60_000),
      failures,
      error: error.slice(0, ERROR_CHARS),
    },
  }) as const;

/** Rounds of background work, by what it does. */
export const loopMetrics = (): Metric[] => [
  counter('fieldline_loop_runs_total', 'Rounds of background work since start', () =>
    [...loopCounts()].map(([loop, { runs }]) => ({ labels: { loop }, value: runs })),
  ),
  counter('fieldline_loop_failures_total', 'Rounds of it that failed', () =>
    [...loopCounts()].map(([loop, { failures }]) => ({ labels: { loop }, value: failures })),
  ),
];
