import { type Clock, stampOf } from '../../clock.ts';
import type { AlarmPort } from '../../core/alarm/port.ts';
import { alarmText } from '../../core/alarm/alarm-text.ts';
import type { EventPort } from '../../core/event/port.ts';
import type { EventRecord } from '../../core/event/record.ts';
import { isNarrowed } from '../../core/subscription/decide.ts';
import type { SubscriptionService } from '../../core/subscription/service.ts';
import type { Batch } from '../../core/subscription/scan.ts';
import type { Actor } from '../../http/actor.ts';
import { AppError } from '../../http/error.ts';
import type { Logger } from '../../log.ts';
import { Loop, type RoundResult } from '../../loop.ts';
import { agentMessages } from '../agent-messages.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import { AGENT, type HandleEvent, type HandleOutcome } from './record.ts';
import { type AgentLease, type AgentPort, LeaseLost } from './port.ts';
import type { LeaderLease } from './leader-lease.ts';

/** Well below the watermark of 2 s, so that an event is decided on within 2.5 s of its receipt. */
const INTERVAL_MS = 200;
const BATCH = 200;
/**
 * Events of one transaction: intake never waits for a long one, unless there is a backlog to be worked off.
 */
const CHUNK = { keepingUp: 1, behind: 16 };
/** How often another process looks whether the agent is gone. */
const STANDBY_MS = 2_000;
/** While no event comes, the subscription is looked at this often, ms: a person may have disabled it. */
const LOOK_MS = 2_000;
const PAUSED_MS = 2_000;

/** Points between an event and its acknowledgement, for tests that end the process there. */
export type AgentStep = 'pulled' | 'decided' | 'written' | 'acknowledged';
export type AgentSteps = (step: AgentStep) => void;

export interface AgentOptions {
  agent: AgentPort;
  subscriptions: SubscriptionService;
  events: Pick<EventPort, 'bounds'>;
  ruleSet: Pick<RuleSet, 'choose' | 'thresholds' | 'refresh'>;
  leader: LeaderLease;
  alarms: AlarmPort;
  /** Tenants that are served; null: every one. */
  tenants: readonly string[] | null;
  summaries: boolean;
  clock: Clock;
  log: Logger;
  self: string;
  /** Called when notifications wait to be sent. */
  onNotifications: () => void;
  steps?: AgentSteps | undefined;
}

export const AGENT_ACTOR: Actor = { kind: 'admin', name: AGENT, tenantCode: null };

/**
 * Takes events as any consumer does, under the name `agent`, and acts on those that arose here. An event's
 * effects are one transaction; the cursor is acknowledged after them, and an event that comes again finds its
 * decision. So each event has its effects exactly once, wherever the process ends.
 */
export class Agent {
  readonly loop: Loop;
  readonly counts = {
    task: 0,
    suppressed: 0,
    judged: 0,
    observed: 0,
    replayed: 0,
    gone: 0,
    elsewhere: 0,
    failed: 0,
  };
  paused = false;
  #options: AgentOptions;
  #registered = false;
  /** Newest event when this process began. */
  #from = 0;
  /** The newest event when all were done, and the monotonic ms of that. */
  #done = { head: -1, at: -Infinity };
  /** Tenants that events have come of since the start. */
  #met = new Set<string>();

  constructor(options: AgentOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: AGENT,
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      backoff: { first: 250, cap: 10_000, jitter: 0.2 },
      round: (signal) => this.round(signal),
    });
  }

  /**
   * To be called before the store takes events: its first start acts on all that come from then on, however
   * late its first round is.
   */
  async begin(): Promise<void> {
    this.#from = (await this.#options.events.bounds()).highWaterMark;
  }

  async round(signal: AbortSignal): Promise<RoundResult> {
    const { leader, steps, subscriptions, events, clock } = this.#options;
    const lease = await leader.acquire();
    if (!lease) return { again: false, pauseMs: STANDBY_MS };
    const { highWaterMark } = await events.bounds();
    if (highWaterMark === this.#done.head && clock.monotonic() - this.#done.at < LOOK_MS)
      return { again: false };
    const batch = await this.#pull();
    if (!batch) return { again: false, pauseMs: PAUSED_MS };
    if (batch.cursor >= batch.nextCursor) {
      if (batch.cursor === highWaterMark) this.#done = { head: highWaterMark, at: clock.monotonic() };
      return { again: false };
    }
    steps?.('pulled');
    const chunk = batch.hasMore ? CHUNK.behind : CHUNK.keepingUp;
    for (let at = 0; at < batch.items.length && !signal.aborted; at += chunk)
      await this.#act(batch.items.slice(at, at + chunk), lease);
    if (signal.aborted) return { again: false };
    await subscriptions.ack(AGENT, { cursor: batch.nextCursor }, AGENT_ACTOR);
    steps?.('acknowledged');
    return { again: batch.hasMore };
  }

  /** @returns null while a person has the subscription disabled, or when the cursor had to be set anew */
  async #pull(): Promise<(Batch & { cursor: number }) | null> {
    const { subscriptions } = this.#options;
    if (!this.#registered) await this.#register();
    try {
      const batch = await subscriptions.since(AGENT, { limit: BATCH, includeTest: true }, AGENT_ACTOR);
      this.paused = false;
      return batch;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'subscription_disabled') this.paused = true;
      else if (error.code === 'not_found') this.#registered = false;
      else if (error.code === 'cursor_expired') await this.#goOn(error);
      else throw error;
      return null;
    }
  }

  async #register(): Promise<void> {
    const { subscriptions, events, log } = this.#options;
    const found = await subscriptions.find(AGENT);
    if (!found) {
      const { oldest, highWaterMark } = await events.bounds();
      await subscriptions.register(
        {
          consumer: AGENT,
          enabled: true,
          start_cursor: Math.min(highWaterMark, Math.max(this.#from, oldest - 1)),
        },
        AGENT,
      );
    } else if (isNarrowed(found)) {
      const { tenantCode, eventTypes, minSeverity } = found;
      log.warn(
        { tenantCode, eventTypes, minSeverity },
        'the subscription of the response rules was narrowed; it takes every event again',
      );
      await subscriptions.register({ consumer: AGENT, enabled: found.enabled }, AGENT);
    }
    this.#registered = true;
  }

  /** Retention has deleted events that the agent had not come to. */
  async #goOn(error: AppError): Promise<void> {
    const { subscriptions, alarms, self, clock } = this.#options;
    const oldest = Number(error.extra?.oldest ?? 1);
    const cursor = (await subscriptions.find(AGENT))?.cursor ?? 0;
    await alarms.raise(
      {
        key: 'agent_events_missed',
        instance: self,
        tenantCode: null,
        severity: 'critical',
        ...alarmText(
          agentMessages,
          { code: 'agent_events_missed', params: { events: oldest - 1 - cursor } },
          { from: cursor + 1, to: oldest - 1 },
        ),
      },
      clock.now(),
    );
    await subscriptions.ack(AGENT, { cursor: oldest - 1 }, AGENT_ACTOR);
  }

  async #act(events: readonly EventRecord[], lease: AgentLease): Promise<void> {
    const { steps, onNotifications } = this.#options;
    const served = events.filter((event) => this.#serves(event));
    await this.#meet(served);
    const commands = served.map((event) => this.#command(event));
    this.counts.elsewhere += events.length - commands.length;
    if (commands.length === 0) return;
    steps?.('decided');
    const outcomes = await this.#handle(commands, lease);
    steps?.('written');
    for (const outcome of outcomes) await this.#settle(outcome);
    if (outcomes.some((one) => one.kind === 'decided' && one.notifications > 0)) onNotifications();
  }

  /**
   * The first event of a tenant may come of a node that is younger than the rules in memory, which are those
   * of tenants with nodes.
   */
  async #meet(events: readonly EventRecord[]): Promise<void> {
    if (events.every(({ tenantCode }) => this.#met.has(tenantCode))) return;
    await this.#options.ruleSet.refresh();
    for (const { tenantCode } of events) this.#met.add(tenantCode);
  }

  /** Events of other instances have an agent there. */
  #serves({ instance, tenantCode }: EventRecord): boolean {
    const { tenants } = this.#options;
    return instance === null && (tenants === null || tenants.includes(tenantCode));
  }

  #command(event: EventRecord): HandleEvent {
    const { ruleSet, summaries } = this.#options;
    const { escalateGraceS, trajMinLink, trajLinkGapS, trajSameCamGapS } = ruleSet.thresholds(
      event.tenantCode,
    );
    return {
      eventId: event.id,
      choice: ruleSet.choose(event),
      graceS: escalateGraceS,
      summaries,
      links: {
        minLink: trajMinLink,
        linkGapMs: trajLinkGapS * 1000,
        sameCameraGapMs: trajSameCamGapS * 1000,
      },
    };
  }

  /** One event that cannot be acted on is named by an alarm and does not stand in the way of the others. */
  async #handle(commands: readonly HandleEvent[], lease: AgentLease): Promise<HandleOutcome[]> {
    const { agent, leader, clock } = this.#options;
    try {
      return await agent.handle(commands, lease, stampOf(clock));
    } catch (error) {
      if (error instanceof LeaseLost) leader.lost();
      if (error instanceof LeaseLost || error instanceof AppError) throw error;
      const [only, ...others] = commands;
      if (only && others.length === 0) return this.#refused(only, error);
      const outcomes: HandleOutcome[] = [];
      for (const command of commands) outcomes.push(...(await this.#handle([command], lease)));
      return outcomes;
    }
  }

  async #refused({ eventId }: HandleEvent, error: unknown): Promise<HandleOutcome[]> {
    const { alarms, self, clock, log } = this.#options;
    this.counts.failed += 1;
    log.error({ err: error, eventId }, 'the agent could not act on an event');
    await alarms.raise(
      {
        key: `agent_event_failed:${eventId}`,
        instance: self,
        tenantCode: null,
        severity: 'critical',
        ...alarmText(agentMessages, { code: 'agent_event_failed', params: { eventId } }, { eventId }),
      },
      clock.now(),
    );
    return [];
  }

  async #settle(outcome: HandleOutcome): Promise<void> {
    if (outcome.kind !== 'decided') {
      this.counts[outcome.kind] += 1;
      return;
    }
    this.counts[outcome.decision.outcome] += 1;
    const { alarms, self, clock } = this.#options;
    const { tenantCode } = outcome.decision;
    for (const channel of new Set(outcome.unconfigured)) {
      await alarms.raise(
        {
          key: `channel_missing:${tenantCode}:${channel}`,
          instance: self,
          tenantCode,
          severity: 'warning',
          ...alarmText(
            agentMessages,
            { code: 'channel_missing', params: { tenant: tenantCode, channel } },
            { channel },
          ),
        },
        clock.now(),
      );
    }
    if (outcome.decision.note?.includes('waited too long')) {
      await alarms.raise(
        {
          key: `agent_late:${tenantCode}`,
          instance: self,
          tenantCode,
          severity: 'warning',
          ...alarmText(agentMessages, { code: 'agent_late', params: { tenant: tenantCode } }),
        },
        clock.now(),
      );
    }
  }
}
