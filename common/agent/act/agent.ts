import { setTimeout as pause } from 'node:timers/promises';
import { stampOf } from '../../clock.ts';
import type { EventRecord } from '../../core/event/record.ts';
import { AppError } from '../../http/error.ts';
import { Loop, type RoundResult } from '../../loop.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import { questionOf } from '../summary/description.ts';
import { agentLate, channelMissing, eventFailed, rulesMissing } from './alarms.ts';
import type { LeaderLease } from './leader-lease.ts';
import { LATE_NOTE } from './note-messages.ts';
import { type AgentLease, type AgentPort, LeaseLost } from './port.ts';
import { AGENT, type ClauseOnTask, type HandleEvent, type HandleOutcome } from './record.ts';
import { AgentSubscription, type AgentSubscriptionOptions } from './subscription.ts';

/** Well below the watermark of 2 s, so that an event is decided on within 2.5 s of its receipt. */
const INTERVAL_MS = 200;
/** Events of one transaction: short ones, so that intake never waits, unless there is a backlog. */
const CHUNK = { keepingUp: 1, behind: 16 };
/** While another process is the agent, this one tries to take its place this often. */
const STANDBY_MS = 2_000;
/** While no event comes, the subscription is looked at this often, ms: a person may have disabled it. */
const LOOK_MS = 2_000;
/** While a person has the subscription disabled, it is looked at this often. */
const PAUSED_MS = 2_000;

/** Longest that an event waits for the clause that applies to it. */
const CLAUSE_WITHIN_MS = 500;

/** The clause of a tenant's policies in force that is about something, if one certainly is. */
export type FindClause = (tenantCode: string, about: string) => Promise<ClauseOnTask | null>;

/** Points between an event and its acknowledgement, for tests that end the process there. */
export type AgentStep = 'pulled' | 'decided' | 'written' | 'acknowledged';
export type AgentSteps = (step: AgentStep) => void;

export interface AgentOptions extends AgentSubscriptionOptions {
  agent: AgentPort;
  ruleSet: Pick<RuleSet, 'choose' | 'thresholds' | 'refresh' | 'unreached'>;
  leader: LeaderLease;
  /** Tenants that are served; null: every one. */
  tenants: readonly string[] | null;
  /** Whether a language model is there to be asked for summaries. */
  summaries: boolean;
  /** Whether headquarters delivers what no channel here can. */
  handsUp: () => boolean;
  /** Address of a task's page, which its number completes; null: messages name none. */
  taskPages: string | null;
  /** null: there are no policies here. */
  clauses: FindClause | null;
  /** Called when notifications wait to be sent. */
  onNotifications: () => void;
  steps?: AgentSteps | undefined;
}

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
  #subscription: AgentSubscription;
  readonly #options: AgentOptions;
  /** The newest event when all were done, and the monotonic ms of that. */
  #done = { head: -1, at: -Infinity };
  /** Tenants that events have come of since the start. */
  #met = new Set<string>();

  constructor(options: AgentOptions) {
    this.#subscription = new AgentSubscription(options);
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

  /** Whether a person has disabled the subscription. */
  get paused(): boolean {
    return this.#subscription.paused;
  }

  /**
   * To be called before the store takes events: its first start acts on all that come from then on, however
   * late its first round is.
   */
  begin(): Promise<void> {
    return this.#subscription.begin();
  }

  async round(signal: AbortSignal): Promise<RoundResult> {
    const lease = await this.#options.leader.acquire();
    if (!lease) return { again: false, pauseMs: STANDBY_MS };
    const { highWaterMark } = await this.#options.events.bounds();
    if (highWaterMark === this.#done.head && this.#options.clock.monotonic() - this.#done.at < LOOK_MS)
      return { again: false };
    const batch = await this.#subscription.pull();
    if (!batch) return { again: false, pauseMs: PAUSED_MS };
    if (batch.after >= batch.nextCursor) {
      if (batch.after === highWaterMark)
        this.#done = { head: highWaterMark, at: this.#options.clock.monotonic() };
      return { again: false };
    }
    this.#options.steps?.('pulled');
    const chunk = batch.hasMore ? CHUNK.behind : CHUNK.keepingUp;
    for (let at = 0; at < batch.items.length && !signal.aborted; at += chunk)
      await this.#act(batch.items.slice(at, at + chunk), lease);
    if (signal.aborted) return { again: false };
    await this.#subscription.ack(batch.nextCursor);
    this.#options.steps?.('acknowledged');
    return { again: batch.hasMore };
  }

  async #act(events: readonly EventRecord[], lease: AgentLease): Promise<void> {
    const served = events.filter((event) => this.#serves(event));
    await this.#meet(served);
    const commands: HandleEvent[] = [];
    for (const event of served) commands.push(await this.#command(event));
    this.counts.elsewhere += events.length - commands.length;
    if (commands.length === 0) return;
    this.#options.steps?.('decided');
    const outcomes = await this.#handle(commands, lease);
    this.#options.steps?.('written');
    for (const outcome of outcomes) await this.#settle(outcome);
    await this.#tellUnruled(served, outcomes);
    if (outcomes.some((one) => one.kind === 'decided' && one.notifications > 0))
      this.#options.onNotifications();
  }

  /**
   * Loads the rules anew at the first event of a tenant: only those of tenants with nodes are kept in memory,
   * and the tenant's first node may be younger than they are.
   */
  async #meet(events: readonly EventRecord[]): Promise<void> {
    if (events.every(({ tenantCode }) => this.#met.has(tenantCode))) return;
    await this.#options.ruleSet.refresh();
    for (const { tenantCode } of events) this.#met.add(tenantCode);
  }

  /** An event that arose at another instance is acted on by the agent there. */
  #serves({ instance, tenantCode }: EventRecord): boolean {
    return (
      instance === null && (this.#options.tenants === null || this.#options.tenants.includes(tenantCode))
    );
  }

  async #command(event: EventRecord): Promise<HandleEvent> {
    const thresholds = this.#options.ruleSet.thresholds(event.tenantCode);
    return {
      eventId: event.id,
      choice: this.#options.ruleSet.choose(event),
      clause: await this.#clauseFor(event),
      graceS: thresholds.escalateGraceS,
      summaries: this.#options.summaries,
      handsUp: this.#options.handsUp(),
      taskPages: this.#options.taskPages,
      links: {
        minLink: thresholds.trajMinLink,
        linkGapMs: thresholds.trajLinkGapS * 1000,
        sameCameraGapMs: thresholds.trajSameCamGapS * 1000,
      },
    };
  }

  /** Nobody waits long for it, and none is better than a late message. */
  async #clauseFor(event: EventRecord): Promise<ClauseOnTask | null> {
    const { clauses, log } = this.#options;
    if (!clauses || event.kind === 'observation') return null;
    const late = new AbortController();
    try {
      const found = clauses(event.tenantCode, questionOf(event));
      return await Promise.race([found, pause(CLAUSE_WITHIN_MS, null, { signal: late.signal })]);
    } catch (error) {
      log.debug({ err: error, eventId: event.id }, 'no clause was looked up for an event');
      return null;
    } finally {
      late.abort();
    }
  }

  /**
   * When a transaction of several fails, each event is tried alone, so that one that cannot be acted on is
   * named by an alarm and does not stand in the way of the others.
   */
  async #handle(commands: readonly HandleEvent[], lease: AgentLease): Promise<HandleOutcome[]> {
    try {
      return await this.#options.agent.handle(commands, lease, stampOf(this.#options.clock));
    } catch (error) {
      if (error instanceof LeaseLost) this.#options.leader.lost();
      if (error instanceof LeaseLost || error instanceof AppError) throw error;
      const [only, ...others] = commands;
      if (only && others.length === 0) return this.#passOver(only, error);
      const outcomes: HandleOutcome[] = [];
      for (const command of commands) outcomes.push(...(await this.#handle([command], lease)));
      return outcomes;
    }
  }

  async #passOver({ eventId }: HandleEvent, error: unknown): Promise<HandleOutcome[]> {
    this.counts.failed += 1;
    this.#options.log.error({ err: error, eventId }, 'the agent could not act on an event');
    await this.#options.alarms.raise(eventFailed(this.#options.self, eventId), this.#options.clock.now());
    return [];
  }

  /** Without headquarters' rules nobody may be told of what is critical; then a person must be. */
  async #tellUnruled(events: readonly EventRecord[], outcomes: readonly HandleOutcome[]): Promise<void> {
    if (!this.#options.ruleSet.unreached) return;
    const silent = outcomes.find(
      (one) =>
        one.kind === 'decided' &&
        one.decision.outcome === 'task' &&
        one.notifications === 0 &&
        events.some(
          ({ id, severity, isTest }) => id === one.decision.eventId && severity === 'critical' && !isTest,
        ),
    );
    if (silent?.kind !== 'decided') return;
    await this.#options.alarms.raise(
      rulesMissing(this.#options.self, silent.decision.eventId),
      this.#options.clock.now(),
    );
  }

  async #settle(outcome: HandleOutcome): Promise<void> {
    if (outcome.kind !== 'decided') {
      this.counts[outcome.kind] += 1;
      return;
    }
    const { decision, unconfigured } = outcome;
    this.counts[decision.outcome] += 1;
    for (const channel of new Set(unconfigured))
      await this.#options.alarms.raise(
        channelMissing(this.#options.self, decision.tenantCode, channel),
        this.#options.clock.now(),
      );
    if (decision.note === LATE_NOTE)
      await this.#options.alarms.raise(
        agentLate(this.#options.self, decision.tenantCode),
        this.#options.clock.now(),
      );
  }
}
