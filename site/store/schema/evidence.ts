// Evidence files, and their uploads to consumers.
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { EvidenceJobState } from '../../../common/core/evidence/port.ts';

export const evidenceFiles = sqliteTable(
  'evidence_files',
  {
    tenantCode: text('tenant_code').notNull(),
    eventId: integer('event_id').notNull(),
    name: text('name').notNull(),
    size: integer('size').notNull(),
    sha256: text('sha256').notNull(),
    storedAt: integer('stored_at').notNull(),
    /** Epoch of the headquarters that said that it holds the file; null: none has. */
    heldBy: text('held_by'),
    /** Epoch of the headquarters that the file was offered to. */
    offeredTo: text('offered_to'),
  },
  (t) => [
    primaryKey({ columns: [t.eventId, t.name] }), // The sum of all sizes is read at each upload.
    index('evidence_files_size').on(t.tenantCode, t.size),
  ],
);

export const evidenceJobs = sqliteTable(
  'evidence_jobs',
  {
    id: text('id').primaryKey(),
    tenantCode: text('tenant_code').notNull(),
    eventId: integer('event_id').notNull(),
    name: text('name').notNull(),
    consumer: text('consumer').notNull(),
    putUrl: text('put_url').notNull(),
    /** What opens the address of a pending upload, sealed. */
    access: text('access'),
    state: text('state').$type<EvidenceJobState>().notNull(),
    lastError: text('last_error'),
    attempts: integer('attempts').notNull(),
    nextAt: integer('next_at').notNull(),
    createdAt: integer('created_at').notNull(),
    settledAt: integer('settled_at'),
  },
  (t) => [
    index('evidence_jobs_due')
      .on(t.nextAt)
      .where(sql`state = 'pending'`),
    index('evidence_jobs_file')
      .on(t.eventId, t.name)
      .where(sql`state = 'pending'`),
    index('evidence_jobs_created').on(t.createdAt, t.id),
    index('evidence_jobs_failed')
      .on(t.id)
      .where(sql`state = 'failed'`),
  ],
);
