// Business systems that datasets are pulled from, and what has landed.
import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { DatasetDescriptor } from '../../../common/dataset/schema.ts';
import type { Message } from '../../../common/message.ts';
import { jsonText, long, text } from '../../store/schema/columns.ts';
import type { Processor, PullMode } from '../record.ts';

export const datasetSources = pgTable(
  'dataset_sources',
  {
    id: text('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    name: text('name').notNull(),
    baseUrl: text('base_url').notNull(),
    keyId: text('key_id').notNull(),
    secretRef: text('secret_ref').notNull(),
    schedule: text('schedule').notNull(),
    enabled: boolean('enabled').notNull(),
    pageRows: integer('page_rows').notNull(),
    overlapMs: integer('overlap_ms').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
    nextRunAt: long('next_run_at'),
    failures: integer('failures').notNull(),
    lastError: text('last_error'),
    /** Token of the process that pulls now. */
    lease: text('lease'),
    leasedUntil: long('leased_until').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    unique('dataset_sources_name').on(t.tenantCode, t.name),
    index('dataset_sources_id').on(t.id),
    index('dataset_sources_due')
      .on(t.nextRunAt)
      .where(sql`enabled`),
  ],
);

export const sourceDatasets = pgTable(
  'source_datasets',
  {
    tenantCode: text('tenant_code').notNull(),
    sourceId: text('source_id').notNull(),
    dataset: text('dataset').notNull(),
    processor: text('processor').$type<Processor>().notNull(),
    contract: jsonText<DatasetDescriptor>('contract'),
    offered: jsonText<DatasetDescriptor>('offered'),
    mode: text('mode').$type<PullMode>().notNull(),
    /** "<update time with microseconds>|<primary key>", never taken apart into a number. */
    cursor: text('cursor'),
    settled: text('settled'),
    runCursor: text('run_cursor'),
    generation: integer('generation').notNull(),
    completedAt: long('completed_at'),
    runStartedAt: long('run_started_at'),
    runEndedAt: long('run_ended_at'),
    runRows: long('run_rows').notNull(),
    asOf: text('as_of'),
    lastSuccessAt: long('last_success_at'),
    lastError: text('last_error'),
    lastErrorTold: jsonb('last_error_told').$type<Message>(),
    failures: integer('failures').notNull(),
    rowsTotal: long('rows_total').notNull(),
    changedTotal: long('changed_total').notNull(),
    duplicateTotal: long('duplicate_total').notNull(),
    rowsKept: long('rows_kept').notNull().default(0),
    bytesKept: long('bytes_kept').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.sourceId, t.dataset] }),
    uniqueIndex('source_datasets_processor')
      .on(t.tenantCode, t.processor)
      .where(sql`processor <> 'none'`),
  ],
);

/** Rows as they landed; a deleted one stays as its marker, so that an older copy of it does not come back. */
export const datasetRows = pgTable(
  'dataset_rows',
  {
    tenantCode: text('tenant_code').notNull(),
    sourceId: text('source_id').notNull(),
    dataset: text('dataset').notNull(),
    pk: text('pk').notNull(),
    /** UTC with six digits of fraction: in the order of its bytes. */
    updatedAt: text('updated_at').notNull(),
    deleted: boolean('deleted').notNull(),
    generation: integer('generation').notNull(),
    fields: text('fields').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.sourceId, t.dataset, t.pk] })],
);
