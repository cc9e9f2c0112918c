// The policies in force of the site's tenants, as headquarters gave them.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Message } from '../../../../common/message.ts';
import type { LibrarySynonyms } from '../../../../common/uplink/library.ts';
import type { FileState, LibraryState } from '../../../policy/port.ts';

/** How the library of each tenant stands. */
export const libraries = sqliteTable('libraries', {
  seq: integer('seq').primaryKey(),
  tenantCode: text('tenant_code').notNull().unique(),
  /** Epoch of the headquarters that gave `through`; empty before the first answer. */
  hubEpoch: text('hub_epoch').notNull(),
  through: integer('through').notNull(),
  /** It goes through all files, and those of an earlier round are gone at the end. */
  whole: integer('whole', { mode: 'boolean' }).notNull(),
  round: integer('round').notNull(),
  /** Version and digest of what was told last. */
  told: text('told'),
  digest: text('digest'),
  synonyms: text('synonyms', { mode: 'json' }).$type<LibrarySynonyms>().notNull(),
  /** Version that is here whole; null: none was yet. */
  version: text('version'),
  state: text('state').$type<LibraryState>().notNull(),
  /** Why it is refused. */
  reason: text('reason', { mode: 'json' }).$type<Message>(),
  at: integer('at').notNull(),
});

export const libraryFiles = sqliteTable(
  'library_files',
  {
    tenantCode: text('tenant_code').notNull(),
    id: integer('id').notNull(),
    policyId: integer('policy_id').notNull(),
    title: text('title').notNull(),
    docNo: text('doc_no'),
    version: text('version').notNull(),
    srcSystem: text('src_system').notNull(),
    srcKey: text('src_key').notNull(),
    level: integer('level').notNull(),
    effectiveDate: text('effective_date'),
    expiryDate: text('expiry_date'),
    validFrom: integer('valid_from').notNull(),
    validUntil: integer('valid_until').notNull(),
    scheduled: integer('scheduled', { mode: 'boolean' }).notNull(),
    textNo: integer('text_no').notNull(),
    clauses: integer('clauses').notNull(),
    textSha256: text('text_sha256').notNull(),
    /** When it ends, the day of a later version included. */
    endsAt: integer('ends_at').notNull(),
    state: text('state').$type<FileState>().notNull(),
    round: integer('round').notNull(),
    /** What search indexes follow, of both tables. */
    changeNo: integer('change_no').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantCode, table.id] }),
    index('library_files_change').on(table.changeNo),
    index('library_files_policy').on(table.tenantCode, table.policyId),
  ],
);

export const libraryClauses = sqliteTable(
  'library_clauses',
  {
    tenantCode: text('tenant_code').notNull(),
    docId: integer('doc_id').notNull(),
    seq: integer('seq').notNull(),
    id: integer('id').notNull(),
    path: text('path'),
    page: integer('page'),
    text: text('text').notNull(),
    textSha256: text('text_sha256').notNull(),
    changeNo: integer('change_no').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantCode, table.docId, table.seq] }),
    index('library_clauses_id').on(table.id),
    index('library_clauses_change').on(table.changeNo),
  ],
);
