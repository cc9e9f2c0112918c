// How the agent reads events: as the consumer `agent`, by the subscription that any consumer has.
import type { Clock } from '../../clock.ts';
import type { AlarmPort } from '../../core/alarm/port.ts';
import type { EventPort } from '../../core/event/port.ts';
import { isNarrowed } from '../../core/subscription/decide.ts';
import type { Pulled, SubscriptionService } from '../../core/subscription/service.ts';
import { AppError } from '../../http/error.ts';
import type { Logger } from '../../log.ts';
import { eventsMissed } from './alarms.ts';
import { AGENT, AGENT_ACTOR } from './record.ts';

const BATCH = 200;

export interface AgentSubscriptionOptions {
  subscriptions: SubscriptionService;
  events: Pick<EventPort, 'bounds'>;
  alarms: AlarmPort;
  clock: Clock;
  log: Logger;
  /** Instance that raises the alarms. */
  self: string;
}

export class AgentSubscription {
  /** Whether a person has disabled the subscription, as of the last pull. */
  paused = false;
  readonly #options: AgentSubscriptionOptions;
  #registered = false;
  /** Newest event when this process began. */
  #from = 0;

  constructor(options: AgentSubscriptionOptions) {
    this.#options = options;
  }

  /**
   * To be called before the store takes events: the first registration ever starts with those that come from
   * then on, however late the first pull is.
   */
  async begin(): Promise<void> {
    this.#from = (await this.#options.events.bounds()).highWaterMark;
  }

  /** @returns null while a person has the subscription disabled, or when the cursor had to be set anew */
  async pull(): Promise<Pulled | null> {
    if (!this.#registered) await this.#register();
    try {
      const batch = await this.#options.subscriptions.since(
        AGENT,
        { limit: BATCH, includeTest: true },
        AGENT_ACTOR,
      );
      this.paused = false;
      return batch;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'subscription_disabled') this.paused = true;
      else if (error.code === 'not_found') this.#registered = false;
      else if (error.code === 'cursor_expired') await this.#skipDeleted(error);
      else throw error;
      return null;
    }
  }

  async ack(cursor: number): Promise<void> {
    await this.#options.subscriptions.ack(AGENT, { cursor }, AGENT_ACTOR);
  }

  async #register(): Promise<void> {
    const found = await this.#options.subscriptions.find(AGENT);
    if (!found) {
      const { oldest, highWaterMark } = await this.#options.events.bounds();
      const start = Math.min(highWaterMark, Math.max(this.#from, oldest - 1));
      await this.#options.subscriptions.register(
        { consumer: AGENT, enabled: true, start_cursor: start },
        AGENT,
      );
    } else if (isNarrowed(found)) {
      const { tenantCode, eventTypes, minSeverity } = found;
      this.#options.log.warn(
        { tenantCode, eventTypes, minSeverity },
        'the subscription of the response rules was narrowed; it takes every event again',
      );
      const everything = { tenant_code: null, event_types: null, min_severity: null };
      const pulled = { push_url: null, secret_ref: null };
      await this.#options.subscriptions.register({ consumer: AGENT, ...everything, ...pulled }, AGENT);
    }
    this.#registered = true;
  }

  /** Retention has deleted events that the agent had not come to: raises an alarm and goes on behind them. */
  async #skipDeleted(error: AppError): Promise<void> {
    const oldest = Number(error.extra?.oldest ?? 1);
    const cursor = (await this.#options.subscriptions.find(AGENT))?.cursor ?? 0;
    await this.#options.alarms.raise(
      eventsMissed(this.#options.self, { from: cursor + 1, to: oldest - 1 }),
      this.#options.clock.now(),
    );
    await this.ack(oldest - 1);
  }
}
