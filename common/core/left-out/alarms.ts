import type { Clock } from '../../clock.ts';
import type { Logger } from '../../log.ts';
import { Loop } from '../../loop.ts';
import type { Metric } from '../../metrics.ts';
import { coreAlarmMessages } from '../alarm/alarm-messages.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import type { AlarmPort } from '../alarm/port.ts';
import type { LeftOutPort } from './port.ts';
import type { LeftOut, WorkName } from './record.ts';

const LOOK_EVERY_MS = 15_000;
const CODE = 'rows_left_out';
/** A row that is still there is tried again within seconds of its time. ms */
const GONE_AFTER_MS = 2 * 3_600_000;
const MOST_ALARMS = 100_000;

export interface LeftOutAlarmsOptions {
  rows: LeftOutPort;
  alarms: AlarmPort;
  instance: string;
  clock: Clock;
  log: Logger;
}

/** Tells of rows that background work over all tenants had to leave out: an alarm by work and tenant. */
export class LeftOutAlarms {
  readonly loop: Loop;
  readonly metrics: Metric[];
  readonly #options: LeftOutAlarmsOptions;
  /** Keys of the alarms that stand, with how many rows they told of; null: not read since the start. */
  #told: ReadonlyMap<string, number> | null = null;

  constructor(options: LeftOutAlarmsOptions) {
    this.#options = options;
    const { rows, clock, log } = options;
    this.loop = new Loop({
      name: 'rows left out',
      interval: LOOK_EVERY_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: async () => {
        await this.look();
        return { again: false };
      },
    });
    this.metrics = [
      {
        name: 'fieldline_rows_left_out',
        help: 'Rows that background work could not take and goes on without, by work',
        type: 'gauge',
        read: async () =>
          (await rows.leftOut()).map(({ work, tenantCode, rows: value }) => ({
            labels: { work, tenant: tenantCode },
            value,
          })),
      },
    ];
  }

  async look(): Promise<void> {
    const { rows, alarms, instance, clock } = this.#options;
    const told = this.#told ?? (await this.#standing());
    await rows.forgetGone(clock.now() - GONE_AFTER_MS);
    const left = await rows.leftOut();
    const now = new Map(left.map((one) => [keyOf(one), one.rows]));
    for (const one of left) if (told.get(keyOf(one)) !== one.rows) await this.#tell(one);
    for (const key of told.keys()) if (!now.has(key)) await alarms.clear(key, instance, clock.now());
    this.#told = now;
  }

  async #standing(): Promise<Map<string, number>> {
    const { alarms, instance } = this.#options;
    const filter = { tenantCode: null, includeCleared: false, instance, keys: [`${CODE}:`] };
    return new Map((await alarms.list(filter, MOST_ALARMS)).map(({ key }) => [key, 0]));
  }

  async #tell(one: LeftOut): Promise<void> {
    const { alarms, instance, clock } = this.#options;
    const { work, tenantCode, rows, rowId, reason } = one;
    const params = { work: workMessage(work), count: rows, row: rowId };
    await alarms.raise(
      {
        key: keyOf(one),
        instance,
        tenantCode: tenantCode === '' ? null : tenantCode,
        severity: 'critical',
        ...alarmText(coreAlarmMessages, { code: CODE, params }, { work, rows, rowId, reason }),
      },
      clock.now(),
    );
  }
}

const keyOf = ({ work, tenantCode }: LeftOut): string => `${CODE}:${work.replaceAll(' ', '_')}:${tenantCode}`;

const workMessage = (work: WorkName) => ({ code: `work_${work.replaceAll(' ', '_')}`, params: {} });
