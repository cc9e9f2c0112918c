// The tables of tasks, with the columns that a site has too.
import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Severity } from '../../../common/core/event/schema.ts';
import type { TaskEntry } from '../../../common/core/task/record.ts';
import type { ResultCode, TaskState, TaskType } from '../../../common/core/task/schema.ts';
import { jsonText, long } from './columns.ts';

export const tasks = pgTable(
  'tasks',
  {
    id: long('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
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
    completedAt: long('completed_at'),
    closedAt: long('closed_at'),
    cancelledAt: long('cancelled_at'),
    entryCount: integer('entry_count').notNull(),
    stepCount: integer('step_count').notNull(),
    noteCount: integer('note_count').notNull(),
    refusalCount: integer('refusal_count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

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
