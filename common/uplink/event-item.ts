// One item of the events channel: an event as a site sends it and headquarters reads it.
import * as z from 'zod/mini';
import type { EventRecord, NewEvent } from '../core/event/record.ts';
import { eventKinds, eventSources, eventType, severities, tenantCode } from '../core/event/schema.ts';
import type { Fault } from '../http/fault/fault.ts';
import { overlongLists } from '../http/body/lists.ts';
import { EARLIEST, LATEST } from '../time.ts';
import { firstFault, isObject, line, storable } from './item.ts';
import { faultOf, saidOf, saying } from '../http/fault/fault.ts';

/** An event as it came, but for the instance, which the request names once. */
export type UplinkedEvent = Omit<NewEvent, 'origin'> & { origin: { originId: number; receivedAt: number } };

export type ParsedEventItem = { ok: true; event: UplinkedEvent } | { ok: false; fault: Fault };

/** The JSON text of an item. `doc` is spliced in as it was stored. */
export function renderEventItem(record: EventRecord): string {
  return (
    `{"origin_id":${record.originId ?? record.id}` +
    `,"received_at":${record.originReceivedAt ?? record.receivedAt}` +
    `,"tenant_code":${JSON.stringify(record.tenantCode)}` +
    `,"idempotency_key":${JSON.stringify(record.idempotencyKey)}` +
    `,"type":${JSON.stringify(record.type)},"kind":"${record.kind}","source":"${record.source}"` +
    `,"severity":${record.severity === null ? 'null' : `"${record.severity}"`}` +
    `,"occurred_at":${record.occurredAt}` +
    `,"is_test":${record.isTest},"doc":${record.doc}}`
  );
}

/** Reads an item. Members it does not know are left out; a member of the wrong form refuses the item. */
export function parseEventItem(value: unknown): ParsedEventItem {
  const [overlong] = overlongLists(eventItem, value);
  if (overlong) return { ok: false, fault: faultOf(overlong.path.join('.'), overlong.told) };
  const parsed = checkedItem.safeParse(value);
  if (!parsed.success) return { ok: false, fault: firstFault(parsed.error) };
  const item = parsed.data;
  return {
    ok: true,
    event: {
      tenantCode: item.tenant_code,
      idempotencyKey: item.idempotency_key,
      type: item.type,
      kind: item.kind,
      source: item.source,
      severity: item.severity ?? null,
      occurredAt: item.occurred_at ?? null,
      isTest: item.is_test,
      nodeKey: null,
      doc: JSON.stringify(item.doc),
      origin: { originId: item.origin_id, receivedAt: item.received_at },
    },
  };
}

/** What cannot be written as a time would break every list that shows it. */
const time = z.int().check(z.minimum(0), z.maximum(LATEST));
const text = z.optional(z.string());

/** The members of `EventDoc`. What a reader takes for granted is checked; sizes were checked at intake. */
const doc = z.object({
  siteRef: text,
  cameraRef: text,
  cameraName: text,
  pointRef: text,
  title: text,
  description: text,
  localAlertNo: text,
  feedbackUrl: text,
  judged: z.optional(
    z.object({
      type: text,
      confidence: z.optional(z.number()),
      by: text,
      modelVersion: text,
      basisVersion: text,
      text,
    }),
  ),
  evidence: z.optional(
    z
      .array(z.object({ name: z.string(), contentType: z.string(), size: z.number(), sha256: z.string() }))
      .check(z.maxLength(1000)),
  ),
  clockSuspect: z.optional(z.boolean()),
  payload: z.optional(
    z.custom<Record<string, unknown>>(isObject, saying('wrong_type', { expected: saidOf('type_object') })),
  ),
});

const eventItem = z.object({
  origin_id: z.int().check(z.minimum(1)),
  received_at: time,
  tenant_code: tenantCode.check(storable),
  idempotency_key: line(128).check(z.minLength(1)),
  type: eventType,
  kind: z.enum(eventKinds),
  source: z.enum(eventSources),
  severity: z.optional(z.nullable(z.enum(severities))),
  occurred_at: z.optional(z.nullable(z.int().check(z.minimum(EARLIEST), z.maximum(LATEST)))),
  is_test: z.boolean(),
  doc,
});

/** Generated code, three times as fast. */
const checkedItem = z.compile(eventItem);
