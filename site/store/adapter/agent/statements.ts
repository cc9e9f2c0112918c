import type Database from 'better-sqlite3';
import { and, asc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { prepareInsert } from '../../engine/insert.ts';
import { agentDeadlines, agentDecisions, agentStates, tasks } from '../../schema/tables.ts';
import { leftOutNow } from '../left-out.ts';

/** The one row of the agent's state. */
export const NAME = 'agent';
// Written out, not bound: a partial index serves only a condition that names its own.
const waiting = sql`${agentDeadlines.state} = 'pending'`;
/** Decisions whose summary is still to be made. */
export const asked = sql`${agentDecisions.summary} = 'pending'`;

/** What each event and each round asks, compiled once. */
export function prepareAgent(sqlite: Database.Database, orm: BetterSQLite3Database) {
  const { placeholder } = sql;
  return {
    state: orm.select().from(agentStates).where(eq(agentStates.name, NAME)).prepare(),
    steady: orm
      .update(agentStates)
      .set({ steadyAt: sql`max(${agentStates.steadyAt}, ${placeholder('steadyAt')})` })
      .where(eq(agentStates.name, NAME))
      .prepare(),
    addDecision: prepareInsert(sqlite, agentDecisions),
    addDeadline: prepareInsert(sqlite, agentDeadlines),
    decision: orm
      .select()
      .from(agentDecisions)
      .where(eq(agentDecisions.eventId, placeholder('eventId')))
      .prepare(),
    dueDeadlines: orm
      .select()
      .from(agentDeadlines)
      .where(
        and(
          waiting,
          lte(agentDeadlines.escalateAt, placeholder('steadyAt')),
          sql`(${agentDeadlines.tenantCode}, ${agentDeadlines.taskId})
            NOT IN ${leftOutNow('escalation', placeholder('now'))}`,
        ),
      )
      .orderBy(asc(agentDeadlines.escalateAt), asc(agentDeadlines.taskId))
      .limit(placeholder('limit'))
      .prepare(),
    /** Open tasks past their time that have no deadline of the agent. */
    foreignOverdue: orm
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
          lte(tasks.dueAt, placeholder('now')),
          isNull(agentDeadlines.taskId),
        ),
      )
      .orderBy(asc(tasks.dueAt))
      .limit(placeholder('limit'))
      .prepare(),
    pendingSummaries: orm
      .select()
      .from(agentDecisions)
      .where(and(asked, gt(agentDecisions.eventId, placeholder('after'))))
      .orderBy(asc(agentDecisions.eventId))
      .limit(placeholder('limit'))
      .prepare(),
  };
}
