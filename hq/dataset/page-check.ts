// Pages of a source, checked against the contract of the dataset (pure).
import type * as z from 'zod/mini';
import { fieldValue, isLongInteger, isText } from '../../common/dataset/field-value.ts';
import { canonicalTime, cursorOf, MAX_PK, parsePosition } from '../../common/dataset/position.ts';
import {
  type DatasetDescriptor,
  type FieldType,
  MAX_ROWS,
  pageFrame,
  ROW_MEMBERS,
} from '../../common/dataset/schema.ts';
import { ContractBroken } from './contract.ts';
import type { FieldValues, LandedRow, Processor } from './record.ts';
import { faultsIn, type SourceMessage } from './source-messages.ts';

/**
 * Largest magnitude of a number, or length of a text, that the project model can hold; one beyond would fail
 * every later run.
 */
const BOUNDS: Partial<Record<Processor, Record<string, number>>> = {
  projects: { code: 512, status: 2 ** 31 - 1 },
  milestones: { status: 2 ** 31 - 1 },
  ncrs: { level: Number.MAX_SAFE_INTEGER },
  hazards: { level: Number.MAX_SAFE_INTEGER },
  wbs_nodes: { plan_progress: 1e9, actual_progress: 1e9 },
};

export interface CheckedPage {
  rows: LandedRow[];
  /** null: there is no row to take, and the position stays. */
  nextCursor: string | null;
  hasMore: boolean;
  asOf: string;
  /** Rows at the end of the page that are not taken yet. */
  ahead: RowsAhead | null;
}

/**
 * Rows stamped after the time at which the source read them. Taken, they would lift the position above what
 * the source is still to write; so they are left until that time has come.
 */
export interface RowsAhead {
  rows: Pick<LandedRow, 'pk' | 'updatedAt'>[];
  /** Whether more such rows follow on the next page. */
  more: boolean;
  asOf: string;
}

/**
 * A page as it came, against the contract: all of it is right, or none of it is taken.
 * @param cursor the one that it was asked with
 * @throws ContractBroken naming the field and the row
 */
export function checkPage(
  page: unknown,
  contract: DatasetDescriptor,
  processor: Processor,
  cursor: string | null,
): CheckedPage {
  const frame = pageFrame.safeParse(page);
  if (!frame.success) {
    throw new ContractBroken('malformed_page', {
      code: 'page_malformed',
      params: { faults: faultsIn(frame.error.issues) },
    });
  }
  const { items, nextCursor, hasMore } = frame.data;
  const asOf = checkFrame(frame.data, contract);
  const after = cursor === null ? null : parsePosition(cursor);
  if (after && asOf < after.updatedAt) {
    throw new ContractBroken(
      'went_back',
      { code: 'source_set_back', params: { asOf, cursor: cursor ?? '' } },
      { asOf, cursor },
    );
  }
  const rows = checkRows(items, contract, processor, after?.updatedAt ?? '');
  const last = rows.at(-1);
  if (!last) {
    if (hasMore) throw new ContractBroken('no_progress', { code: 'page_empty', params: {} });
    return { rows, nextCursor: null, hasMore, asOf, ahead: null };
  }
  const end = nextCursor === null ? null : parsePosition(nextCursor);
  if (!end || cursorOf(end) !== cursorOf(last)) {
    throw new ContractBroken(
      'malformed_page',
      { code: 'page_cursor', params: { position: cursorOf(last) } },
      { nextCursor },
    );
  }
  return cutAhead(newestOfEach(rows), { nextCursor, hasMore, asOf });
}

/** Rows come in the order of time: what is ahead is the end of the page, and all that would follow it. */
function cutAhead(
  rows: LandedRow[],
  { nextCursor, hasMore, asOf }: Pick<CheckedPage, 'nextCursor' | 'hasMore' | 'asOf'>,
): CheckedPage {
  const ahead = rows.filter(({ updatedAt }) => updatedAt > asOf);
  if (ahead.length === 0) return { rows, nextCursor, hasMore, asOf, ahead: null };
  const taken = rows.filter(({ updatedAt }) => updatedAt <= asOf);
  const last = taken.at(-1);
  return {
    rows: taken,
    nextCursor: last ? cursorOf(last) : null,
    hasMore: false,
    asOf,
    ahead: { rows: ahead, more: hasMore, asOf },
  };
}

/** What can be told of a page without its rows. @returns when the source read it, in its canonical form */
function checkFrame(
  { items, asOf: text, schemaVersion }: z.infer<typeof pageFrame>,
  contract: DatasetDescriptor,
): string {
  if (items.length > MAX_ROWS)
    throw new ContractBroken(
      'page_too_large',
      { code: 'page_too_large', params: { rows: items.length, most: MAX_ROWS } },
      { rows: items.length },
    );
  const asOf = canonicalTime(text);
  if (asOf === null) throw new ContractBroken('malformed_page', { code: 'page_time', params: {} });
  if (schemaVersion !== contract.schemaVersion) {
    throw new ContractBroken(
      'schema_version',
      { code: 'page_version', params: { version: schemaVersion, agreed: contract.schemaVersion } },
      { schemaVersion },
    );
  }
  return asOf;
}

function checkRows(
  items: readonly unknown[],
  contract: DatasetDescriptor,
  processor: Processor,
  from: string,
): LandedRow[] {
  const types = new Map(contract.fields.map(({ name, type }) => [name, type]));
  const bounds = Object.entries(BOUNDS[processor] ?? {});
  const rows: LandedRow[] = [];
  let time = from;
  for (const [index, item] of items.entries()) {
    const row = checkRow(item, types, index + 1);
    if (row.updatedAt < time)
      throw new ContractBroken(
        'went_back',
        { code: 'row_back', params: { row: index + 1, pk: row.pk, time: row.updatedAt, before: time } },
        { pk: row.pk },
      );
    if (processor !== 'none' && !isId(row.pk))
      throw new ContractBroken(
        'wrong_type',
        { code: 'row_no_id', params: { pk: row.pk, row: index + 1, processor } },
        { field: 'pk' },
      );
    requireBounds(row, bounds, types, index + 1);
    time = row.updatedAt;
    rows.push(row);
  }
  return rows;
}

function requireBounds(
  { pk, fields }: LandedRow,
  bounds: [field: string, bound: number][],
  types: ReadonlyMap<string, FieldType>,
  row: number,
): void {
  for (const [field, bound] of bounds) {
    const kept = fields[field];
    const value = isNumeric(types.get(field)) && typeof kept === 'string' ? Number(kept) : kept;
    const out =
      typeof value === 'number' ? Math.abs(value) > bound : typeof value === 'string' && value.length > bound;
    if (out)
      throw new ContractBroken(
        'out_of_range',
        { code: 'row_out_of_range', params: { field, row, pk, most: bound, value: valueOf(value) } },
        { field, pk },
      );
  }
}

const valueOf = (value: unknown): SourceMessage =>
  typeof value === 'string'
    ? { code: 'value_text', params: { size: value.length } }
    : { code: 'value_number', params: { value: String(value) } };

const isId = (pk: string): boolean =>
  /^(?:0|[1-9]\d{0,18})$/.test(pk) && (Number.isSafeInteger(Number(pk)) || isLongInteger(pk));

function checkRow(item: unknown, types: ReadonlyMap<string, FieldType>, row: number): LandedRow {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw new ContractBroken('malformed_page', { code: 'row_no_object', params: { row } });
  const given = item as Record<string, unknown>;
  const pk = Number.isSafeInteger(given.pk) ? String(given.pk) : (rawNumber(given.pk) ?? given.pk);
  if (typeof pk !== 'string' || pk === '' || pk.length > MAX_PK || !isText(pk))
    throw new ContractBroken('malformed_page', { code: 'row_no_key', params: { row, most: MAX_PK } });
  const updatedAt = typeof given.updated_at === 'string' ? canonicalTime(given.updated_at) : null;
  if (updatedAt === null)
    throw new ContractBroken('malformed_page', { code: 'row_time', params: { row, pk } });
  const fields: FieldValues = {};
  for (const name in given) {
    if (ROW_MEMBERS.has(name)) continue;
    const type = types.get(name);
    if (type === undefined)
      throw new ContractBroken(
        'undeclared_field',
        { code: 'row_undeclared', params: { field: name.slice(0, 100), row, pk } },
        { field: name.slice(0, 100), pk },
      );
    const value = valueIn(type, given[name]);
    if (value === undefined)
      throw new ContractBroken(
        'wrong_type',
        { code: 'row_type', params: { field: name, row, pk, type } },
        { field: name, pk },
      );
    fields[name] = value;
  }
  const deleted = given.deleted ?? false;
  if (typeof deleted !== 'boolean')
    throw new ContractBroken('malformed_page', { code: 'row_deleted', params: { row, pk } });
  return { pk, updatedAt, deleted, fields: deleted ? {} : fields };
}

const isNumeric = (type: FieldType | undefined): boolean => type === 'integer' || type === 'decimal';

/** The digits of a number that JavaScript cannot hold; null for everything else. */
const rawNumber = (value: unknown): string | null =>
  JSON.isRawJSON(value) ? (value as { rawJSON: string }).rawJSON : null;

/** As `fieldValue`, also of a number that JavaScript cannot hold. */
function valueIn(type: FieldType, value: unknown): ReturnType<typeof fieldValue> {
  const digits = rawNumber(value);
  if (digits === null) return fieldValue(type, value);
  return isNumeric(type) ? fieldValue(type, digits) : undefined;
}

/** A row that was corrected while the page was read may stand in it twice. */
function newestOfEach(rows: LandedRow[]): LandedRow[] {
  const byPk = new Map(rows.map((row) => [row.pk, row]));
  return byPk.size === rows.length ? rows : [...byPk.values()];
}
