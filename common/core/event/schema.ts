import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { described } from '../../http/described.ts';
import { type FaultMessage, word } from '../../http/fault/fault.ts';
import { bytesBeyond, deeperThan } from '../../json-size.ts';
import { parseTime } from '../../time.ts';
import { saidOf, saying } from './event-fault-messages.ts';

/**
 * The wire form of events at intake (DESIGN.md, "Intake"), and of what is kept of them. Every bound of an
 * event is said here: what came by uplink is held to the same definitions (common/uplink/event-item.ts).
 */

export const severities = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];
export const eventKinds = ['alert', 'observation'] as const;
export type EventKind = (typeof eventKinds)[number];
export const eventSources = ['video', 'quick_photo'] as const;
export type EventSource = (typeof eventSources)[number];

/** Largest batch of one intake request. */
export const MAX_BATCH = 500;
/** Largest `payload`, bytes of its JSON text in UTF-8. */
export const MAX_PAYLOAD_BYTES = 64 * 1024;
/** Deepest nesting accepted inside `payload`. */
export const MAX_PAYLOAD_DEPTH = 32;
const MAX_FILES = 20;
/** More than any file of a camera has, and few enough that sums of them stay exact. */
const MAX_FILE_BYTES = 2 ** 40;

/** Rank of a severity; an event without one counts as medium, as the rules do (spec 3, Action). */
export function severityRank(severity: Severity | null): number {
  return severities.indexOf(severity ?? 'medium');
}

const text = (max: number) => z.string().check(z.minLength(1), upTo(max));

/**
 * `\x00-\x1f\x7f-\x9f` is the class Cc; spelled out it needs no `u` flag, with which the match takes four
 * times as long.
 */
const NAME = /^[^\s\x00-\x1f\x7f-\x9f](?:[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?$/;

/** An identifier that appears in paths, logs and files: no control characters, no surrounding blanks. */
export const code = (max = 64) =>
  z.string().check(z.minLength(1), upTo(max), z.regex(NAME, saying('name_ends')));

export const tenantCode = code(64).register(described, { id: 'TenantCode' });

export const zonedTime = z.string().check(
  z.refine((value) => parseTime(value) !== null, {
    // A + that stands in a query as it is means a blank.
    error: (issue) =>
      word(
        issue,
        saidOf(/:\d\d(?:\.\d+)? \d\d:\d\d$/.test(String(issue.input)) ? 'zoned_time_plus' : 'zoned_time'),
      ),
  }),
);

export const eventType = z
  .string()
  .check(upTo(128), z.regex(/^[a-z0-9_]+(?:\.[a-z0-9_]+)*$/, saying('event_type')))
  .register(described, { id: 'EventType' });

/** A check whose words depend on what was found. @param faultIn null: nothing is wrong */
const checked = <T>(faultIn: (value: T) => FaultMessage | null) =>
  z.check<T>((payload) => {
    const said = faultIn(payload.value);
    if (said === null) return;
    const issue: z.core.$ZodRawIssue = { code: 'custom', input: payload.value };
    payload.issues.push({ ...issue, message: word(issue, said), told: said });
  });

/** What a JSON object that a caller writes as he likes may hold. */
export const boundedObject = (levels: number, bytes: number) =>
  z.record(z.string(), z.unknown()).check(
    checked<Record<string, unknown>>((value) => {
      if (deeperThan(value, levels)) return saidOf('too_deep', { levels });
      const size = bytesBeyond(value, bytes);
      return size === null ? null : saidOf('too_many_bytes', { most: bytes, size });
    }),
  );

const payloadInput = boundedObject(MAX_PAYLOAD_DEPTH, MAX_PAYLOAD_BYTES);

/** Files of one event. */
const filesOf = <T extends z.ZodMiniType<{ name: string }>>(file: T) =>
  z.array(file).check(
    z.maxLength(MAX_FILES),
    checked<{ name: string }[]>((files) =>
      new Set(files.map(({ name }) => name)).size < files.length ? saidOf('file_twice') : null,
    ),
  );

export const judgedInput = z
  .object({
    type: z.optional(text(128)),
    confidence: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
    by: z.optional(text(128)),
    model_version: z.optional(text(128)),
    basis_version: z.optional(text(128)),
    text: z.optional(text(4000)),
  })
  .register(described, { id: 'NewJudgement' });

export const evidenceInput = z
  .object({
    name: z.string().check(upTo(128), z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, saying('plain_file_name'))),
    content_type: z
      .string()
      .check(
        upTo(128),
        z.regex(/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/, saying('media_type', { example: 'image/jpeg' })),
      ),
    size: z.int().check(z.minimum(1), z.maximum(MAX_FILE_BYTES)),
    sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/, saying('hexadecimal_64'))),
  })
  .register(described, { id: 'NewEvidence' });

export const idempotencyKey = z.string().check(z.minLength(1), upTo(128));

export const eventInput = z
  .object({
    idempotency_key: idempotencyKey,
    tenant_code: z.optional(tenantCode),
    type: eventType,
    kind: z._default(z.enum(eventKinds), 'alert'),
    source: z._default(z.enum(eventSources), 'video'),
    severity: z.optional(z.enum(severities)),
    occurred_at: z.optional(zonedTime),
    site_ref: z.optional(code(128)),
    camera_ref: z.optional(code(128)),
    camera_name: z.optional(text(256)),
    point_ref: z.optional(code(128)),
    title: z.optional(text(512)),
    description: z.optional(text(8000)),
    local_alert_no: z.optional(text(128)),
    feedback_url: z.optional(z.string().check(upTo(2048), z.refine(isHttpUrl, saying('web_address')))),
    is_test: z._default(z.boolean(), false),
    judged: z.optional(judgedInput),
    evidence: z.optional(filesOf(evidenceInput)),
    payload: z.optional(payloadInput),
  })
  .register(described, { id: 'NewEvent' });
export type EventInput = z.infer<typeof eventInput>;

const { shape: judgedMembers } = judgedInput;

/** A judgement as it is kept, under the same bounds. */
export const keptJudgement = z.object({
  type: judgedMembers.type,
  confidence: judgedMembers.confidence,
  by: judgedMembers.by,
  modelVersion: judgedMembers.model_version,
  basisVersion: judgedMembers.basis_version,
  text: judgedMembers.text,
});

const { shape: fileMembers } = evidenceInput;
const { shape: eventMembers } = eventInput;

/** `EventDoc`, under the same bounds. */
export const keptDoc = z.object({
  siteRef: eventMembers.site_ref,
  cameraRef: eventMembers.camera_ref,
  cameraName: eventMembers.camera_name,
  pointRef: eventMembers.point_ref,
  title: eventMembers.title,
  description: eventMembers.description,
  localAlertNo: eventMembers.local_alert_no,
  feedbackUrl: eventMembers.feedback_url,
  judged: z.optional(keptJudgement),
  evidence: z.optional(
    filesOf(
      z.object({
        name: fileMembers.name,
        contentType: fileMembers.content_type,
        size: fileMembers.size,
        sha256: fileMembers.sha256,
      }),
    ),
  ),
  payload: eventMembers.payload,
  clockSuspect: z.optional(z.boolean()),
});

/** Its shape only; where it leads is looked at when it is connected to. */
export function isHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return (
    (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === ''
  );
}
