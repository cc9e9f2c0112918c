import * as z from 'zod/mini';
import { upTo } from '../../common/characters.ts';
import { code, isHttpUrl, tenantCode } from '../../common/core/event/schema.ts';
import { keyIdText } from '../../common/core/key/schema.ts';
import { secretRef } from '../../common/core/secret/schema.ts';
import { datasetDescriptor, datasetKey, MAX_ROWS } from '../../common/dataset/schema.ts';
import { described } from '../../common/http/described.ts';
import { faultOf } from '../../common/http/fault/fault.ts';
import { processors } from './record.ts';
import { scheduleFault } from './schedule.ts';
import { saying } from './source-fault-messages.ts';

const schedule = z.string().check(
  z.maxLength(128),
  z.superRefine((text, context) => {
    const found = scheduleFault(text);
    if (found !== null)
      context.addIssue({ code: 'custom', input: text, told: found, message: faultOf('', found).message });
  }),
);

const baseUrl = z.string().check(
  upTo(2048),
  z.refine((text) => isHttpUrl(text) && !/[?#]/.test(text), saying('source_address')),
);

const datasets = z
  .array(
    z
      .strictObject({ dataset: datasetKey, processor: z._default(z.enum(processors), 'none') })
      .register(described, { id: 'PulledDataset' }),
  )
  .check(
    z.minLength(1),
    z.maxLength(200),
    z.refine(
      (list) => new Set(list.map(({ dataset }) => dataset)).size === list.length,
      saying('datasets_once'),
    ),
    z.refine(
      (list) =>
        new Set(list.filter(({ processor }) => processor !== 'none').map(({ processor }) => processor))
          .size === list.filter(({ processor }) => processor !== 'none').length,
      saying('processors_once'),
    ),
  );

const settings = {
  name: code(128),
  base_url: baseUrl,
  key_id: keyIdText,
  secret_ref: secretRef,
  schedule,
  datasets,
  page_rows: z.int().check(z.minimum(1), z.maximum(MAX_ROWS)),
  overlap_seconds: z.int().check(z.minimum(0), z.maximum(86_400)),
  enabled: z.boolean(),
};

/** Body of POST /api/dataset/sources. */
export const sourceInput = z
  .strictObject({
    ...settings,
    tenant_code: tenantCode,
    page_rows: z._default(settings.page_rows, MAX_ROWS),
    overlap_seconds: z._default(settings.overlap_seconds, 300),
    enabled: z._default(settings.enabled, true),
  })
  .register(described, { id: 'NewSource' });
export type SourceInput = z.infer<typeof sourceInput>;

/** Body of PATCH /api/dataset/sources/{id}. */
export const sourceChange = z
  .partial(z.strictObject(settings))
  .check(z.refine((change) => Object.keys(change).length > 0, saying('change_nothing')))
  .register(described, { id: 'SourceChange' });
export type SourceChangeInput = z.infer<typeof sourceChange>;

export const sourceParams = z.strictObject({ id: code(64) });
export const sourcesQuery = z.strictObject({ tenant_code: z.optional(tenantCode) });
export const recomputeInput = z
  .strictObject({
    datasets: z.optional(z.array(datasetKey).check(z.minLength(1), z.maxLength(200))),
  })
  .register(described, { id: 'Recomputation' });
export const acceptInput = z
  .strictObject({ dataset: datasetKey, schema_version: code(64) })
  .register(described, { id: 'ContractAcceptance' });

const time = z.nullable(z.string());
const text = z.nullable(z.string());
export const datasetView = z
  .object({
    dataset: z.string(),
    processor: z.enum(processors),
    mode: z.enum(['landing', 'increment', 'recompute']),
    cursor: text,
    lagSeconds: z.nullable(z.number()),
    contract: z.nullable(datasetDescriptor),
    offered: z.nullable(datasetDescriptor),
    lastRun: z.nullable(z.object({ startedAt: z.string(), endedAt: time, rows: z.int(), position: text })),
    lastSuccessAt: time,
    completedAt: time,
    lastError: text,
    /** `lastError` in Chinese; null: it is in the words of another program. */
    lastErrorZh: text,
    failures: z.int(),
    rowsTotal: z.int(),
    changedTotal: z.int(),
    duplicateTotal: z.int(),
    /** Rows that are kept, with the markers of deleted ones, and what they take on the disk, about. */
    rowsKept: z.int(),
    bytesKept: z.int(),
  })
  .register(described, { id: 'Dataset' });
export const sourceView = z
  .object({
    id: z.string(),
    tenantCode: z.string(),
    name: z.string(),
    baseUrl: z.string(),
    keyId: z.string(),
    secretRef: z.string(),
    schedule: z.string(),
    enabled: z.boolean(),
    pageRows: z.int(),
    overlapSeconds: z.number(),
    createdAt: z.string(),
    updatedAt: z.string(),
    running: z.boolean(),
    nextRunAt: time,
    failures: z.int(),
    lastError: text,
    /** `lastError` in Chinese; null: it is in the words of another program. */
    lastErrorZh: text,
    datasets: z.array(datasetView),
  })
  .register(described, { id: 'Source' });
