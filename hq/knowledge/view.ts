import * as z from 'zod/mini';
import { knowledgeKinds } from '../../common/core/timeline/record.ts';
import { described } from '../../common/http/described.ts';
import { securityLevels } from '../../common/policy/level.ts';
import { formatTime, formatTimeOrNull } from '../../common/time.ts';
import type { KnowledgeMeta, KnowledgeRecord, KnowledgeRevision } from './record.ts';

const metaShape = {
  coreId: z.int(),
  tenantCode: z.string(),
  srcSystem: z.string(),
  srcPk: z.string(),
  title: z.string(),
  kind: z.enum(knowledgeKinds),
  sourceRef: z.record(z.string(), z.unknown()),
  securityLevel: z.enum(securityLevels),
  version: z.int(),
  validUntil: z.nullable(z.string()),
  machineGenerated: z.boolean(),
  createdBy: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
};
const bodyView = z
  .looseObject({ sections: z.record(z.string(), z.looseObject({ text: z.string() })) })
  .register(described, { id: 'KnowledgeBody' });
export const metaView = z
  .object({ ...metaShape, body: z.optional(bodyView) })
  .register(described, { id: 'KnowledgeMeta' });
export const knowledgeView = z
  .object({ ...metaShape, body: bodyView })
  .register(described, { id: 'KnowledgeObject' });
export const revisionView = z
  .object({
    version: z.int(),
    body: bodyView,
    changedSections: z.array(z.string()),
    by: z.string(),
    note: z.nullable(z.string()),
    at: z.string(),
  })
  .register(described, { id: 'KnowledgeRevision' });

export function viewMeta({ id, sourceRef, validUntil, createdAt, updatedAt, ...rest }: KnowledgeMeta) {
  const { tenantCode, srcSystem, srcPk, title, kind, securityLevel, version, machineGenerated, createdBy } =
    rest;
  return {
    coreId: id,
    tenantCode,
    srcSystem,
    srcPk,
    title,
    kind,
    sourceRef,
    securityLevel,
    version,
    validUntil: formatTimeOrNull(validUntil),
    machineGenerated,
    createdBy,
    createdAt: formatTime(createdAt),
    updatedAt: formatTime(updatedAt),
  };
}

export const viewKnowledge = (knowledge: KnowledgeRecord) => ({
  ...viewMeta(knowledge),
  body: knowledge.body,
});

export const viewRevision = ({ version, body, changed, by, note, at }: KnowledgeRevision) => ({
  version,
  body,
  changedSections: changed,
  by,
  note,
  at: formatTime(at),
});
