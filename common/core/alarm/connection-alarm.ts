import type { Clock } from '../../clock.ts';
import type { ConnectionCounts } from '../../http/connections.ts';
import type { Logger } from '../../log.ts';
import { Loop } from '../../loop.ts';
import { coreAlarmMessages } from './alarm-messages.ts';
import { alarmText } from './alarm-text.ts';
import type { AlarmPort } from './port.ts';

const LOOK_EVERY_MS = 15_000;
const CALM_MS = 600_000;
const CODE = 'connections_full';

export interface ConnectionAlarmOptions {
  counts: ConnectionCounts;
  alarms: AlarmPort;
  instance: string;
  clock: Clock;
  log: Logger;
}

/** Tells when connections are refused, or closed to make room. */
export class ConnectionAlarm {
  readonly loop: Loop;
  readonly #options: ConnectionAlarmOptions;
  #seen = { refused: 0, evicted: 0 };
  /** When it happened last, monotonic ms; null: not since the alarm was cleared. */
  #lastAt: number | null;

  constructor(options: ConnectionAlarmOptions) {
    this.#options = options;
    const { clock, log } = options;
    // One of a process that has ended is over after the same time.
    this.#lastAt = clock.monotonic();
    this.loop = new Loop({
      name: 'connections',
      interval: LOOK_EVERY_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: () => this.look(),
    });
  }

  async look(): Promise<void> {
    const { counts, alarms, instance, clock } = this.#options;
    const { refused, evicted } = counts;
    const since = { refused: refused - this.#seen.refused, evicted: evicted - this.#seen.evicted };
    if (since.refused + since.evicted > 0) {
      const text = alarmText(coreAlarmMessages, { code: CODE, params: since }, since);
      const alarm = { key: CODE, instance, tenantCode: null, severity: 'warning', ...text } as const;
      await alarms.raise(alarm, clock.now());
      this.#seen = { refused, evicted };
      this.#lastAt = clock.monotonic();
    } else if (this.#lastAt !== null && clock.monotonic() - this.#lastAt >= CALM_MS) {
      await alarms.clear(CODE, instance, clock.now());
      this.#lastAt = null;
    }
  }
}
