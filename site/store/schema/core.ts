/** The tables of the site store as drizzle sees them; `migrations/` creates them. */
import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { EventSource, Severity } from '../../../common/core/event/schema.ts';
import type { Judged } from '../../../common/core/event/record.ts';
import type { EvidenceJobState } from '../../../common/core/evidence/port.ts';
import type { FeedbackState } from '../../../common/core/feedback/port.ts';
import type { IncidentLayer, IncidentState } from '../../../common/core/incident/schema.ts';
import type { RetentionState } from '../../../common/core/retention/record.ts';
import type { RuleKind } from '../../../common/core/rule/schema.ts';
import type { TaskEntry } from '../../../common/core/task/record.ts';
import type { ResultCode, TaskState, TaskType } from '../../../common/core/task/schema.ts';
import type { Disposition, VerdictChange } from '../../../common/core/verdict/record.ts';
import type { VerdictValue } from '../../../common/core/verdict/schema.ts';
import type { ChannelName } from '../../../common/uplink/wire.ts';
import type { ParkedState } from '../../uplink/port.ts';

export * from './access.ts';
export * from './agent.ts';

export const meta = sqliteTable('meta', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
});

export const events = sqliteTable('events', {
  id: integer('id').primaryKey(),
  tenantCode: text('tenant_code').notNull(),
  idempotencyKey: text('idempotency_key').notNull(),
  type: text('type').notNull(),
  kind: text('kind').notNull(),
  source: text('source').notNull(),
  severity: text('severity'),
  occurredAt: integer('occurred_at'),
  receivedAt: integer('received_at').notNull(),
  isTest: integer('is_test', { mode: 'boolean' }).notNull(),
  nodeKey: text('node_key'),
  instance: text('instance'),
  originId: integer('origin_id'),
  originReceivedAt: integer('origin_received_at'),
  doc: text('doc').notNull(),
});

export const keyRuns = sqliteTable('key_runs', {
  run: integer('run').primaryKey(),
  level: integer('level').notNull(),
  keys: integer('keys').notNull(),
  fences: blob('fences', { mode: 'buffer' }).notNull(),
  bloom: blob('bloom', { mode: 'buffer' }).notNull(),
});

export const keyChunks = sqliteTable('key_chunks', {
  id: integer('id').primaryKey(),
  data: blob('data', { mode: 'buffer' }).notNull(),
});

export const eventGroups = sqliteTable('event_groups', {
  id: integer('id').primaryKey(),
  tenantCode: text('tenant_code').notNull(),
  type: text('type').notNull(),
  kind: text('kind').notNull(),
  source: text('source').notNull(),
  verdict: text('verdict').$type<VerdictValue>(),
  isTest: integer('is_test', { mode: 'boolean' }).notNull(),
  judged: integer('judged', { mode: 'boolean' }).notNull(),
  judgedType: text('judged_type'),
});

export const eventPlaces = sqliteTable('event_places', {
  id: integer('id').primaryKey(),
  tenantCode: text('tenant_code').notNull(),
  siteRef: text('site_ref'),
  cameraRef: text('camera_ref'),
});

export const eventFacts = sqliteTable('event_facts', {
  eventId: integer('event_id').primaryKey(),
  groupId: integer('group_id').notNull(),
  placeId: integer('place_id').notNull(),
  occurredAt: integer('occurred_at'),
  tenantCode: text('tenant_code').notNull(),
});

export const eventHours = sqliteTable(
  'event_hours',
  {
    startAt: integer('start_at').notNull(),
    groupId: integer('group_id').notNull(),
    count: integer('count').notNull(),
    tenantCode: text('tenant_code').notNull(),
  },
  (table) => [primaryKey({ columns: [table.startAt, table.groupId] })],
);

export const eventDays = sqliteTable(
  'event_days',
  {
    startAt: integer('start_at').notNull(),
    groupId: integer('group_id').notNull(),
    count: integer('count').notNull(),
    firstId: integer('first_id').notNull(),
    lastId: integer('last_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
  },
  (table) => [primaryKey({ columns: [table.startAt, table.groupId] })],
);

export const verdicts = sqliteTable('verdicts', {
  eventId: integer('event_id').primaryKey(),
  tenantCode: text('tenant_code').notNull(),
  verdict: text('verdict').$type<VerdictValue>().notNull(),
  by: text('by').notNull(),
  byKind: text('by_kind').$type<'human' | 'machine'>().notNull(),
  note: text('note'),
  mergedInto: integer('merged_into'),
  mergedIntoKey: text('merged_into_key'),
  mergedIntoInstance: text('merged_into_instance'),
  judged: text('judged', { mode: 'json' }).$type<Judged>(),
  disposition: text('disposition', { mode: 'json' }).$type<Disposition>(),
  at: integer('at').notNull(),
  decisionId: text('decision_id'),
});

export const corrections = sqliteTable('corrections', {
  /** Order of writing: the number of the change entry that it was written with. */
  seq: integer('seq').primaryKey(),
  id: text('id').notNull().unique(),
  eventId: integer('event_id').notNull(),
  tenantCode: text('tenant_code').notNull(),
  verdict: text('verdict').$type<VerdictValue>().notNull(),
  by: text('by').notNull(),
  byKind: text('by_kind').$type<'human' | 'machine'>().notNull(),
  note: text('note').notNull(),
  mergedInto: integer('merged_into'),
  mergedIntoKey: text('merged_into_key'),
  mergedIntoInstance: text('merged_into_instance'),
  at: integer('at').notNull(),
});

export const verdictChanges = sqliteTable('verdict_changes', {
  changeNo: integer('change_no').primaryKey(),
  at: integer('at').notNull(),
  eventId: integer('event_id').notNull(),
  tenantCode: text('tenant_code').notNull(),
  kind: text('kind').$type<VerdictChange['kind']>().notNull(),
  decisionId: text('decision_id'),
  body: text('body').notNull(),
});

export const subscriptions = sqliteTable('subscriptions', {
  consumer: text('consumer').primaryKey(),
  tenantCode: text('tenant_code'),
  eventTypes: text('event_types', { mode: 'json' }).$type<string[]>(),
  minSeverity: text('min_severity').$type<Severity>(),
  pushUrl: text('push_url'),
  secretRef: text('secret_ref'),
  enabled: integer('enabled', { mode: 'boolean' }).notNull(),
  cursor: integer('cursor').notNull(),
  pushCursor: integer('push_cursor').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
});

export const feedback = sqliteTable('feedback', {
  id: text('id').primaryKey(),
  eventId: integer('event_id').notNull(),
  tenantCode: text('tenant_code').notNull(),
  kind: text('kind').notNull(),
  url: text('url').notNull(),
  nodeKey: text('node_key'),
  body: text('body').notNull(),
  state: text('state').$type<FeedbackState>().notNull(),
  attempts: integer('attempts').notNull(),
  nextAt: integer('next_at').notNull(),
  lastError: text('last_error'),
  createdAt: integer('created_at').notNull(),
  deliveredAt: integer('delivered_at'),
});

export const audit = sqliteTable(
  'audit',
  {
    at: integer('at').notNull(),
    id: text('id').notNull(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subject: text('subject').notNull(),
    tenantCode: text('tenant_code'),
    before: text('before', { mode: 'json' }).$type<unknown>(),
    after: text('after', { mode: 'json' }).$type<unknown>(),
  },
  (table) => [primaryKey({ columns: [table.at, table.id] })],
);

export const alarms = sqliteTable(
  'alarms',
  {
    instance: text('instance').notNull(),
    key: text('key').notNull(),
    tenantCode: text('tenant_code'),
    severity: text('severity').$type<'warning' | 'critical'>().notNull(),
    message: text('message').notNull(),
    details: text('details', { mode: 'json' }).$type<unknown>(),
    raisedAt: integer('raised_at').notNull(),
    count: integer('count').notNull(),
    lastAt: integer('last_at').notNull(),
    clearedAt: integer('cleared_at'),
  },
  (table) => [primaryKey({ columns: [table.instance, table.key] })],
);

export const incidents = sqliteTable('incidents', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  tenantCode: text('tenant_code').notNull(),
  sourceKey: text('source_key'),
  layer: text('layer').$type<IncidentLayer>().notNull(),
  siteRef: text('site_ref').notNull(),
  pointRef: text('point_ref'),
  title: text('title'),
  state: text('state').$type<IncidentState>().notNull(),
  stateBefore: text('state_before').$type<IncidentState>(),
  mergedInto: integer('merged_into'),
  splitFrom: integer('split_from'),
  firstAt: integer('first_at').notNull(),
  lastAt: integer('last_at').notNull(),
  eventTypes: text('event_types', { mode: 'json' }).$type<string[]>().notNull(),
  sources: text('sources', { mode: 'json' }).$type<EventSource[]>().notNull(),
  severity: text('severity').$type<Severity>().notNull(),
  memberCount: integer('member_count').notNull(),
  testMemberCount: integer('test_member_count').notNull(),
  isTest: integer('is_test', { mode: 'boolean' }).notNull(),
  firstEventId: integer('first_event_id'),
  firstEventAt: integer('first_event_at'),
  firstLocked: integer('first_locked', { mode: 'boolean' }).notNull(),
  confirmedBy: text('confirmed_by'),
  confirmedAt: integer('confirmed_at'),
  closedAt: integer('closed_at'),
  clearedCount: integer('cleared_count').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
});

export const incidentMembers = sqliteTable(
  'incident_members',
  {
    incidentId: integer('incident_id').notNull(),
    eventId: integer('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    layer: text('layer').$type<IncidentLayer>().notNull(),
    at: integer('at').notNull(),
    type: text('type').notNull(),
    source: text('source').$type<EventSource>().notNull(),
    severity: text('severity').$type<Severity>(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    live: integer('live', { mode: 'boolean' }).notNull(),
    addedAt: integer('added_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.incidentId, table.eventId] })],
);

export const pushStates = sqliteTable('push_states', {
  consumer: text('consumer').primaryKey(),
  failures: integer('failures').notNull(),
  nextAt: integer('next_at').notNull(),
  lastError: text('last_error'),
  lastSuccessAt: integer('last_success_at'),
  receiptFaults: integer('receipt_faults').notNull(),
  lastReceiptFault: text('last_receipt_fault'),
  /** Token of the process that pushes now. */
  lease: text('lease'),
  leasedUntil: integer('leased_until').notNull(),
});

export const evidenceFiles = sqliteTable(
  'evidence_files',
  {
    tenantCode: text('tenant_code').notNull(),
    eventId: integer('event_id').notNull(),
    name: text('name').notNull(),
    size: integer('size').notNull(),
    sha256: text('sha256').notNull(),
    storedAt: integer('stored_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.eventId, table.name] })],
);

export const evidenceJobs = sqliteTable('evidence_jobs', {
  id: text('id').primaryKey(),
  tenantCode: text('tenant_code').notNull(),
  eventId: integer('event_id').notNull(),
  name: text('name').notNull(),
  consumer: text('consumer').notNull(),
  putUrl: text('put_url').notNull(),
  headers: text('headers', { mode: 'json' }).$type<Record<string, string>>().notNull(),
  access: text('access'),
  state: text('state').$type<EvidenceJobState>().notNull(),
  lastError: text('last_error'),
  attempts: integer('attempts').notNull(),
  nextAt: integer('next_at').notNull(),
  createdAt: integer('created_at').notNull(),
  settledAt: integer('settled_at'),
});

export const tasks = sqliteTable('tasks', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  tenantCode: text('tenant_code').notNull(),
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
  completedAt: integer('completed_at'),
  closedAt: integer('closed_at'),
  cancelledAt: integer('cancelled_at'),
  entryCount: integer('entry_count').notNull(),
  stepCount: integer('step_count').notNull(),
  noteCount: integer('note_count').notNull(),
  refusalCount: integer('refusal_count').notNull(),
});

export const taskEntries = sqliteTable(
  'task_entries',
  {
    taskId: integer('task_id').notNull(),
    seq: integer('seq').notNull(),
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').$type<TaskEntry['kind']>().notNull(),
    at: integer('at').notNull(),
    doc: text('doc', { mode: 'json' }).$type<TaskEntry['doc']>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.taskId, table.seq] })],
);

export const retention = sqliteTable('retention', {
  name: text('name').primaryKey(),
  state: text('state', { mode: 'json' }).$type<RetentionState>().notNull(),
});

export const forgottenKeys = sqliteTable('forgotten_keys', {
  eventId: integer('event_id').primaryKey(),
  hash: integer('hash').notNull(),
  digest: blob('digest', { mode: 'buffer' }).notNull(),
});

export const uplinkChannels = sqliteTable('uplink_channels', {
  name: text('name').$type<ChannelName>().primaryKey(),
  hubEpoch: text('hub_epoch'),
  cursor: integer('cursor').notNull(),
  cursorAt: integer('cursor_at'),
  lastAckAt: integer('last_ack_at'),
  sentTotal: integer('sent_total').notNull(),
  duplicateTotal: integer('duplicate_total').notNull(),
});

export const uplinkParked = sqliteTable(
  'uplink_parked',
  {
    channel: text('channel').$type<ChannelName>().notNull(),
    originId: integer('origin_id').notNull(),
    error: text('error').notNull(),
    message: text('message').notNull(),
    state: text('state').$type<ParkedState>().notNull(),
    /** Times headquarters refused it. */
    count: integer('count').notNull(),
    firstAt: integer('first_at').notNull(),
    lastAt: integer('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.channel, table.originId] })],
);

export const rules = sqliteTable(
  'rules',
  {
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').$type<RuleKind>().notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    body: text('body', { mode: 'json' }).$type<object>().notNull(),
    by: text('by').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.kind, t.name, t.version] })],
);
