// What a program gives to be served, before its readers see it: their refusal would come far from its cause.
import { namedFaults } from '../http/error.ts';
import { faultsOf } from '../http/validate.ts';
import { type DatasetPosition, MAX_PK } from './position.ts';
import { type DatasetDescriptor, datasetDescriptor, ROW_MEMBERS, type WireRow } from './schema.ts';

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

/** @throws Error naming the row that is none of this dataset, or not one that was asked for */
export function requireRows(
  { key, fields }: DatasetDescriptor,
  rows: readonly WireRow[],
  { after, upTo }: { after: DatasetPosition | null; upTo: string },
): void {
  const declared = new Set(fields.map(({ name }) => name));
  let before: DatasetPosition = after ?? { updatedAt: '', pk: '' };
  for (const [index, row] of rows.entries()) {
    const fault = faultOf(row, declared) ?? misplaced(row, before, upTo);
    if (fault !== null)
      throw new Error(`Row ${index + 1} of the dataset ${key} (pk ${String(row.pk)}): ${fault}.`);
    before = { updatedAt: row.updated_at, pk: row.pk };
  }
}

function faultOf(row: WireRow, declared: ReadonlySet<string>): string | null {
  if (typeof row.pk !== 'string' || row.pk === '' || row.pk.length > MAX_PK)
    return `pk must be text of 1 to ${MAX_PK} characters`;
  if (typeof row.updated_at !== 'string' || !TIME.test(row.updated_at))
    return (
      'updated_at must be written like 2026-03-01T08:00:00.000001Z, in UTC and with six digits; it is ' +
      `${String(row.updated_at)}`
    );
  if (typeof row.deleted !== 'boolean') return 'deleted must be true or false';
  for (const name in row)
    if (!ROW_MEMBERS.has(name) && !declared.has(name)) return `the field ${name} is not declared`;
  return null;
}

function misplaced(
  { pk, updated_at: updatedAt }: WireRow,
  before: DatasetPosition,
  upTo: string,
): string | null {
  if (updatedAt < before.updatedAt || (updatedAt === before.updatedAt && pk === before.pk))
    return (
      `rows come by (updated_at, pk) and strictly after the cursor; before it is ${before.updatedAt}, pk ` +
      `${before.pk}`
    );
  return updatedAt > upTo ? `rows go up to upTo, ${upTo}` : null;
}
