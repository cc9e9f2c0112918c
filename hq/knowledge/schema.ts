import * as z from 'zod/mini';
import { upTo } from '../../common/characters.ts';
import { code, tenantCode, zonedTime } from '../../common/core/event/schema.ts';
import { knowledgeKinds } from '../../common/core/timeline/record.ts';
import { described } from '../../common/http/described.ts';
import { securityLevels } from '../../common/policy/level.ts';
import { saidOf, saying } from './knowledge-fault-messages.ts';

/** The wire form of knowledge objects (spec 3, "Knowledge object"; DESIGN.md, "Knowledge"). */

/** Characters of a revised section (spec 3, "Limits"). */
const MAX_SECTION = 8_000;
/** Largest body and source reference, bytes of their JSON text in UTF-8. */
export const MAX_BODY_BYTES = 512 * 1024;
const MAX_REF_BYTES = 16 * 1024;
const MAX_DEPTH = 32;

const sentence = (max: number) => z.string().check(z.minLength(1), upTo(max), z.regex(/\S/, saying('blank')));

export const textUpTo = (max: number) => z.string().check(upTo(max));

const small = (max: number) =>
  z.refine(
    (value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= max && depthOf(value) <= MAX_DEPTH,
    saying('json_bounds', { most: max, levels: MAX_DEPTH }),
  );

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const section = z.strictObject({
  title: z.optional(z.string().check(z.maxLength(512))),
  text: z.string(),
  editable: z.optional(z.literal('human')),
});
const sectionName = code(128);

export const knowledgeInput = z
  .strictObject({
    tenant_code: tenantCode,
    src_system: code(64),
    src_pk: code(256),
    title: sentence(512),
    kind: z.enum(knowledgeKinds),
    source_ref: z._default(z.record(z.string(), z.unknown()).check(small(MAX_REF_BYTES)), {}),
    security_level: z.optional(z.enum(securityLevels)),
    valid_until: z.optional(zonedTime),
    body: z
      .looseObject({ sections: z._default(z.record(sectionName, section), {}) })
      .check(small(MAX_BODY_BYTES)),
    machine_generated: z._default(z.boolean(), false),
    by: z.optional(code(128)),
  })
  .register(described, { id: 'NewKnowledgeObject' });
export type KnowledgeInput = z.infer<typeof knowledgeInput>;

export const reviseInput = z
  .strictObject({
    tenant_code: tenantCode,
    sections: z
      .record(sectionName, textUpTo(MAX_SECTION))
      .check(z.refine((sections) => Object.keys(sections).length > 0, saying('section_needed'))),
    by: code(128),
    note: z.optional(sentence(4000)),
    expected_version: z.optional(z.int().check(z.minimum(1))),
  })
  .register(described, { id: 'NewKnowledgeRevision' });
export type ReviseInput = z.infer<typeof reviseInput>;

const kindList = z
  .string()
  .check(
    z.refine(
      (text) => text.split(',').every((kind) => (knowledgeKinds as readonly string[]).includes(kind.trim())),
      saying('comma_list', { what: saidOf('what_kinds'), values: knowledgeKinds.join(', ') }),
    ),
  );
const MAX_OFFSET = 10_000;

export const knowledgeQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  kind: z.optional(z.enum(knowledgeKinds)),
  exclude_kind: z.optional(kindList),
  src_system: z.optional(code(64)),
  src_pk: z.optional(code(256)),
  ref_key: z.optional(z.string().check(z.minLength(1), z.maxLength(256))),
  ref_value: z.optional(z.string().check(z.maxLength(256))),
  since: z.optional(zonedTime),
  until: z.optional(zonedTime),
  fields: z.optional(z.literal('meta')),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 100),
  offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(MAX_OFFSET)), 0),
});
export type KnowledgeQuery = z.infer<typeof knowledgeQuery>;
