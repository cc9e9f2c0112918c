// What a program gives to be served, before its readers see it: their refusal would come far from its cause.
import * as z from 'zod/mini';
import { namedFaults } from '../http/error.ts';
import { faultsOf } from '../http/validate.ts';
import { fieldValue } from './field-value.ts';
import { type DatasetPosition, MAX_PK } from './position.ts';
import {
  type DatasetDescriptor,
  datasetDescriptor,
  type FieldType,
  fieldTypes,
  type FieldValue,
  type GivenRow,
  ROW_MEMBERS,
  type WireRow,
} from './schema.ts';

/** Characters of a field's name that a fault names. */
const MAX_NAME = 100;
/** As `Position.updatedAt`; another form of the same time would be out of order as text. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** @throws Error naming what is wrong with a descriptor, or that a dataset is there twice */
export function requireDescriptors(descriptors: readonly DatasetDescriptor[]): void {
  const keys = new Set<string>();
  for (const descriptor of descriptors) {
    const checked = datasetDescriptor.safeParse(descriptor);
    if (!checked.success)
      throw new Error(
        `The descriptor of the dataset ${descriptor.key} is not valid: ` +
          `${namedFaults(faultsOf(checked.error.issues))}.`,
      );
    if (keys.has(descriptor.key)) throw new Error(`The dataset ${descriptor.key} is there twice.`);
    keys.add(descriptor.key);
  }
}

/** Code and body of the answer where a row is not as its dataset declares. */
export const ROW_NOT_DECLARED = 'row_not_as_declared';
export const rowNotDeclared = z.object({
  error: z.literal(ROW_NOT_DECLARED),
  row: z.int(),
  pk: z.string().check(z.maxLength(MAX_PK)),
  field: z.string().check(z.maxLength(100)),
  type: z.nullable(z.enum(fieldTypes)),
});

/** A row that is not as its dataset declares; the page with it is not served. */
export class RowNotDeclared extends Error {
  /** `type`: the declared one; null: the field is not declared. */
  readonly details: { row: number; pk: string; field: string; type: FieldType | null };
  constructor(key: string, details: RowNotDeclared['details'], fault: string) {
    super(`Row ${details.row} of the dataset ${key} (pk ${details.pk}): ${fault}.`);
    this.name = 'RowNotDeclared';
    this.details = details;
  }
}

/**
 * The rows as they travel. @throws RowNotDeclared; Error naming the row that is none of this dataset, or not
 * one that was asked for
 */
export function wireRows(
  { key, fields }: DatasetDescriptor,
  rows: readonly GivenRow[],
  { after, upTo }: { after: DatasetPosition | null; upTo: string },
): WireRow[] {
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  let before: DatasetPosition = after ?? { updatedAt: '', pk: '' };
  return rows.map((given, index) => {
    const pk = typeof given.pk === 'string' ? given.pk : String(given.pk);
    const fault = faultOf(given, pk) ?? misplaced(given.updated_at, pk, before, upTo);
    if (fault !== null) throw new Error(`Row ${index + 1} of the dataset ${key} (pk ${pk}): ${fault}.`);
    before = { updatedAt: given.updated_at, pk };
    return rowOf(given, { key, types, row: index + 1, pk });
  });
}

function rowOf(
  given: GivenRow,
  at: { key: string; types: ReadonlyMap<string, FieldType>; row: number; pk: string },
): WireRow {
  const wire: Record<string, FieldValue> = {
    pk: at.pk,
    updated_at: given.updated_at,
    deleted: Boolean(given.deleted),
  };
  for (const [name, value] of Object.entries(given)) {
    if (ROW_MEMBERS.has(name)) continue;
    const type = at.types.get(name) ?? null;
    const details = { row: at.row, pk: at.pk, field: name.slice(0, MAX_NAME), type };
    if (type === null) throw new RowNotDeclared(at.key, details, `the field ${name} is not declared`);
    const kept = fieldValue(type, value ?? null);
    if (kept === undefined)
      throw new RowNotDeclared(at.key, details, `the field ${name} is no ${type} but ${kindOf(value)}`);
    wire[name] = kept;
  }
  return wire as WireRow;
}

/** What a value is, without saying it: it goes into logs. */
function kindOf(value: unknown): string {
  if (value instanceof Date) return 'a Date; cast it to text in the query';
  if (typeof value !== 'object' || value === null) return `a ${typeof value} of another form`;
  return `an object (${value.constructor.name})`;
}

function faultOf(row: GivenRow, pk: string): string | null {
  const isKey = typeof row.pk === 'string' || typeof row.pk === 'bigint' || Number.isSafeInteger(row.pk);
  if (!isKey || pk === '' || pk.length > MAX_PK)
    return `pk must be text of 1 to ${MAX_PK} characters, or an integer`;
  if (typeof row.updated_at !== 'string' || !TIME.test(row.updated_at))
    return (
      'updated_at must be written like 2026-03-01T08:00:00.000001Z, in UTC and with six digits; it is ' +
      `${String(row.updated_at)}`
    );
  if (typeof row.deleted !== 'boolean' && row.deleted !== 0 && row.deleted !== 1)
    return 'deleted must be true or false';
  return null;
}

function misplaced(updatedAt: string, pk: string, before: DatasetPosition, upTo: string): string | null {
  if (updatedAt < before.updatedAt || (updatedAt === before.updatedAt && pk === before.pk))
    return (
      `rows come by (updated_at, pk) and strictly after the cursor; before it is ${before.updatedAt}, pk ` +
      `${before.pk}`
    );
  return updatedAt > upTo ? `rows go up to upTo, ${upTo}` : null;
}
