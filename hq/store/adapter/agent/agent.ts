import { and, asc, desc, eq, gt, inArray, isNull, lt, lte, sql } from 'drizzle-orm';
import {
  type AgentLease,
  type AgentPort,
  type DecisionFilter,
  type EscalateDeadline,
  type EscalationOutcome,
  type ForeignOverdue,
} from '../../../../common/agent/act/port.ts';
import type {
  DeadlineRecord,
  DecisionRecord,
  HandleEvent,
  HandleOutcome,
} from '../../../../common/agent/act/record.ts';
import { decideEscalation } from '../../../../common/agent/escalation/decide.ts';
import type { ChainRecord } from '../../../../common/agent/grouping/record.ts';
import type { Stamp } from '../../../../common/clock.ts';
import type { Database } from '../../engine/database.ts';
import {
  agentChains,
  agentCooldowns,
  agentDeadlines,
  agentDecisions,
  agentStates,
  notifications,
  tasks,
} from '../../schema/tables.ts';
import { enabledChannels } from '../channel.ts';
import { leftOutNow } from '../left-out.ts';
import { addNotifications } from '../notification.ts';
import { seenTask, writeTask } from '../task/rows.ts';
import { AGENT, claimLease, hold } from './lease.ts';
import { handleEvent } from './rows.ts';

/** The agent's own rows. One process at a time is the agent: each write locks the row of the lease first. */
export class HubAgent implements AgentPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  claim(holder: string, now: number, leaseMs: number): Promise<{ steadyAt: number } | null> {
    return claimLease(this.#database, holder, now, leaseMs);
  }

  release(holder: string): Promise<void> {
    return this.#database.read(
      async (db) =>
        void (await db
          .update(agentStates)
          .set({ lease: null, leasedUntil: 0 })
          .where(and(eq(agentStates.name, AGENT), eq(agentStates.lease, holder)))),
    );
  }

  handle(commands: readonly HandleEvent[], lease: AgentLease, stamp: Stamp): Promise<HandleOutcome[]> {
    return this.#database.transaction(async (tx) => {
      await hold(tx, lease);
      const outcomes: HandleOutcome[] = [];
      for (const command of commands) outcomes.push(await handleEvent(tx, command, lease.steadyAt, stamp));
      return outcomes;
    });
  }

  decisions(
    { tenantCode, outcome, eventId }: DecisionFilter,
    before: number | null,
    limit: number,
  ): Promise<DecisionRecord[]> {
    return this.#database.read((db) =>
      db
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
        .limit(limit),
    );
  }

  dueDeadlines(steadyAt: number, now: number, limit: number): Promise<DeadlineRecord[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(agentDeadlines)
        .where(
          and(
            eq(agentDeadlines.state, 'pending'),
            lte(agentDeadlines.escalateAt, steadyAt),
            sql`(${agentDeadlines.tenantCode}, ${agentDeadlines.taskId})
              not in ${leftOutNow('escalation', now)}`,
          ),
        )
        .orderBy(asc(agentDeadlines.escalateAt), asc(agentDeadlines.taskId))
        .limit(limit),
    );
  }

  escalate(command: EscalateDeadline, lease: AgentLease, stamp: Stamp): Promise<EscalationOutcome> {
    return this.#database.transaction(async (tx) => {
      await hold(tx, lease);
      const [found = null] = await tx.db
        .select()
        .from(agentDeadlines)
        .where(eq(agentDeadlines.taskId, command.taskId))
        .for('update');
      const seen = await seenTask(tx, command.taskId);
      const channels = found ? await enabledChannels(tx, found.tenantCode) : [];
      const {
        outcome,
        deadline,
        task,
        notifications: rows,
      } = decideEscalation({ ...seen, deadline: found, channels }, command, stamp);
      if (task) await writeTask(tx, seen.task, task);
      if (deadline) {
        await tx.db
          .update(agentDeadlines)
          .set(deadline)
          .where(
            and(
              eq(agentDeadlines.tenantCode, deadline.tenantCode),
              eq(agentDeadlines.taskId, deadline.taskId),
            ),
          );
      }
      await addNotifications(tx, rows, stamp.now);
      return outcome;
    });
  }

  foreignOverdue(now: number, limit: number): Promise<ForeignOverdue[]> {
    return this.#database.read(async (db) => {
      const rows = await db
        .select({
          taskId: tasks.id,
          tenantCode: tasks.tenantCode,
          eventId: tasks.eventId,
          title: tasks.title,
          dueAt: tasks.dueAt,
        })
        .from(tasks)
        .leftJoin(
          agentDeadlines,
          and(eq(agentDeadlines.tenantCode, tasks.tenantCode), eq(agentDeadlines.taskId, tasks.id)),
        )
        .where(
          and(
            sql`${tasks.state} = 'open' and ${tasks.dueAt} is not null`,
            lte(tasks.dueAt, now),
            isNull(agentDeadlines.taskId),
            // The agent of its site looks after a task of a site.
            isNull(tasks.instance),
          ),
        )
        .orderBy(asc(tasks.dueAt))
        .limit(limit);
      return rows.map((row) => ({ ...row, dueAt: row.dueAt ?? now }));
    });
  }

  adopt(deadlines: readonly DeadlineRecord[]): Promise<void> {
    return this.#database.read(async (db) => {
      if (deadlines.length > 0)
        await db
          .insert(agentDeadlines)
          .values([...deadlines])
          .onConflictDoNothing();
    });
  }

  pendingSummaries(after: number, limit: number): Promise<DecisionRecord[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(agentDecisions)
        .where(and(eq(agentDecisions.summary, 'pending'), gt(agentDecisions.eventId, after)))
        .orderBy(asc(agentDecisions.eventId))
        .limit(limit),
    );
  }

  settleSummary(eventId: number, state: 'succeeded' | 'failed'): Promise<void> {
    return this.#database.read(
      async (db) =>
        void (await db
          .update(agentDecisions)
          .set({ summary: state })
          .where(and(eq(agentDecisions.eventId, eventId), eq(agentDecisions.summary, 'pending')))),
    );
  }

  unwrittenChains(now: number, limit: number): Promise<ChainRecord[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(agentChains)
        .where(
          sql`ripe and pending <> '[]' and (tenant_code, (pending::jsonb ->> 0)::bigint)
            not in ${leftOutNow('incident groups', now)}`,
        )
        .orderBy(asc(agentChains.touchedAt))
        .limit(limit),
    );
  }

  chainWritten(
    { tenantCode, sourceKey }: Pick<ChainRecord, 'tenantCode' | 'sourceKey'>,
    eventIds: readonly number[],
  ): Promise<void> {
    return this.#database.transaction(async ({ db }) => {
      const own = and(eq(agentChains.tenantCode, tenantCode), eq(agentChains.sourceKey, sourceKey));
      const [chain] = await db.select().from(agentChains).where(own).for('update');
      if (chain)
        await db
          .update(agentChains)
          .set({ pending: chain.pending.filter((id) => !eventIds.includes(id)) })
          .where(own);
    });
  }

  sweep(
    { steadyAt, touchedBefore }: { steadyAt: number; touchedBefore: number },
    limit: number,
  ): Promise<number> {
    return this.#database.transaction(async ({ db }) => {
      const over = await db.delete(agentCooldowns).where(
        sql`ctid = any(array(select ctid from agent_cooldowns where until <= ${steadyAt}
              limit ${limit}))`,
      );
      const idle = await db.delete(agentChains).where(
        sql`ctid = any(array(select ctid from agent_chains where touched_at < ${touchedBefore}
              and not (ripe and pending <> '[]') limit ${limit}))`,
      );
      return (over.rowCount ?? 0) + (idle.rowCount ?? 0);
    });
  }

  forgetEvents(eventIds: readonly number[]): Promise<{ agent_decisions: number; notifications: number }> {
    return this.#database.transaction(async ({ db }) => {
      const ids = [...eventIds];
      const decided = await db.delete(agentDecisions).where(inArray(agentDecisions.eventId, ids));
      const told = await db.delete(notifications).where(inArray(notifications.eventId, ids));
      return { agent_decisions: decided.rowCount ?? 0, notifications: told.rowCount ?? 0 };
    });
  }
}
