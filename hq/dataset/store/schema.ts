// The tables of dataset sources and what has landed.
import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { DatasetDescriptor } from '../../../common/dataset/schema.ts';
import type { Processor, PullMode } from '../record.ts';
import { jsonText, long } from '../../store/schema/columns.ts';

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
    lease: text('lease'),
    leasedUntil: long('leased_until').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
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
    cursor: text('cursor'),
    runCursor: text('run_cursor'),
    generation: integer('generation').notNull(),
    completedAt: long('completed_at'),
    runStartedAt: long('run_started_at'),
    runEndedAt: long('run_ended_at'),
    runRows: long('run_rows').notNull(),
    asOf: text('as_of'),
    lastSuccessAt: long('last_success_at'),
    lastError: text('last_error'),
    failures: integer('failures').notNull(),
    rowsTotal: long('rows_total').notNull(),
    changedTotal: long('changed_total').notNull(),
    duplicateTotal: long('duplicate_total').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.sourceId, t.dataset] })],
);
