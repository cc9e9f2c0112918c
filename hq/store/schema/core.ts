// The tables of the headquarters hub as drizzle sees them. `migrations/` makes them; a test holds the two
// equal. Tables that a site has too carry the same columns. Times are epoch milliseconds, ids below 2^53.
import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Judged } from '../../../common/core/event/record.ts';
import type { EventKind, EventSource, Severity } from '../../../common/core/event/schema.ts';
import type { EvidenceJobState } from '../../../common/core/evidence/port.ts';
import type { FeedbackState } from '../../../common/core/feedback/port.ts';
import type { IncidentLayer, IncidentState } from '../../../common/core/incident/schema.ts';
import type { RetentionState } from '../../../common/core/retention/record.ts';
import type { RuleKind } from '../../../common/core/rule/schema.ts';
import type { Disposition, VerdictChange } from '../../../common/core/verdict/record.ts';
import type { VerdictValue } from '../../../common/core/verdict/schema.ts';
import type { Permission, Role } from '../../../common/http/access.ts';
import { jsonText, long } from './columns.ts';

export * from '../../dataset/store/schema.ts';
export * from '../../integration/store/schema.ts';
export * from '../../policy/store/schema.ts';
export * from './access.ts';
export * from './agent.ts';
export * from './event-index.ts';
export * from '../../receiver/store/schema.ts';
export * from './task.ts';

export const events = pgTable(
  'events',
  {
    id: long('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    type: text('type').notNull(),
    kind: text('kind').$type<EventKind>().notNull(),
    source: text('source').$type<EventSource>().notNull(),
    severity: text('severity').$type<Severity>(),
    occurredAt: long('occurred_at'),
    receivedAt: long('received_at').notNull(),
    isTest: boolean('is_test').notNull(),
    nodeKey: text('node_key'),
    instance: text('instance'),
    originId: long('origin_id'),
    originReceivedAt: long('origin_received_at'),
    doc: text('doc').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const verdicts = pgTable(
  'verdicts',
  {
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    verdict: text('verdict').$type<VerdictValue>().notNull(),
    by: text('by').notNull(),
    byKind: text('by_kind').$type<'human' | 'machine'>().notNull(),
    note: text('note'),
    mergedInto: long('merged_into'),
    mergedIntoKey: text('merged_into_key'),
    mergedIntoInstance: text('merged_into_instance'),
    judged: jsonText<Judged>('judged'),
    disposition: jsonText<Disposition>('disposition'),
    at: long('at').notNull(),
    decisionId: text('decision_id'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.eventId] })],
);

export const corrections = pgTable(
  'corrections',
  {
    /** Order of writing: the number of the change entry that it was written with. */
    seq: long('seq').notNull(),
    id: text('id').notNull(),
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    verdict: text('verdict').$type<VerdictValue>().notNull(),
    by: text('by').notNull(),
    byKind: text('by_kind').$type<'human' | 'machine'>().notNull(),
    note: text('note').notNull(),
    mergedInto: long('merged_into'),
    mergedIntoKey: text('merged_into_key'),
    mergedIntoInstance: text('merged_into_instance'),
    at: long('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const verdictChanges = pgTable(
  'verdict_changes',
  {
    changeNo: long('change_no').notNull(),
    at: long('at').notNull(),
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').$type<VerdictChange['kind']>().notNull(),
    decisionId: text('decision_id'),
    body: text('body').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.changeNo] })],
);

export const subscriptions = pgTable('subscriptions', {
  consumer: text('consumer').primaryKey(),
  tenantCode: text('tenant_code'),
  eventTypes: jsonText<string[]>('event_types'),
  minSeverity: text('min_severity').$type<Severity>(),
  pushUrl: text('push_url'),
  secretRef: text('secret_ref'),
  enabled: boolean('enabled').notNull(),
  cursor: long('cursor').notNull(),
  pushCursor: long('push_cursor').notNull(),
  createdAt: long('created_at').notNull(),
  updatedAt: long('updated_at').notNull(),
});

export const feedback = pgTable(
  'feedback',
  {
    id: text('id').notNull(),
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').notNull(),
    url: text('url').notNull(),
    nodeKey: text('node_key'),
    body: text('body').notNull(),
    state: text('state').$type<FeedbackState>().notNull(),
    attempts: integer('attempts').notNull(),
    nextAt: long('next_at').notNull(),
    lastError: text('last_error'),
    createdAt: long('created_at').notNull(),
    deliveredAt: long('delivered_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const audit = pgTable(
  'audit',
  {
    id: text('id').notNull(),
    at: long('at').notNull(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subject: text('subject').notNull(),
    tenantCode: text('tenant_code'),
    before: jsonText<unknown>('before'),
    after: jsonText<unknown>('after'),
  },
  (t) => [primaryKey({ columns: [t.at, t.id] })],
);

export const alarms = pgTable(
  'alarms',
  {
    key: text('key').notNull(),
    instance: text('instance').notNull(),
    tenantCode: text('tenant_code'),
    severity: text('severity').$type<'warning' | 'critical'>().notNull(),
    message: text('message').notNull(),
    details: jsonText<unknown>('details'),
    raisedAt: long('raised_at').notNull(),
    count: integer('count').notNull(),
    lastAt: long('last_at').notNull(),
    clearedAt: long('cleared_at'),
  },
  (t) => [primaryKey({ columns: [t.instance, t.key] })],
);

export const incidents = pgTable(
  'incidents',
  {
    id: long('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    sourceKey: text('source_key'),
    layer: text('layer').$type<IncidentLayer>().notNull(),
    siteRef: text('site_ref').notNull(),
    pointRef: text('point_ref'),
    title: text('title'),
    state: text('state').$type<IncidentState>().notNull(),
    stateBefore: text('state_before').$type<IncidentState>(),
    mergedInto: long('merged_into'),
    splitFrom: long('split_from'),
    firstAt: long('first_at').notNull(),
    lastAt: long('last_at').notNull(),
    eventTypes: jsonText<string[]>('event_types').notNull(),
    sources: jsonText<EventSource[]>('sources').notNull(),
    severity: text('severity').$type<Severity>().notNull(),
    memberCount: integer('member_count').notNull(),
    testMemberCount: integer('test_member_count').notNull(),
    isTest: boolean('is_test').notNull(),
    firstEventId: long('first_event_id'),
    firstEventAt: long('first_event_at'),
    firstLocked: boolean('first_locked').notNull(),
    confirmedBy: text('confirmed_by'),
    confirmedAt: long('confirmed_at'),
    closedAt: long('closed_at'),
    clearedCount: integer('cleared_count').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const incidentMembers = pgTable(
  'incident_members',
  {
    incidentId: long('incident_id').notNull(),
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    layer: text('layer').$type<IncidentLayer>().notNull(),
    at: long('at').notNull(),
    type: text('type').notNull(),
    source: text('source').$type<EventSource>().notNull(),
    severity: text('severity').$type<Severity>(),
    isTest: boolean('is_test').notNull(),
    live: boolean('live').notNull(),
    addedAt: long('added_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.incidentId, t.eventId] })],
);

export const pushStates = pgTable('push_states', {
  consumer: text('consumer').primaryKey(),
  failures: integer('failures').notNull(),
  nextAt: long('next_at').notNull(),
  lastError: text('last_error'),
  lastSuccessAt: long('last_success_at'),
  receiptFaults: integer('receipt_faults').notNull(),
  lastReceiptFault: text('last_receipt_fault'),
  /** Token of the process that pushes now. */
  lease: text('lease'),
  leasedUntil: long('leased_until').notNull(),
});

export const evidenceFiles = pgTable(
  'evidence_files',
  {
    tenantCode: text('tenant_code').notNull(),
    eventId: long('event_id').notNull(),
    name: text('name').notNull(),
    size: long('size').notNull(),
    sha256: text('sha256').notNull(),
    storedAt: long('stored_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.eventId, t.name] })],
);

export const evidenceJobs = pgTable(
  'evidence_jobs',
  {
    id: text('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    eventId: long('event_id').notNull(),
    name: text('name').notNull(),
    consumer: text('consumer').notNull(),
    putUrl: text('put_url').notNull(),
    headers: jsonText<Record<string, string>>('headers').notNull(),
    access: text('access'),
    state: text('state').$type<EvidenceJobState>().notNull(),
    lastError: text('last_error'),
    attempts: integer('attempts').notNull(),
    nextAt: long('next_at').notNull(),
    createdAt: long('created_at').notNull(),
    settledAt: long('settled_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const retention = pgTable('retention', {
  name: text('name').primaryKey(),
  state: jsonText<RetentionState>('state').notNull(),
});

// Only at headquarters.

export const forgottenEvents = pgTable(
  'forgotten_events',
  {
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    instance: text('instance'),
    originId: long('origin_id'),
    originReceivedAt: long('origin_received_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.idempotencyKey] })],
);

export const users = pgTable('users', {
  /** In lower case: names are told apart without regard to case. */
  name: text('name').primaryKey(),
  role: text('role').$type<Role>().notNull(),
  tenantCode: text('tenant_code'),
  permissions: jsonText<Permission[]>('permissions'),
  passwordHash: text('password_hash').notNull(),
  disabledAt: long('disabled_at'),
  createdAt: long('created_at').notNull(),
  updatedAt: long('updated_at').notNull(),
});

export type CounterName =
  | 'event'
  | 'verdict_change'
  | 'task'
  | 'incident'
  | 'notification'
  | 'knowledge'
  | 'kb_doc'
  | 'kb_chunk'
  | 'kb_qa'
  | 'kb_change';
export const counters = pgTable('counters', {
  name: text('name').$type<CounterName>().primaryKey(),
  /** The last number given out. */
  value: long('value').notNull(),
  /** Time that went with it. */
  at: long('at').notNull(),
});

export const storeFacts = pgTable('store_facts', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

export const rules = pgTable(
  'rules',
  {
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').$type<RuleKind>().notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    body: jsonText<object>('body').notNull(),
    by: text('by').notNull(),
    createdAt: long('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.kind, t.name, t.version] })],
);
