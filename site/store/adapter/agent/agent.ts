import { and, desc, eq, inArray, lt } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { cooldownKey, decideHandle } from '../../../../common/agent/act/decide.ts';
import { withTask } from '../../../../common/agent/act/notify.ts';
import type {
  AgentLease,
  AgentPort,
  DecisionFilter,
  EscalateDeadline,
  EscalationOutcome,
  ForeignOverdue,
} from '../../../../common/agent/act/port.ts';
import type {
  DeadlineRecord,
  DecisionRecord,
  HandleEvent,
  HandleOutcome,
  HandleWrites,
} from '../../../../common/agent/act/record.ts';
import { decideEscalation } from '../../../../common/agent/escalation/decide.ts';
import { chainKeys } from '../../../../common/agent/grouping/decide.ts';
import type { ChainRecord } from '../../../../common/agent/grouping/record.ts';
import type { Stamp } from '../../../../common/clock.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import { agentDeadlines, agentDecisions, agentStates } from '../../schema/tables.ts';
import type { SiteChannels } from '../channel.ts';
import type { SiteEvents } from '../event.ts';
import type { SiteNotifications } from '../notification.ts';
import type { SiteTasks } from '../task.ts';
import { AgentChains } from './chain.ts';
import { AgentCooldowns } from './cooldown.ts';
import { asked, NAME, prepareAgent } from './statements.ts';

/** The agent's own rows on SQLite. Only one process has the store open, so the lease is given at once. */
export class SiteAgent implements AgentPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #events: SiteEvents;
  #tasks: SiteTasks;
  #channels: SiteChannels;
  #notifications: SiteNotifications;
  #chains: AgentChains;
  #cooldowns: AgentCooldowns;
  #sql: ReturnType<typeof prepareAgent>;

  constructor(
    group: GroupCommit,
    orm: BetterSQLite3Database,
    events: SiteEvents,
    tasks: SiteTasks,
    channels: SiteChannels,
    notifications: SiteNotifications,
  ) {
    this.#group = group;
    this.#orm = orm;
    this.#events = events;
    this.#tasks = tasks;
    this.#channels = channels;
    this.#notifications = notifications;
    this.#chains = new AgentChains(group.sqlite, orm);
    this.#cooldowns = new AgentCooldowns(orm);
    this.#sql = prepareAgent(group.sqlite, orm);
  }

  async claim(holder: string, now: number, leaseMs: number): Promise<{ steadyAt: number } | null> {
    const held = this.#state();
    // No other process needs to see a renewal, which would wear the card.
    if (held?.lease === holder) return { steadyAt: held.steadyAt };
    return this.#group.write(() => {
      const steadyAt = this.#state()?.steadyAt ?? 0;
      const row = { name: NAME, lease: holder, leasedUntil: now + leaseMs, steadyAt };
      const change = { target: agentStates.name, set: row };
      this.#orm.insert(agentStates).values(row).onConflictDoUpdate(change).run();
      return { steadyAt };
    });
  }

  /** Does nothing: the next process is given the lease in any case. */
  async release(): Promise<void> {}

  handle(commands: readonly HandleEvent[], lease: AgentLease, stamp: Stamp): Promise<HandleOutcome[]> {
    return this.#group.write(() => {
      this.#sql.steady.run({ steadyAt: lease.steadyAt });
      return commands.map((command) => this.#handle(command, lease.steadyAt, stamp));
    });
  }

  #handle(command: HandleEvent, steadyAt: number, stamp: Stamp): HandleOutcome {
    const event = this.#events.read(command.eventId);
    const key = event && cooldownKey(event, command.choice);
    const { outcome, writes } = decideHandle(
      {
        event,
        prior: this.#decision(command.eventId),
        cooldown: key && this.#cooldowns.find(key),
        channels: event ? this.#channels.enabledOf(event.tenantCode) : [],
        chains: event ? chainKeys(event).flatMap((one) => this.#chains.newest(one)) : [],
      },
      command,
      steadyAt,
      stamp,
    );
    if (!writes || outcome.kind !== 'decided') return outcome;
    const decision = this.#write(writes, stamp);
    return { ...outcome, decision };
  }

  #write(decided: HandleWrites, stamp: Stamp): DecisionRecord {
    const made = decided.task && this.#tasks.createNow(decided.task, stamp);
    if (made && made.kind !== 'created')
      throw new Error('the event of a task that the agent makes is of another tenant');
    const {
      decision,
      cooldown,
      deadline,
      notifications: rows,
      chains,
    } = withTask(decided, made?.detail.task.id ?? null);
    this.#sql.addDecision(decision);
    if (cooldown) this.#cooldowns.put(cooldown);
    if (deadline) this.#sql.addDeadline(deadline);
    this.#notifications.add(rows);
    for (const chain of chains) this.#chains.put(chain);
    return decision;
  }

  async decisions(filter: DecisionFilter, before: number | null, limit: number): Promise<DecisionRecord[]> {
    const { tenantCode, outcome, eventId } = filter;
    return this.#orm
      .select()
      .from(agentDecisions)
      .where(
        and(
          tenantCode === null ? undefined : eq(agentDecisions.tenantCode, tenantCode),
          outcome === undefined ? undefined : eq(agentDecisions.outcome, outcome),
          eventId === undefined ? undefined : eq(agentDecisions.eventId, eventId),
          before === null ? undefined : lt(agentDecisions.eventId, before),
        ),
      )
      .orderBy(desc(agentDecisions.eventId))
      .limit(limit)
      .all();
  }

  async dueDeadlines(steadyAt: number, now: number, limit: number): Promise<DeadlineRecord[]> {
    return this.#sql.dueDeadlines.all({ steadyAt, now, limit });
  }

  escalate(command: EscalateDeadline, _lease: AgentLease, stamp: Stamp): Promise<EscalationOutcome> {
    return this.#group.write(() => {
      const found =
        this.#orm.select().from(agentDeadlines).where(eq(agentDeadlines.taskId, command.taskId)).get() ??
        null;
      const seen = this.#tasks.seen(command.taskId);
      const {
        outcome,
        deadline,
        task,
        notifications: rows,
      } = decideEscalation(
        { ...seen, deadline: found, channels: found ? this.#channels.enabledOf(found.tenantCode) : [] },
        command,
        stamp,
      );
      if (task) this.#tasks.writeNow(seen.task, task);
      if (deadline)
        this.#orm
          .update(agentDeadlines)
          .set(deadline)
          .where(eq(agentDeadlines.taskId, deadline.taskId))
          .run();
      this.#notifications.add(rows);
      return outcome;
    });
  }

  async foreignOverdue(now: number, limit: number): Promise<ForeignOverdue[]> {
    const rows = this.#sql.foreignOverdue.all({ now, limit });
    return rows.map((row) => ({ ...row, dueAt: row.dueAt ?? now }));
  }

  adopt(deadlines: readonly DeadlineRecord[]): Promise<void> {
    return this.#group.write(() => {
      for (const row of deadlines) this.#orm.insert(agentDeadlines).values(row).onConflictDoNothing().run();
    });
  }

  async pendingSummaries(after: number, limit: number): Promise<DecisionRecord[]> {
    return this.#sql.pendingSummaries.all({ after, limit });
  }

  settleSummary(eventId: number, state: 'succeeded' | 'failed'): Promise<void> {
    return this.#group.write(() => {
      this.#orm
        .update(agentDecisions)
        .set({ summary: state })
        .where(and(eq(agentDecisions.eventId, eventId), asked))
        .run();
    });
  }

  async unwrittenChains(now: number, limit: number): Promise<ChainRecord[]> {
    return this.#chains.unwritten(now, limit);
  }

  chainWritten(
    chain: Pick<ChainRecord, 'tenantCode' | 'sourceKey'>,
    eventIds: readonly number[],
  ): Promise<void> {
    return this.#group.write(() => this.#chains.written(chain, eventIds));
  }

  async sweep(
    { steadyAt, touchedBefore }: { steadyAt: number; touchedBefore: number },
    limit: number,
  ): Promise<number> {
    return this.#group.write(
      () => this.#cooldowns.sweep(steadyAt, limit) + this.#chains.sweep(touchedBefore, limit),
    );
  }

  forgetEvents(eventIds: readonly number[]): Promise<{ agent_decisions: number; notifications: number }> {
    return this.#group.write(() => ({
      agent_decisions: this.#orm
        .delete(agentDecisions)
        .where(inArray(agentDecisions.eventId, [...eventIds]))
        .run().changes,
      notifications: this.#notifications.forgetEvents(eventIds),
    }));
  }

  #state(): typeof agentStates.$inferSelect | null {
    return this.#sql.state.get() ?? null;
  }

  #decision(eventId: number): DecisionRecord | null {
    return this.#sql.decision.get({ eventId }) ?? null;
  }
}
