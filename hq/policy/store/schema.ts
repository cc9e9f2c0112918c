// The tables of knowledge objects and of the policy library; only the hub has them.
import { boolean, customType, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import type { KnowledgeKind } from '../../../common/core/timeline/record.ts';
import type { KnowledgeBody } from '../../knowledge/record.ts';
import type { PolicyCounts } from '../port.ts';
import type { Citation, DocumentState, QaFeedback, SecurityLevel } from '../record.ts';
import { jsonText, long } from '../../store/schema/columns.ts';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const knowledge = pgTable(
  'knowledge',
  {
    id: long('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    srcSystem: text('src_system').notNull(),
    srcPk: text('src_pk').notNull(),
    title: text('title').notNull(),
    kind: text('kind').$type<KnowledgeKind>().notNull(),
    sourceRef: jsonText<Record<string, unknown>>('source_ref').notNull(),
    refs: text('refs').array().notNull(),
    eventId: long('event_id'),
    securityLevel: text('security_level').$type<SecurityLevel>().notNull(),
    version: integer('version').notNull(),
    validUntil: long('valid_until'),
    body: jsonText<KnowledgeBody>('body').notNull(),
    machineGenerated: boolean('machine_generated').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const knowledgeRevisions = pgTable(
  'knowledge_revisions',
  {
    tenantCode: text('tenant_code').notNull(),
    knowledgeId: long('knowledge_id').notNull(),
    version: integer('version').notNull(),
    body: jsonText<KnowledgeBody>('body').notNull(),
    changed: jsonText<string[]>('changed').notNull(),
    by: text('by').notNull(),
    note: text('note'),
    at: long('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.knowledgeId, t.version] })],
);

export const kbDocs = pgTable(
  'kb_docs',
  {
    id: long('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    policyId: long('policy_id').notNull(),
    srcSystem: text('src_system').notNull(),
    srcKey: text('src_key').notNull(),
    title: text('title').notNull(),
    docNo: text('doc_no'),
    version: text('version').notNull(),
    effectiveDate: text('effective_date'),
    expiryDate: text('expiry_date'),
    validFrom: long('valid_from').notNull(),
    validUntil: long('valid_until').notNull(),
    level: smallint('level').notNull(),
    fileName: text('file_name'),
    contentType: text('content_type'),
    size: long('size'),
    sha256: text('sha256'),
    storedAt: long('stored_at'),
    supersedes: long('supersedes'),
    supersededBy: long('superseded_by'),
    status: text('status').$type<DocumentState>().notNull(),
    reason: text('reason'),
    parseNote: text('parse_note'),
    parsingSince: long('parsing_since'),
    effectiveAt: long('effective_at'),
    chunkCount: integer('chunk_count').notNull(),
    chunksSha256: text('chunks_sha256'),
    createdBy: text('created_by').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
    changeNo: long('change_no').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const kbChunks = pgTable(
  'kb_chunks',
  {
    id: long('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    docId: long('doc_id').notNull(),
    seq: integer('seq').notNull(),
    clausePath: text('clause_path'),
    page: integer('page'),
    text: text('text').notNull(),
    textSha256: text('text_sha256').notNull(),
    embedding: bytea('embedding'),
    embedModel: text('embed_model'),
    dim: integer('dim'),
    changeNo: long('change_no').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const kbChanges = pgTable(
  'kb_changes',
  {
    changeNo: long('change_no').notNull(),
    tenantCode: text('tenant_code').notNull(),
    docId: long('doc_id'),
    at: long('at').notNull(),
    firstChunk: long('first_chunk'),
    lastChunk: long('last_chunk'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.changeNo] })],
);

export const kbClearance = pgTable(
  'kb_clearance',
  {
    tenantCode: text('tenant_code').notNull(),
    subject: text('subject').notNull(),
    level: smallint('level').notNull(),
    grantedBy: text('granted_by').notNull(),
    grantedAt: long('granted_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.subject] })],
);

export const kbQaLog = pgTable(
  'kb_qa_log',
  {
    id: long('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    asker: text('asker').notNull(),
    question: text('question').notNull(),
    answer: text('answer'),
    refusalReason: text('refusal_reason'),
    citations: jsonText<Citation[]>('citations').notNull(),
    level: smallint('level').notNull(),
    basisVersion: text('basis_version'),
    indexVersion: text('index_version'),
    durationMs: integer('duration_ms'),
    feedback: text('feedback').$type<QaFeedback>(),
    feedbackNote: text('feedback_note'),
    feedbackAt: long('feedback_at'),
    createdBy: text('created_by').notNull(),
    createdAt: long('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const retentionScopes = pgTable(
  'retention_scopes',
  {
    tenantCode: text('tenant_code').notNull(),
    scope: text('scope').$type<'qa_log'>().notNull(),
    days: integer('days').notNull(),
    setBy: text('set_by').notNull(),
    setAt: long('set_at').notNull(),
    deletedTotal: long('deleted_total').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.scope] })],
);

export const kbDeletions = pgTable(
  'kb_deletions',
  {
    id: text('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    uptoDocId: long('upto_doc_id').notNull(),
    counts: jsonText<PolicyCounts>('counts').notNull(),
    requestedBy: text('requested_by').notNull(),
    requestedAt: long('requested_at').notNull(),
    finishedAt: long('finished_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);
