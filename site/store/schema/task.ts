// Tasks and their disposition evidence.
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Severity } from '../../../common/core/event/schema.ts';
import type { TaskEntry } from '../../../common/core/task/record.ts';
import type { ResultCode, TaskState, TaskType } from '../../../common/core/task/schema.ts';

/** An id is never given again, also after the newest task was removed. */
export const tasks = sqliteTable(
  'tasks',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    tenantCode: text('tenant_code').notNull(),
    /** These two are headquarters'; a site keeps its own tasks only. */
    instance: text('instance'),
    originId: integer('origin_id'),
    type: text('type').$type<TaskType>().notNull(),
    state: text('state').$type<TaskState>().notNull(),
    eventId: integer('event_id'),
    title: text('title').notNull(),
    severity: text('severity').$type<Severity>().notNull(),
    assigneeOrg: text('assignee_org'),
    dueAt: integer('due_at'),
    suppressed: integer('suppressed', { mode: 'boolean' }).notNull(),
    escalatedAt: integer('escalated_at'),
    resultCode: text('result_code').$type<ResultCode>(),
    body: text('body').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    takenOverAt: integer('taken_over_at'),
    takenOverBy: text('taken_over_by'),
    completedAt: integer('completed_at'),
    closedAt: integer('closed_at'),
    cancelledAt: integer('cancelled_at'),
    entryCount: integer('entry_count').notNull(),
    stepCount: integer('step_count').notNull(),
    noteCount: integer('note_count').notNull(),
    refusalCount: integer('refusal_count').notNull(),
    /** The order of headquarters that had it made, which is then never carried out again. */
    orderId: text('order_id'),
    /** The last order of headquarters that changed its body; what is changed here afterwards stays. */
    bodyOrderId: text('body_order_id'),
  },
  (t) => [
    uniqueIndex('tasks_ordered')
      .on(t.orderId)
      .where(sql`order_id is not null`),
    uniqueIndex('tasks_body_ordered')
      .on(t.bodyOrderId)
      .where(sql`body_order_id is not null`),
    index('tasks_event')
      .on(t.eventId, t.id)
      .where(sql`event_id is not null`),
    index('tasks_state').on(t.tenantCode, t.state, t.id),
    index('tasks_due')
      .on(t.dueAt)
      .where(sql`state = 'open' and due_at is not null`),
    index('tasks_created').on(t.tenantCode, t.createdAt, t.id),
  ],
);

/** Disposition evidence: appended, never changed. */
export const taskEntries = sqliteTable(
  'task_entries',
  {
    taskId: integer('task_id').notNull(),
    seq: integer('seq').notNull(),
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').$type<TaskEntry['kind']>().notNull(),
    at: integer('at').notNull(),
    doc: text('doc', { mode: 'json' }).$type<TaskEntry['doc']>().notNull(),
    /** The order of headquarters that it came of. */
    orderId: text('order_id'),
  },
  (t) => [
    primaryKey({ columns: [t.taskId, t.seq] }),
    uniqueIndex('task_entries_ordered')
      .on(t.orderId)
      .where(sql`order_id is not null`),
  ],
);
