import * as z from 'zod/mini';
import { code } from '../core/event/schema.ts';
import { described } from '../http/described.ts';
import { saying } from './dataset-fault-messages.ts';

/**
 * The contract between a business system and whoever pulls its datasets (spec 2, "Dataset pull"; DESIGN.md,
 * "Datasets").
 */

export const DESCRIPTOR_PATH = '/api/subscribe/v1/datasets';
/** Spec 2, "Limits": rows of a page, calls a minute, time of a query. */
const STANDARD_ROWS = 1_000;
export const MAX_ROWS = 5_000;
export const CALLS_PER_MINUTE = 60;
export const QUERY_MS = 10_000;

export const fieldTypes = ['integer', 'decimal', 'string', 'boolean', 'date', 'time'] as const;
export type FieldType = (typeof fieldTypes)[number];
/** How a field adds up. There are no averages: sums and counts, and ratios as numerator and denominator. */
export const measures = ['count', 'sum', 'numerator', 'denominator'] as const;

export const datasetKey = z.string().check(z.regex(/^[a-z][a-z0-9_]{0,63}$/, saying('lower_name')));
/** What every row has beside its fields. */
export const ROW_MEMBERS: ReadonlySet<string> = new Set(['pk', 'updated_at', 'deleted']);

const fieldDescriptor = z
  .object({
    name: z.string().check(
      z.regex(/^[a-z][a-z0-9_]{0,63}$/, saying('lower_characters')),
      z.refine((name) => !ROW_MEMBERS.has(name), saying('row_member')),
    ),
    type: z.enum(fieldTypes),
    measure: z.nullable(z.enum(measures)),
  })
  .register(described, { id: 'DatasetField' });
export type FieldDescriptor = z.infer<typeof fieldDescriptor>;

export const datasetDescriptor = z
  .object({
    key: datasetKey,
    schemaVersion: code(64),
    /** What one row stands for. */
    granularity: z.string().check(z.maxLength(500)),
    fields: z.array(fieldDescriptor).check(
      z.maxLength(500),
      z.refine(
        (fields) => new Set(fields.map(({ name }) => name)).size === fields.length,
        saying('fields_once'),
      ),
    ),
    updateFrequency: z.string().check(z.maxLength(200)),
    /** Time of the earliest row; null without one. */
    earliest: z.nullable(z.string().check(z.maxLength(64))),
  })
  .register(described, { id: 'DatasetDescriptor' });
export type DatasetDescriptor = z.infer<typeof datasetDescriptor>;

export const descriptorAnswer = z
  .object({ datasets: z.array(datasetDescriptor).check(z.maxLength(1000)) })
  .register(described, { id: 'DatasetCatalogue' });

export type FieldValue = string | number | boolean | null;
/** One row as it travels. A deletion marker needs no fields. */
export type WireRow = { pk: string; updated_at: string; deleted: boolean } & Record<string, FieldValue>;
/** A row as a driver of a database gives it; see `fieldValue`. */
export type GivenRow = {
  pk: string | number | bigint;
  updated_at: string;
  deleted: boolean | 0 | 1;
} & Record<string, unknown>;

/**
 * A page without its rows, which are counted and checked against the contract of the dataset
 * (`hq/dataset/contract.ts`).
 */
export const pageFrame = z.object({
  items: z.array(z.unknown()),
  nextCursor: z.nullable(z.string().check(z.maxLength(512))),
  hasMore: z.boolean(),
  schemaVersion: code(64),
  asOf: z.string().check(z.maxLength(64)),
});

const rowView = z
  .looseObject({ pk: z.string(), updated_at: z.string(), deleted: z.boolean() })
  .register(described, { id: 'DatasetRow' });
export const pageView = z
  .object({
    items: z.array(rowView),
    nextCursor: z.nullable(z.string()),
    hasMore: z.boolean(),
    schemaVersion: z.string(),
    asOf: z.string(),
  })
  .register(described, { id: 'DatasetPage' });

export const pageQuery = z.strictObject({
  cursor: z.optional(z.string().check(z.maxLength(512))),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_ROWS)), STANDARD_ROWS),
  tenant: z.optional(code(64)),
});
export type PageQuery = z.infer<typeof pageQuery>;
