import type { Clock } from '../../common/clock.ts';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { Logger } from '../../common/log.ts';
import { Loop } from '../../common/loop.ts';
import { hubMessages } from '../hub-messages.ts';
import type { LastUse } from './client/last-use.ts';
import type { DeliveryQueuePort, TokenPort } from './port.ts';
import { FAILING_ALARM, failingAlarm } from './sender.ts';
import { TokenHolds } from './token/holds.ts';

const INTERVAL_MS = 30_000;
/**
 * A delivery that nobody sends for longer than this has been forgotten by the senders, or they cannot keep
 * up.
 */
const OVERDUE_MS = 60_000;
/** Rows of one statement, and statements of one round. */
const SWEEP = { rows: 1_000, steps: 20 };
const DAY_MS = 86_400_000;
/** Alarms that one round looks at. */
const ALARMS = 1_000;
const OVERDUE_ALARM = 'webhook.deliveries_overdue';

export interface UpkeepOptions {
  queue: DeliveryQueuePort;
  tokens: TokenPort;
  use: LastUse;
  alarms: AlarmPort;
  clock: Clock;
  log: Logger;
  instance: string;
  /** Days that settled deliveries, and the events behind them, are kept. */
  keepDays: number;
}

/** Watches over the deliveries, and clears away what is old, in bounded steps. */
export class IntegrationUpkeep {
  readonly loop: Loop;
  readonly counts = { swept: 0 };
  readonly #options: UpkeepOptions;
  #holds: TokenHolds;

  constructor(options: UpkeepOptions) {
    const { clock, log } = options;
    this.#options = options;
    this.#holds = new TokenHolds(options);
    this.loop = new Loop({
      name: 'integration upkeep',
      interval: INTERVAL_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  async round(signal?: AbortSignal): Promise<void> {
    await this.#exhaust();
    await this.#watch();
    await this.#clear();
    await this.#holds.look();
    await this.#options.use.flush();
    const now = this.#options.clock.now();
    await this.#steps((limit) => this.#options.tokens.sweep(now, limit), signal);
    await this.#steps(
      (limit) => this.#options.queue.sweep(now - this.#options.keepDays * DAY_MS, limit),
      signal,
    );
  }

  async #exhaust(): Promise<void> {
    for (const { webhookId, tenantCode, id } of await this.#options.queue.exhaust(
      this.#options.clock.now(),
      SWEEP.rows,
    )) {
      await this.#options.alarms.raise(
        {
          key: failingAlarm(webhookId),
          instance: this.#options.instance,
          shared: true,
          tenantCode,
          severity: 'warning',
          ...alarmText(
            hubMessages,
            { code: 'webhook_sender_lost', params: {} },
            { webhookId, deliveryId: id },
          ),
        },
        this.#options.clock.now(),
      );
    }
  }

  async #watch(): Promise<void> {
    const now = this.#options.clock.now();
    const { count, oldest } = await this.#options.queue.overdue(now - OVERDUE_MS);
    if (count === 0) {
      await this.#options.alarms.clear(OVERDUE_ALARM, null, now);
      return;
    }
    await this.#options.alarms.raise(
      {
        key: OVERDUE_ALARM,
        instance: this.#options.instance,
        shared: true,
        tenantCode: null,
        severity: 'critical',
        ...alarmText(
          hubMessages,
          { code: 'webhooks_overdue', params: { count } },
          { count, oldestDueAt: oldest },
        ),
      },
      now,
    );
  }

  /**
   * Clears alarms of webhooks whose cause ended without another attempt: deleted, disabled, or given another
   * address.
   */
  async #clear(): Promise<void> {
    const standing = await this.#options.alarms.list(
      { tenantCode: null, includeCleared: false, keys: [FAILING_ALARM] },
      ALARMS,
    );
    if (standing.length === 0) return;
    const over = new Set(
      await this.#options.queue.settledSince(
        standing.map(({ key, lastAt }) => ({ webhookId: key.slice(FAILING_ALARM.length), at: lastAt })),
      ),
    );
    for (const { key, instance } of standing)
      if (over.has(key.slice(FAILING_ALARM.length)))
        await this.#options.alarms.clear(key, instance, this.#options.clock.now());
  }

  async #steps(sweep: (limit: number) => Promise<number>, signal: AbortSignal | undefined): Promise<void> {
    for (let step = 0; step < SWEEP.steps && !signal?.aborted; step += 1) {
      const gone = await sweep(SWEEP.rows);
      this.counts.swept += gone;
      if (gone === 0) return;
    }
  }
}
