// Tables of the files that headquarters wants of sites.
import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import type { EvidenceMode } from '../../../common/core/evidence/schema.ts';
import { long, text } from '../../store/schema/columns.ts';
import type { Want, WantState } from '../port.ts';

/** Files of sites that are wanted here, or of which their site told that they are gone. */
export const evidenceWants = pgTable(
  'evidence_wants',
  {
    tenantCode: text('tenant_code').notNull(),
    id: text('id').notNull(),
    instance: text('instance').notNull(),
    eventId: long('event_id').notNull(),
    eventKey: text('event_key').notNull(),
    name: text('name').notNull(),
    kind: text('kind').$type<Want['kind']>().notNull(),
    state: text('state').$type<WantState>().notNull(),
    size: long('size').notNull(),
    sha256: text('sha256').notNull(),
    held: long('held').notNull(),
    mismatches: integer('mismatches').notNull(),
    reason: text('reason'),
    askedBy: text('asked_by'),
    askedAt: long('asked_at').notNull(),
    updatedAt: long('updated_at').notNull(),
    toldEpoch: text('told_epoch'),
    settledAt: long('settled_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    uniqueIndex('evidence_wants_id').on(t.id),
    uniqueIndex('evidence_wants_file')
      .on(t.tenantCode, t.eventId, t.name)
      .where(sql`kind = 'keep'`),
    index('evidence_wants_event').on(t.eventId),
    // Each answer to a site looks here for what is open.
    index('evidence_wants_open')
      .on(t.instance, t.askedAt)
      .where(sql`settled_at is null`),
  ],
);

export const evidenceSites = pgTable('evidence_sites', {
  instance: text('instance').primaryKey(),
  mode: text('mode').$type<EvidenceMode>().notNull(),
  backlogFiles: long('backlog_files').notNull(),
  backlogBytes: long('backlog_bytes').notNull(),
  heardAt: long('heard_at').notNull(),
  receivedFiles: long('received_files').notNull(),
  receivedBytes: long('received_bytes').notNull(),
  lastReceivedAt: long('last_received_at'),
});
