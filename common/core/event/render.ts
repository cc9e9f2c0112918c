import * as z from 'zod/mini';
import { described } from '../../http/described.ts';
import { formatTime, formatTimeOrNull } from '../../time.ts';
import type { GivenVerdict } from '../verdict/record.ts';
import { verdictValues } from '../verdict/schema.ts';
import type { EventRecord } from './record.ts';
import { eventKinds, eventSources, severities } from './schema.ts';

/**
 * JSON text of an event as readers see it (DESIGN.md, "Intake"). The stored
 * `doc` is spliced in unparsed: serving a page must not cost a parse per event.
 * @param self instance of this store, for events that arose here
 */
export function renderEvent(event: EventRecord, self: string): string {
  const rest = event.doc.length > 2 ? `,${event.doc.slice(1)}` : '}';
  return (
    `{"id":${event.id},"tenantCode":${JSON.stringify(event.tenantCode)}` +
    `,"idempotencyKey":${JSON.stringify(event.idempotencyKey)}` +
    `,"type":"${event.type}","kind":"${event.kind}","source":"${event.source}"` +
    `,"severity":${event.severity === null ? 'null' : `"${event.severity}"`}` +
    `,"occurredAt":${event.occurredAt === null ? 'null' : `"${formatTime(event.occurredAt)}"`}` +
    `,"receivedAt":"${formatTime(event.originReceivedAt ?? event.receivedAt)}","isTest":${event.isTest}` +
    `,"instance":${JSON.stringify(event.instance ?? self)},"originId":${event.originId ?? event.id}` +
    `,"verdict":${event.verdict === null ? 'null' : `"${event.verdict}"`}` +
    `,"correctedTo":${event.correctedTo === null ? 'null' : `"${event.correctedTo}"`}${rest}`
  );
}

const optionalText = z.optional(z.string());

/** A file that the event announced. */
const announcedEvidence = z
  .object({ name: z.string(), contentType: z.string(), size: z.int(), sha256: z.string() })
  .register(described, { id: 'AnnouncedEvidence' });

export const judgedView = z
  .object({
    type: optionalText,
    confidence: z.optional(z.number()),
    by: optionalText,
    modelVersion: optionalText,
    basisVersion: optionalText,
    text: optionalText,
  })
  .register(described, { id: 'Judgement' });

/**
 * As `renderEvent`, with who gave the first verdict and when.
 * @param given null: nobody has
 */
export function renderJudged(event: EventRecord, self: string, given: GivenVerdict | null): string {
  const members = {
    verdictBy: given?.by ?? null,
    verdictByKind: given?.byKind ?? null,
    verdictAt: formatTimeOrNull(given?.at ?? null),
  };
  return `${renderEvent(event, self).slice(0, -1)},${JSON.stringify(members).slice(1)}`;
}

/** The shape that `renderEvent` gives, for the OpenAPI description and its checks. */
export const eventView = z
  .object({
    id: z.int(),
    tenantCode: z.string(),
    idempotencyKey: z.string(),
    type: z.string(),
    kind: z.enum(eventKinds),
    source: z.enum(eventSources),
    severity: z.nullable(z.enum(severities)),
    occurredAt: z.nullable(z.string()),
    receivedAt: z.string(),
    isTest: z.boolean(),
    instance: z.string(),
    originId: z.int(),
    verdict: z.nullable(z.enum(verdictValues)),
    correctedTo: z.nullable(z.enum(verdictValues)),
    siteRef: optionalText,
    cameraRef: optionalText,
    cameraName: optionalText,
    pointRef: optionalText,
    title: optionalText,
    description: optionalText,
    localAlertNo: optionalText,
    feedbackUrl: optionalText,
    judged: z.optional(judgedView),
    evidence: z.optional(z.array(announcedEvidence)),
    payload: z.optional(z.record(z.string(), z.unknown())),
    /**
     * Present when the receiving site's clock could not be trusted: `receivedAt` is then not to be relied on.
     */
    clockSuspect: z.optional(z.boolean()),
  })
  .register(described, { id: 'Event' });
export type EventView = z.infer<typeof eventView>;

/** The shape that `renderJudged` gives. */
export const judgedEventView = z
  .extend(eventView, {
    verdictBy: z.nullable(z.string()),
    verdictByKind: z.nullable(z.enum(['human', 'machine'])),
    verdictAt: z.nullable(z.string()),
  })
  .register(described, { id: 'JudgedEvent' });
