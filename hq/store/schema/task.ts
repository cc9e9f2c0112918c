// Tasks and their disposition evidence.
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { Severity } from '../../../common/core/event/schema.ts';
import type { TaskEntry } from '../../../common/core/task/record.ts';
import type { ResultCode, TaskState, TaskType } from '../../../common/core/task/schema.ts';
import { jsonText, long, text } from './columns.ts';

export const tasks = pgTable(
  'tasks',
  {
    id: long('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    /** The site that keeps it, and its id there; null: kept here. */
    instance: text('instance'),
    originId: long('origin_id'),
    type: text('type').$type<TaskType>().notNull(),
    state: text('state').$type<TaskState>().notNull(),
    eventId: long('event_id'),
    title: text('title').notNull(),
    severity: text('severity').$type<Severity>().notNull(),
    assigneeOrg: text('assignee_org'),
    dueAt: long('due_at'),
    suppressed: boolean('suppressed').notNull(),
    escalatedAt: long('escalated_at'),
    resultCode: text('result_code').$type<ResultCode>(),
    body: text('body').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
    takenOverAt: long('taken_over_at'),
    takenOverBy: text('taken_over_by'),
    completedAt: long('completed_at'),
    closedAt: long('closed_at'),
    cancelledAt: long('cancelled_at'),
    entryCount: integer('entry_count').notNull(),
    stepCount: integer('step_count').notNull(),
    noteCount: integer('note_count').notNull(),
    refusalCount: integer('refusal_count').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('tasks_id').on(t.id),
    index('tasks_event')
      .on(t.eventId, t.id)
      .where(sql`event_id is not null`),
    index('tasks_state').on(t.tenantCode, t.state, t.id),
    index('tasks_due')
      .on(t.dueAt)
      .where(sql`state = 'open' and due_at is not null`),
    index('tasks_org')
      .on(t.tenantCode, t.assigneeOrg, t.id)
      .where(sql`assignee_org is not null`),
    index('tasks_origin')
      .on(t.instance, t.originId)
      .where(sql`instance is not null`),
    index('tasks_updated').on(t.tenantCode, t.updatedAt, t.id),
  ],
);

/** Disposition evidence: appended, never changed. */
export const taskEntries = pgTable(
  'task_entries',
  {
    taskId: long('task_id').notNull(),
    seq: integer('seq').notNull(),
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').$type<TaskEntry['kind']>().notNull(),
    at: long('at').notNull(),
    doc: jsonText<TaskEntry['doc']>('doc').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.taskId, t.seq] })],
);
