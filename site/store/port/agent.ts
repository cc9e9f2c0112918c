import { and, asc, desc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { cooldownKey, decideHandle, withTask } from '../../../common/agent/act/decide.ts';
import type {
  AgentLease,
  AgentPort,
  DecisionFilter,
  EscalateDeadline,
  EscalationOutcome,
  ForeignOverdue,
} from '../../../common/agent/act/port.ts';
import type {
  CooldownKey,
  DeadlineRecord,
  DecisionRecord,
  HandleEvent,
  HandleOutcome,
  HandleWrites,
} from '../../../common/agent/act/record.ts';
import { decideEscalation } from '../../../common/agent/escalation/decide.ts';
import { chainKeys, type ChainKey } from '../../../common/agent/grouping/decide.ts';
import type { ChainRecord } from '../../../common/agent/grouping/record.ts';
import type { Stamp } from '../../../common/clock.ts';
import type { SiteChannels } from './channel.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import type { SiteEvents } from './event.ts';
import { prepareInsert } from '../engine/insert.ts';
import type { SiteNotifications } from './notification.ts';
import {
  agentChains,
  agentCooldowns,
  agentDeadlines,
  agentDecisions,
  agentStates,
  tasks,
} from '../schema/tables.ts';
import type { SiteTasks } from './task.ts';

export interface AgentParts {
  group: GroupCommit;
  orm: BetterSQLite3Database;
  events: SiteEvents;
  tasks: SiteTasks;
  channels: SiteChannels;
  notifications: SiteNotifications;
}

const NAME = 'agent';
/** Runs with one key that an event is held against: the newest. */
const CHAINS_SEEN = 3;
// Written out, so that the partial indexes are used.
const waiting = sql`${agentDeadlines.state} = 'pending'`;
const asked = sql`${agentDecisions.summary} = 'pending'`;
const unwritten = sql`${agentChains.ripe} = 1 AND ${agentChains.pending} <> '[]'`;

/** The agent's own rows on SQLite. Only one process has the store open, so the lease is given at once. */
export class SiteAgent implements AgentPort {
  #parts: AgentParts;
  #sql: ReturnType<typeof prepare>;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#sql = prepare(parts);
  }

  async claim(holder: string, now: number, leaseMs: number): Promise<{ steadyAt: number } | null> {
    const held = this.#state();
    // Renewing would wear the card for nothing.
    if (held?.lease === holder) return { steadyAt: held.steadyAt };
    return this.#parts.group.write(() => {
      const steadyAt = this.#state()?.steadyAt ?? 0;
      const row = { name: NAME, lease: holder, leasedUntil: now + leaseMs, steadyAt };
      this.#parts.orm
        .insert(agentStates)
        .values(row)
        .onConflictDoUpdate({ target: agentStates.name, set: row })
        .run();
      return { steadyAt };
    });
  }

  async release(): Promise<void> {
    // The next process is given the lease in any case.
  }

  handle(commands: readonly HandleEvent[], lease: AgentLease, stamp: Stamp): Promise<HandleOutcome[]> {
    return this.#parts.group.write(() => {
      this.#sql.steady.run(lease.steadyAt, NAME);
      return commands.map((command) => this.#handle(command, lease.steadyAt, stamp));
    });
  }

  #handle(command: HandleEvent, steadyAt: number, stamp: Stamp): HandleOutcome {
    const event = this.#parts.events.read(command.eventId);
    const key = event && cooldownKey(event, command.choice);
    const { outcome, writes } = decideHandle(
      {
        event,
        prior: this.#decision(command.eventId),
        cooldown: key && this.#cooldown(key),
        channels: event ? this.#parts.channels.enabledOf(event.tenantCode) : [],
        chains: event ? chainKeys(event).flatMap((one) => this.#chains(one)) : [],
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
    const { orm, tasks: own, notifications } = this.#parts;
    const made = decided.task && own.createNow(decided.task, stamp);
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
    if (cooldown) {
      const target = [
        agentCooldowns.tenantCode,
        agentCooldowns.camera,
        agentCooldowns.eventType,
        agentCooldowns.ruleName,
        agentCooldowns.isTest,
      ];
      orm.insert(agentCooldowns).values(cooldown).onConflictDoUpdate({ target, set: cooldown }).run();
    }
    if (deadline) this.#sql.addDeadline(deadline);
    notifications.add(rows);
    for (const chain of chains) {
      this.#sql.dropChain.run(chain.tenantCode, chain.sourceKey);
      this.#sql.addChain(chain);
    }
    return decision;
  }

  async decisions(filter: DecisionFilter, before: number | null, limit: number): Promise<DecisionRecord[]> {
    const { tenantCode, outcome, eventId } = filter;
    return this.#parts.orm
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

  async dueDeadlines(steadyAt: number, limit: number): Promise<DeadlineRecord[]> {
    return this.#sql.dueDeadlines.all({ steadyAt, limit });
  }

  escalate(command: EscalateDeadline, _lease: AgentLease, stamp: Stamp): Promise<EscalationOutcome> {
    const { group, orm, tasks: own, channels, notifications } = this.#parts;
    return group.write(() => {
      const found =
        orm.select().from(agentDeadlines).where(eq(agentDeadlines.taskId, command.taskId)).get() ?? null;
      const seen = own.seen(command.taskId);
      const {
        outcome,
        deadline,
        task,
        notifications: rows,
      } = decideEscalation(
        { ...seen, deadline: found, channels: found ? channels.enabledOf(found.tenantCode) : [] },
        command,
        stamp,
      );
      if (task) own.writeNow(seen.task, task);
      if (deadline)
        orm.update(agentDeadlines).set(deadline).where(eq(agentDeadlines.taskId, deadline.taskId)).run();
      notifications.add(rows);
      return outcome;
    });
  }

  async foreignOverdue(now: number, limit: number): Promise<ForeignOverdue[]> {
    const rows = this.#parts.orm
      .select({
        taskId: tasks.id,
        tenantCode: tasks.tenantCode,
        eventId: tasks.eventId,
        title: tasks.title,
        dueAt: tasks.dueAt,
      })
      .from(tasks)
      .leftJoin(agentDeadlines, eq(agentDeadlines.taskId, tasks.id))
      .where(
        and(
          sql`${tasks.state} = 'open' AND ${tasks.dueAt} IS NOT NULL`,
          lte(tasks.dueAt, now),
          isNull(agentDeadlines.taskId),
        ),
      )
      .orderBy(asc(tasks.dueAt))
      .limit(limit)
      .all();
    return rows.map((row) => ({ ...row, dueAt: row.dueAt ?? now }));
  }

  adopt(deadlines: readonly DeadlineRecord[]): Promise<void> {
    return this.#parts.group.write(() => {
      for (const row of deadlines)
        this.#parts.orm.insert(agentDeadlines).values(row).onConflictDoNothing().run();
    });
  }

  async pendingSummaries(limit: number): Promise<DecisionRecord[]> {
    return this.#parts.orm
      .select()
      .from(agentDecisions)
      .where(asked)
      .orderBy(asc(agentDecisions.eventId))
      .limit(limit)
      .all();
  }

  settleSummary(eventId: number, state: 'succeeded' | 'failed'): Promise<void> {
    return this.#parts.group.write(() => {
      this.#parts.orm
        .update(agentDecisions)
        .set({ summary: state })
        .where(and(eq(agentDecisions.eventId, eventId), asked))
        .run();
    });
  }

  async unwrittenChains(limit: number): Promise<ChainRecord[]> {
    return this.#sql.unwritten.all({ limit });
  }

  chainWritten(
    { tenantCode, sourceKey }: Pick<ChainRecord, 'tenantCode' | 'sourceKey'>,
    eventIds: readonly number[],
  ): Promise<void> {
    const { group, orm } = this.#parts;
    const own = and(eq(agentChains.tenantCode, tenantCode), eq(agentChains.sourceKey, sourceKey));
    return group.write(() => {
      const chain = orm.select().from(agentChains).where(own).get();
      if (chain)
        orm
          .update(agentChains)
          .set({ pending: chain.pending.filter((id) => !eventIds.includes(id)) })
          .where(own)
          .run();
    });
  }

  async sweep(
    { steadyAt, touchedBefore }: { steadyAt: number; touchedBefore: number },
    limit: number,
  ): Promise<number> {
    const { group, orm } = this.#parts;
    const over = sql`(tenant_code, camera, event_type, rule_name, is_test) IN (SELECT tenant_code, camera,
      event_type, rule_name, is_test FROM agent_cooldowns WHERE until <= ${steadyAt} LIMIT ${limit})`;
    const idle = sql`(tenant_code, source_key) IN (SELECT tenant_code, source_key FROM agent_chains
      WHERE touched_at < ${touchedBefore} AND NOT (ripe = 1 AND pending <> '[]') LIMIT ${limit})`;
    return group.write(
      () =>
        orm.delete(agentCooldowns).where(over).run().changes +
        orm.delete(agentChains).where(idle).run().changes,
    );
  }

  forgetEvents(eventIds: readonly number[]): Promise<{ agent_decisions: number; notifications: number }> {
    const { group, orm, notifications } = this.#parts;
    return group.write(() => ({
      agent_decisions: orm
        .delete(agentDecisions)
        .where(inArray(agentDecisions.eventId, [...eventIds]))
        .run().changes,
      notifications: notifications.forgetEvents(eventIds),
    }));
  }

  #state(): typeof agentStates.$inferSelect | null {
    return this.#parts.orm.select().from(agentStates).where(eq(agentStates.name, NAME)).get() ?? null;
  }

  #decision(eventId: number): DecisionRecord | null {
    return this.#sql.decision.get({ eventId }) ?? null;
  }

  #cooldown(key: CooldownKey) {
    return (
      this.#parts.orm
        .select()
        .from(agentCooldowns)
        .where(
          and(
            eq(agentCooldowns.tenantCode, key.tenantCode),
            eq(agentCooldowns.camera, key.camera),
            eq(agentCooldowns.eventType, key.eventType),
            eq(agentCooldowns.ruleName, key.ruleName),
            eq(agentCooldowns.isTest, key.isTest),
          ),
        )
        .get() ?? null
    );
  }

  #chains({ tenantCode, layer, chainKey }: ChainKey): ChainRecord[] {
    return this.#sql.chains.all({ tenantCode, layer, chainKey });
  }
}

/** What each event and each round asks, compiled once. */
function prepare({ group: { sqlite }, orm }: AgentParts) {
  const { placeholder } = sql;
  return {
    steady: sqlite.prepare<[number, string]>(
      'UPDATE agent_states SET steady_at = max(steady_at, ?) WHERE name = ?',
    ),
    addDecision: prepareInsert(sqlite, agentDecisions),
    addDeadline: prepareInsert(sqlite, agentDeadlines),
    dropChain: sqlite.prepare<[string, string]>(
      'DELETE FROM agent_chains WHERE tenant_code = ? AND source_key = ?',
    ),
    addChain: prepareInsert(sqlite, agentChains),
    decision: orm
      .select()
      .from(agentDecisions)
      .where(eq(agentDecisions.eventId, placeholder('eventId')))
      .prepare(),
    dueDeadlines: orm
      .select()
      .from(agentDeadlines)
      .where(and(waiting, lte(agentDeadlines.escalateAt, placeholder('steadyAt'))))
      .orderBy(asc(agentDeadlines.escalateAt), asc(agentDeadlines.taskId))
      .limit(placeholder('limit'))
      .prepare(),
    unwritten: orm
      .select()
      .from(agentChains)
      .where(unwritten)
      .orderBy(asc(agentChains.touchedAt))
      .limit(placeholder('limit'))
      .prepare(),
    chains: orm
      .select()
      .from(agentChains)
      .where(
        and(
          eq(agentChains.tenantCode, placeholder('tenantCode')),
          eq(agentChains.layer, placeholder('layer')),
          eq(agentChains.chainKey, placeholder('chainKey')),
        ),
      )
      .orderBy(desc(agentChains.lastAt), desc(agentChains.sourceKey))
      .limit(CHAINS_SEEN)
      .prepare(),
  };
}
