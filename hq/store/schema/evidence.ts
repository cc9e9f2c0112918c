// Evidence files, and their uploads to consumers.
import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { EvidenceJobState } from '../../../common/core/evidence/port.ts';
import { long, text } from './columns.ts';

export const evidenceFiles = pgTable(
  'evidence_files',
  {
    tenantCode: text('tenant_code').notNull(),
    eventId: long('event_id').notNull(),
    name: text('name').notNull(),
    size: long('size').notNull(),
    sha256: text('sha256').notNull(),
    storedAt: long('stored_at').notNull(),
    /** The site that its event arose at; null: here. */
    instance: text('instance'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.eventId, t.name] }),
    // The sums of sizes are read at each upload.
    index('evidence_files_size').on(t.tenantCode, t.instance, t.size),
    index('evidence_files_event').on(t.eventId),
  ],
);

export const evidenceJobs = pgTable(
  'evidence_jobs',
  {
    id: text('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    eventId: long('event_id').notNull(),
    name: text('name').notNull(),
    consumer: text('consumer').notNull(),
    putUrl: text('put_url').notNull(),
    /** What opens the address of a pending upload, sealed. */
    access: text('access'),
    state: text('state').$type<EvidenceJobState>().notNull(),
    lastError: text('last_error'),
    attempts: integer('attempts').notNull(),
    nextAt: long('next_at').notNull(),
    createdAt: long('created_at').notNull(),
    settledAt: long('settled_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('evidence_jobs_id').on(t.id),
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
