import * as z from 'zod/mini';
import { overlongLists } from '../../http/body/lists.ts';
import { type Fault } from '../../http/fault/fault.ts';
import { faultsOf } from '../../http/validate.ts';
import { parseTime } from '../../time.ts';
import { faultAt } from './event-fault-messages.ts';
import { factsIn } from './facts.ts';
import type { IgnoredNames } from './ignored.ts';
import type { EventDoc, Judged, NewEvent } from './record.ts';
import { type EventInput, eventInput, evidenceInput, judgedInput } from './schema.ts';

/** The node that posts; its tenant must be the event's. */
export interface Poster {
  keyId: string;
  tenantCode: string | null;
}

export type Accepted = { ok: true; event: NewEvent };
export type Refused = {
  ok: false;
  error: 'validation_failed' | 'tenant_mismatch';
  faults: Fault[];
  idempotencyKey: string | null;
};

/**
 * Generated code, three times as fast; what does not pass is checked again by the schema, which tells why.
 */
const checkedInput = z.compile(eventInput);

/**
 * Checks one event of an intake request and gives it its stored form. @param ignored told the members of an
 * accepted event that no event has
 */
export function admitEvent(value: unknown, poster: Poster, ignored?: IgnoredNames): Accepted | Refused {
  const overlong = overlongLists(eventInput, value);
  if (overlong.length > 0) return refuse(value, 'validation_failed', faultsOf(overlong));
  const parsed = checkedInput.safeParse(value);
  if (!parsed.success) return refuse(value, 'validation_failed', faultsOf(parsed.error.issues));
  const input = parsed.data;
  const tenantCode = input.tenant_code ?? poster.tenantCode;
  if (tenantCode === null || (poster.tenantCode !== null && tenantCode !== poster.tenantCode)) {
    return refuse(value, 'tenant_mismatch', [faultAt('tenant_code', 'node_tenant')]);
  }
  const event = newEvent(input, tenantCode, poster.keyId);
  if (ignored) noteIgnored(ignored, value as Record<string, unknown>);
  return { ok: true, event };
}

function newEvent(input: EventInput, tenantCode: string, nodeKey: string): NewEvent {
  const doc = docOf(input);
  return {
    tenantCode,
    idempotencyKey: input.idempotency_key,
    type: input.type,
    kind: input.kind,
    source: input.source,
    severity: input.severity ?? null,
    occurredAt: input.occurred_at === undefined ? null : parseTime(input.occurred_at),
    isTest: input.is_test,
    nodeKey,
    doc: JSON.stringify(doc),
    facts: factsIn(doc),
  };
}

function docOf(input: EventInput): EventDoc {
  return {
    siteRef: input.site_ref,
    cameraRef: input.camera_ref,
    cameraName: input.camera_name,
    pointRef: input.point_ref,
    title: input.title,
    description: input.description,
    localAlertNo: input.local_alert_no,
    feedbackUrl: input.feedback_url,
    judged: input.judged && judgedOf(input.judged),
    evidence: input.evidence?.map((file) => ({
      name: file.name,
      contentType: file.content_type,
      size: file.size,
      sha256: file.sha256,
    })),
    payload: input.payload,
  };
}

function judgedOf(judged: NonNullable<EventInput['judged']>): Judged {
  return {
    type: judged.type,
    confidence: judged.confidence,
    by: judged.by,
    modelVersion: judged.model_version,
    basisVersion: judged.basis_version,
    text: judged.text,
  };
}

/** Names that are not part of an event; they are kept out and told to the sender. */
function noteIgnored(ignored: IgnoredNames, value: Record<string, unknown>): void {
  noteUnknown(ignored, value, EVENT_NAMES);
  if (typeof value.judged === 'object') noteUnknown(ignored, value.judged, JUDGED_NAMES, 'judged.');
  if (Array.isArray(value.evidence))
    value.evidence.forEach((file, index) =>
      noteUnknown(ignored, file as object, EVIDENCE_NAMES, `evidence[${index}].`),
    );
}

const [EVENT_NAMES, JUDGED_NAMES, EVIDENCE_NAMES] = [eventInput, judgedInput, evidenceInput].map(
  ({ shape }) => new Set(Object.keys(shape)),
) as [Set<string>, Set<string>, Set<string>];

function noteUnknown(
  ignored: IgnoredNames,
  value: object | null,
  known: ReadonlySet<string>,
  prefix = '',
): void {
  for (const name in value) if (!known.has(name)) ignored.note((prefix + name).slice(0, 128));
}

function refuse(value: unknown, error: Refused['error'], faults: Fault[]): Refused {
  const key =
    typeof value === 'object' && value !== null
      ? (value as { idempotency_key?: unknown }).idempotency_key
      : null;
  return { ok: false, error, faults, idempotencyKey: typeof key === 'string' ? key.slice(0, 128) : null };
}
