// The tables of the headquarters hub as drizzle sees them. `migrations/` makes them; a test holds the two equal.
// Tables that a site has too carry the same columns. Times are epoch milliseconds, ids below 2^53.
import { bigint, boolean, customType, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Judged } from '../../common/core/event/record.ts';
import type { EventKind, EventSource, Severity } from '../../common/core/event/schema.ts';
import type { FeedbackState } from '../../common/core/feedback/port.ts';
import type { KeyPurpose } from '../../common/core/key/port.ts';
import type { Permission, Role } from '../../common/core/session/permissions.ts';
import type { Disposition, VerdictChange } from '../../common/core/verdict/record.ts';
import type { VerdictValue } from '../../common/core/verdict/schema.ts';
import type { ChannelName } from '../../common/uplink/wire.ts';
import type { DecisionState } from '../receiver/port.ts';

const long = (name: string) => bigint(name, { mode: 'number' });

/** JSON kept as the text it was written as; jsonb would reorder members and refuse \u0000. */
const jsonText = <T>(name: string) =>
  customType<{ data: T; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => JSON.parse(value) as T,
  })(name);

export const events = pgTable('events', {
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
}, (t) => [primaryKey({ columns: [t.tenantCode, t.id] })]);

export const verdicts = pgTable('verdicts', {
  eventId: long('event_id').notNull(),
  tenantCode: text('tenant_code').notNull(),
  verdict: text('verdict').$type<VerdictValue>().notNull(),
  by: text('by').notNull(),
  byKind: text('by_kind').$type<'human' | 'machine'>().notNull(),
  note: text('note'),
  mergedInto: long('merged_into'),
  judged: jsonText<Judged>('judged'),
  disposition: jsonText<Disposition>('disposition'),
  at: long('at').notNull(),
  decisionId: text('decision_id'),
}, (t) => [primaryKey({ columns: [t.tenantCode, t.eventId] })]);

export const corrections = pgTable('corrections', {
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
  at: long('at').notNull(),
}, (t) => [primaryKey({ columns: [t.tenantCode, t.id] })]);

export const verdictChanges = pgTable('verdict_changes', {
  changeNo: long('change_no').notNull(),
  at: long('at').notNull(),
  eventId: long('event_id').notNull(),
  tenantCode: text('tenant_code').notNull(),
  kind: text('kind').$type<VerdictChange['kind']>().notNull(),
  decisionId: text('decision_id'),
  body: text('body').notNull(),
}, (t) => [primaryKey({ columns: [t.tenantCode, t.changeNo] })]);

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

export const keys = pgTable('keys', {
  keyId: text('key_id').primaryKey(),
  purpose: text('purpose').$type<KeyPurpose>().notNull(),
  tenantCode: text('tenant_code'),
  subject: text('subject').notNull(),
  secretRef: text('secret_ref').notNull(),
  previousRef: text('previous_ref'),
  previousUntil: long('previous_until'),
  createdAt: long('created_at').notNull(),
  removedAt: long('removed_at'),
});

export const feedback = pgTable('feedback', {
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
}, (t) => [primaryKey({ columns: [t.tenantCode, t.id] })]);

export const audit = pgTable('audit', {
  id: text('id').notNull(),
  at: long('at').notNull(),
  actor: text('actor').notNull(),
  action: text('action').notNull(),
  subject: text('subject').notNull(),
  tenantCode: text('tenant_code'),
  before: jsonText<unknown>('before'),
  after: jsonText<unknown>('after'),
}, (t) => [primaryKey({ columns: [t.at, t.id] })]);

export const alarms = pgTable('alarms', {
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
}, (t) => [primaryKey({ columns: [t.instance, t.key] })]);

export const sessions = pgTable('sessions', {
  id: text('id').primaryKey(),
  tokenHash: text('token_hash').notNull().unique(),
  userName: text('user_name').notNull(),
  role: text('role').$type<Role>().notNull(),
  tenantCode: text('tenant_code'),
  permissions: jsonText<Permission[]>('permissions'),
  createdAt: long('created_at').notNull(),
  lastSeenAt: long('last_seen_at').notNull(),
  expiresAt: long('expires_at').notNull(),
  ip: text('ip').notNull(),
  userAgent: text('user_agent'),
});

export const loginAttempts = pgTable('login_attempts', {
  scope: text('scope').primaryKey(),
  failures: integer('failures').notNull(),
  lastAt: long('last_at').notNull(),
  blockedUntil: long('blocked_until').notNull(),
});

// Only at headquarters.

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

export const counters = pgTable('counters', {
  name: text('name').$type<'event' | 'verdict_change'>().primaryKey(),
  /** The last number given out. */
  value: long('value').notNull(),
  /** Time that went with it. */
  at: long('at').notNull(),
});

export const storeFacts = pgTable('store_facts', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

export const sites = pgTable('sites', {
  instance: text('instance').primaryKey(),
  tenants: text('tenants').array().notNull(),
  createdAt: long('created_at').notNull(),
  removedAt: long('removed_at'),
  lastSeenAt: long('last_seen_at'),
  version: text('version'),
});

export const sources = pgTable('sources', {
  instance: text('instance').notNull(),
  epoch: text('epoch').notNull(),
  channel: text('channel').$type<ChannelName>().notNull(),
  cursor: long('cursor').notNull(),
  receivedTotal: long('received_total').notNull(),
  duplicateTotal: long('duplicate_total').notNull(),
  rejectedTotal: long('rejected_total').notNull(),
  lastReceivedAt: long('last_received_at'),
}, (t) => [primaryKey({ columns: [t.instance, t.epoch, t.channel] })]);

export const decisions = pgTable('decisions', {
  id: text('id').notNull(),
  tenantCode: text('tenant_code').notNull(),
  instance: text('instance').notNull(),
  eventId: long('event_id').notNull(),
  /** Number of the change entry that it was written with: the order in which the site must hear of it. */
  changeNo: long('change_no').notNull(),
  kind: text('kind').$type<'verdict' | 'correction'>().notNull(),
  body: text('body').notNull(),
  state: text('state').$type<DecisionState>().notNull(),
  createdAt: long('created_at').notNull(),
  settledAt: long('settled_at'),
  note: text('note'),
}, (t) => [primaryKey({ columns: [t.tenantCode, t.id] })]);
