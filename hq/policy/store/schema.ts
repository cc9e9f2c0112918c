// The policy library. Levels are ranks: 0 public, 1 internal, 2 confidential, 3 secret.
import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Message } from '../../../common/message.ts';
import { bytes, jsonText, long, text } from '../../store/schema/columns.ts';
import type { PolicyCounts } from '../port.ts';
import type { ReadingProgress, ReadingState } from '../reading/port.ts';
import type { Citation, DocumentState, QaFeedback } from '../record.ts';
import type { SiteLibraryState } from '../site/record.ts';

export const kbDocs = pgTable(
  'kb_docs',
  {
    id: long('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    /** The versions of one policy: the id of the first. */
    policyId: long('policy_id').notNull(),
    srcSystem: text('src_system').notNull(),
    srcKey: text('src_key').notNull(),
    title: text('title').notNull(),
    docNo: text('doc_no'),
    version: text('version').notNull(),
    effectiveDate: text('effective_date'),
    expiryDate: text('expiry_date'),
    /**
     * The dates as moments of Beijing time, [valid_from, valid_until); never null, so that filters need no
     * case for it.
     */
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
    /** Numbers that are missing between those of its clauses. */
    missingNumbers: jsonText<string[]>('missing_numbers')
      .notNull()
      .default(sql`'[]'`),
    effectiveAt: long('effective_at'),
    chunkCount: integer('chunk_count').notNull(),
    chunksSha256: text('chunks_sha256'),
    createdBy: text('created_by').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
    changeNo: long('change_no').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    unique('kb_docs_source').on(t.tenantCode, t.srcKey),
    index('kb_docs_id').on(t.id),
    index('kb_docs_change').on(t.changeNo),
    uniqueIndex('kb_docs_effective')
      .on(t.tenantCode, t.policyId)
      .where(sql`status = 'effective'`),
    index('kb_docs_policy').on(t.tenantCode, t.policyId, t.id),
    index('kb_docs_pending')
      .on(t.id)
      .where(sql`status in ('uploaded', 'parsing')`),
  ],
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
    /** float32, little-endian. */
    embedding: bytes('embedding'),
    embedModel: text('embed_model'),
    dim: integer('dim'),
    changeNo: long('change_no').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    unique('kb_chunks_seq').on(t.tenantCode, t.docId, t.seq),
    index('kb_chunks_id').on(t.id),
    index('kb_chunks_change').on(t.changeNo),
  ],
);

/** How headquarters fares with reading a file: who reads it, how far it is, and what is to be known of it. */
export const kbReadings = pgTable(
  'kb_readings',
  {
    tenantCode: text('tenant_code').notNull(),
    docId: long('doc_id').notNull(),
    state: text('state').$type<ReadingState>().notNull(),
    dueAt: long('due_at').notNull(),
    attempts: integer('attempts').notNull(),
    lease: text('lease'),
    leasedUntil: long('leased_until').notNull(),
    stage: text('stage').$type<ReadingProgress['stage']>(),
    page: integer('page'),
    pages: integer('pages'),
    notes: jsonText<Message[]>('notes').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.docId] }),
    index('kb_readings_open')
      .on(t.tenantCode, t.docId)
      .where(sql`state <> 'read'`),
  ],
);

/** What went from the feed: chunks of a file, or everything of a tenant (doc_id null). */
export const kbChanges = pgTable(
  'kb_changes',
  {
    changeNo: long('change_no').notNull(),
    tenantCode: text('tenant_code').notNull(),
    docId: long('doc_id'),
    at: long('at').notNull(),
    /**
     * Which chunks went when a set of a file was replaced; their numbers were given out together. By it an
     * answer that rests on them is told from one that cites what never was the tenant's.
     */
    firstChunk: long('first_chunk'),
    lastChunk: long('last_chunk'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.changeNo] }),
    index('kb_changes_no').on(t.changeNo),
    index('kb_changes_chunks')
      .on(t.tenantCode, t.firstChunk)
      .where(sql`first_chunk is not null`),
  ],
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

/** Words that mean the same to a tenant, all groups in one row: a question needs all of them at once. */
export const kbSynonyms = pgTable('kb_synonyms', {
  tenantCode: text('tenant_code').primaryKey(),
  revision: integer('revision').notNull(),
  shipped: boolean('shipped').notNull(),
  groups: jsonText<string[][]>('groups').notNull(),
  setBy: text('set_by').notNull(),
  setAt: long('set_at').notNull(),
});

/** Questions without a certain answer, for who keeps the library. */
export const kbOpenQuestions = pgTable(
  'kb_open_questions',
  {
    tenantCode: text('tenant_code').notNull(),
    id: text('id').notNull(),
    question: text('question').notNull(),
    note: text('note').$type<'nothing_found' | 'little_in_common'>().notNull(),
    unknown: jsonText<string[]>('unknown').notNull(),
    times: integer('times').notNull(),
    firstAt: long('first_at').notNull(),
    lastAt: long('last_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('kb_open_questions_last').on(t.tenantCode, t.lastAt, t.id),
  ],
);

/** One hub process at a time computes the vectors that chunks lack. */
export const kbEmbedding = pgTable('kb_embedding', {
  name: text('name').primaryKey(),
  lease: text('lease'),
  leasedUntil: long('leased_until').notNull(),
});

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
    /** Highest level of what is cited. */
    level: smallint('level').notNull(),
    basisVersion: text('basis_version'),
    indexVersion: text('index_version'),
    durationMs: integer('duration_ms'),
    feedback: text('feedback').$type<QaFeedback>(),
    feedbackNote: text('feedback_note'),
    feedbackAt: long('feedback_at'),
    /** When who keeps the library dealt with its being wrong. */
    settledAt: long('settled_at'),
    createdBy: text('created_by').notNull(),
    createdAt: long('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('kb_qa_log_id').on(t.id),
    index('kb_qa_log_asker').on(t.tenantCode, t.asker, t.id),
    index('kb_qa_log_time').on(t.tenantCode, t.createdAt),
    index('kb_qa_log_wrong')
      .on(t.tenantCode, t.id)
      .where(sql`feedback = 'wrong' and settled_at is null`),
  ],
);

/** Which version of the library of a tenant each site is to have, and which it has. */
export const kbSiteLibraries = pgTable(
  'kb_site_libraries',
  {
    tenantCode: text('tenant_code').notNull(),
    instance: text('instance').notNull(),
    /** Under which it waits in the inbox of the site: another one with each version. */
    id: text('id').notNull(),
    version: text('version').notNull(),
    state: text('state').$type<SiteLibraryState>().notNull(),
    /** Since when the site is to have this version. */
    since: long('since').notNull(),
    held: text('held'),
    heldAt: long('held_at'),
    files: integer('files').notNull().default(0),
    clauses: integer('clauses').notNull().default(0),
    reason: text('reason'),
    told: jsonText<Message>('told'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.instance] })],
);

/** Days that rows of a scope are kept, by tenant; without a row nothing is deleted. */
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

/** Targeted deletions: the rows are gone with this entry, the originals after it. */
export const kbDeletions = pgTable(
  'kb_deletions',
  {
    id: text('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    /** Originals of later files are not its. */
    lastDocId: long('upto_doc_id').notNull(),
    counts: jsonText<PolicyCounts>('counts').notNull(),
    requestedBy: text('requested_by').notNull(),
    requestedAt: long('requested_at').notNull(),
    finishedAt: long('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('kb_deletions_open')
      .on(t.requestedAt)
      .where(sql`finished_at is null`),
  ],
);
