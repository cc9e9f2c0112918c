// One item of the events channel: an event as a site sends it and headquarters reads it.
import * as z from 'zod/mini';
import type { EventDoc, EventRecord, NewEvent } from '../core/event/record.ts';
import {
  eventKinds,
  eventSources,
  eventType,
  idempotencyKey,
  keptDoc,
  severities,
  tenantCode,
} from '../core/event/schema.ts';
import type { Fault } from '../http/fault/fault.ts';
import { clockTime, givenTime, itemReader } from './item.ts';

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

/** Reads an item. Members it does not know are left out; what intake would not take refuses the item. */
export function parseEventItem(value: unknown): ParsedEventItem {
  const read = readItem(value);
  if (!read.ok) return read;
  const { item } = read;
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

const readItem = itemReader(
  z.object({
    origin_id: z.int().check(z.minimum(1)),
    received_at: clockTime,
    tenant_code: tenantCode,
    idempotency_key: idempotencyKey,
    type: eventType,
    kind: z.enum(eventKinds),
    source: z.enum(eventSources),
    severity: z.optional(z.nullable(z.enum(severities))),
    occurred_at: z.optional(z.nullable(givenTime)),
    is_test: z.boolean(),
    // Every member of it, or it does not compile.
    doc: z.object(keptDoc.shape satisfies Record<keyof EventDoc, z.ZodMiniType>),
  }),
);
