// Valid commands and records, each with what the test cares about laid over it.
import type { Stamp } from '../../common/clock.ts';
import type { RaiseAlarm } from '../../common/core/alarm/port.ts';
import type { AuditEntry } from '../../common/core/audit/port.ts';
import type { EventDoc, EventRecord, NewEvent } from '../../common/core/event/record.ts';
import type { FeedbackRecord } from '../../common/core/feedback/record.ts';
import type { KeyRecord } from '../../common/core/key/port.ts';
import type { Stores } from '../../common/core/stores.ts';
import type { SubscriptionFilters } from '../../common/core/subscription/port.ts';
import type { AddStep, CreateTask, MoveTask, TaskRecord } from '../../common/core/task/record.ts';
import type { TaskState } from '../../common/core/task/schema.ts';
import type { WriteCorrection, WriteVerdict } from '../../common/core/verdict/record.ts';
import { TEST_START } from '../support/clock.ts';

export const range = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const docOf = (doc: EventDoc): string => JSON.stringify(doc);

export function newEvent(idempotencyKey: string, over: Partial<NewEvent> = {}): NewEvent {
  return {
    tenantCode: 'acme',
    idempotencyKey,
    type: 'vehicle.intrusion',
    kind: 'alert',
    source: 'video',
    severity: 'high',
    occurredAt: TEST_START - 5_000,
    isTest: false,
    nodeKey: 'cam-1',
    doc: docOf({ title: `event ${idempotencyKey}` }),
    ...over,
  };
}

/** An event that arose at a site and came to headquarters. */
export function siteEvent(idempotencyKey: string, over: Partial<NewEvent> = {}): NewEvent {
  return newEvent(idempotencyKey, {
    nodeKey: null,
    origin: { instance: 'site-9', originId: 77, receivedAt: TEST_START - 1_000 },
    ...over,
  });
}

/** Stores one event and gives its id. */
export async function stored(stores: Stores, event: NewEvent, now = TEST_START): Promise<number> {
  const [result] = await stores.events.ingest([event], now);
  if (!result) throw new Error('ingest gave no result');
  return result.id;
}

export async function eventOf(stores: Stores, id: number): Promise<EventRecord> {
  const event = await stores.events.get(id);
  if (!event) throw new Error(`event ${id} is not there`);
  return event;
}

export function verdictOn(eventId: number, over: Partial<WriteVerdict> = {}): WriteVerdict {
  return {
    eventId,
    tenantCode: null,
    verdict: 'confirmed',
    by: 'li',
    byKind: 'human',
    note: null,
    mergedInto: null,
    judged: null,
    disposition: null,
    decisionId: null,
    actor: 'admin',
    ...over,
  };
}

export function correctionOn(
  eventId: number,
  id: string,
  over: Partial<WriteCorrection> = {},
): WriteCorrection {
  return {
    id,
    eventId,
    tenantCode: null,
    verdict: 'false_alarm',
    by: 'wang',
    byKind: 'human',
    note: 'a shadow',
    mergedInto: null,
    decisionId: null,
    actor: 'admin',
    ...over,
  };
}

export function filters(over: Partial<SubscriptionFilters> = {}): SubscriptionFilters {
  return {
    tenantCode: null,
    eventTypes: null,
    minSeverity: null,
    pushUrl: null,
    secretRef: null,
    enabled: true,
    ...over,
  };
}

export function keyRecord(keyId: string, over: Partial<KeyRecord> = {}): KeyRecord {
  return {
    keyId,
    purpose: 'node',
    tenantCode: 'acme',
    subject: `camera ${keyId}`,
    scopes: null,
    secretRef: `file:/keys/${keyId}`,
    previousRef: null,
    previousUntil: null,
    createdAt: TEST_START,
    removedAt: null,
    ...over,
  };
}

export function auditEntry(id: string, over: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id,
    at: TEST_START,
    actor: 'admin',
    action: 'key.added',
    subject: 'key:cam-1',
    tenantCode: 'acme',
    before: null,
    after: null,
    ...over,
  };
}

export function alarm(key: string, over: Partial<RaiseAlarm> = {}): RaiseAlarm {
  return {
    key,
    instance: 'site-1',
    tenantCode: null,
    severity: 'warning',
    message: `${key} needs a person`,
    ...over,
  };
}

export function taskOn(eventId: number | null, over: Partial<CreateTask> = {}): CreateTask {
  return {
    tenantCode: 'acme',
    type: 'disposal',
    eventId,
    title: 'look into it',
    severity: 'high',
    assigneeOrg: null,
    dueAt: null,
    suppressed: false,
    body: {},
    by: 'admin',
    actor: 'admin',
    ...over,
  };
}

/** Creates a task. */
export async function taskIn(
  stores: Stores,
  stamp: Stamp,
  eventId: number | null = null,
  over: Partial<CreateTask> = {},
): Promise<TaskRecord> {
  const outcome = await stores.tasks.create(taskOn(eventId, over), stamp);
  if (outcome.kind !== 'created') throw new Error(`the task was not created: ${outcome.kind}`);
  return outcome.detail.task;
}

export function moveOf(taskId: number, to: TaskState, over: Partial<MoveTask> = {}): MoveTask {
  return { taskId, tenantCode: 'acme', to, by: 'li', note: null, resultCode: null, actor: 'admin', ...over };
}

export function stepOf(taskId: number, over: Partial<AddStep> = {}): AddStep {
  return {
    taskId,
    tenantCode: 'acme',
    kind: 'arrive',
    text: 'on the spot',
    by: 'wu',
    at: null,
    actor: 'admin',
    ...over,
  };
}

/** The messages to the camera of an event, as they are sent. */
export async function messagesOn(
  { feedback }: Pick<Stores, 'feedback'>,
  eventId: number,
): Promise<FeedbackRecord[]> {
  const messages = await feedback.ofEvent(eventId, 1_000);
  const found = await Promise.all(messages.map(({ id }) => feedback.get(id)));
  return found.filter((message) => message !== null);
}
