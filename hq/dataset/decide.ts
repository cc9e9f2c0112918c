// The rules of when a source is pulled, how far it then is and how much of it is kept, without I/O.
import { cursorOf, earlier, justBefore, parsePosition } from '../../common/dataset/position.ts';
import type { KeptByTenant } from './port.ts';
import type { Batch, DatasetState, LandedRow, LandedShare, Source } from './record.ts';

/**
 * Whether a source that was changed is to be pulled at once: a run was under way, asked for or to be
 * repeated, or a dataset is not there whole.
 * @param before the source before the change @param datasets what it has after it @param now epoch ms
 */
export function workIsLeft(
  { running, failures, nextRunAt }: Source,
  datasets: readonly DatasetState[],
  now: number,
): boolean {
  return (
    running ||
    failures > 0 ||
    (nextRunAt !== null && nextRunAt <= now) ||
    datasets.some(({ mode }) => mode !== 'increment')
  );
}

/**
 * Events are told for rows after it: in an increment all, in a recompute those that it would have brought, in
 * a landing none.
 */
export const loudAfter = ({ mode, cursor }: DatasetState): string | null =>
  mode === 'landing' ? null : mode === 'increment' ? '' : (parsePosition(cursor ?? '')?.updatedAt ?? '');

/** A run that reads the overlap again is behind the cursor at first: the cursor only rises. */
export function moved(state: DatasetState, { to }: Pick<Batch, 'to'>): Partial<DatasetState> {
  if (to === null) return {};
  if (state.mode !== 'increment') return { runCursor: to };
  const [before, after] = [parsePosition(state.cursor ?? ''), parsePosition(to)];
  return before && after && after.updatedAt < before.updatedAt ? {} : { cursor: to };
}

/**
 * Where a run of an increment begins: a microsecond before the overlap, so that every row of it comes after,
 * whatever its key; or where everything before is settled, since a crowd of rows of one time would otherwise
 * be read whole by every run. The key stays that of the cursor: it is one of the source's own, and its query
 * takes it whatever the type of its keys is.
 */
export function beginOf({ cursor, settled }: DatasetState, overlapMs: number): string | null {
  const position = cursor === null ? null : parsePosition(cursor);
  if (position === null || overlapMs === 0) return cursor;
  const start = justBefore(earlier(position.updatedAt, overlapMs));
  const known = settled === null ? null : parsePosition(settled);
  return known && known.updatedAt >= start ? settled : cursorOf({ updatedAt: start, pk: position.pk });
}

/**
 * The position up to which nothing can be committed late any more: that of a run that read the overlap,
 * changed nothing, and began when the source's own time was past the overlap of it. null when that is not so.
 * @param run `asOf`: time of its first page
 */
export function settledBy(
  { mode, cursor }: Pick<DatasetState, 'mode' | 'cursor'>,
  run: { asOf: string; changed: number },
  overlapMs: number,
): string | null {
  const position = cursor === null ? null : parsePosition(cursor);
  if (mode !== 'increment' || position === null || run.changed > 0) return null;
  return earlier(run.asOf, overlapMs) > position.updatedAt ? cursor : null;
}

/** What a row takes besides its key and its fields: its head, the names of its dataset, the index. */
const ROW_BYTES = 200;

/** A row that is there already. */
export interface KnownRow {
  pk: string;
  updatedAt: string;
  /** Bytes of its fields. */
  bytes: number;
}

/**
 * What is kept more once a page has landed.
 * @param known those of its rows that are there already
 * @param size bytes of the fields of a row
 */
export function growthOf(
  mode: DatasetState['mode'],
  rows: readonly LandedRow[],
  known: readonly KnownRow[],
  size: (row: LandedRow) => number,
): LandedShare {
  const before = new Map(known.map((row) => [row.pk, row]));
  const growth = { rows: 0, bytes: 0 };
  for (const row of rows) {
    const was = before.get(row.pk);
    if (was === undefined) {
      growth.rows += 1;
      growth.bytes += ROW_BYTES + Buffer.byteLength(row.pk) + size(row);
    } else if (mode === 'recompute' || was.updatedAt < row.updatedAt) growth.bytes += size(row) - was.bytes;
  }
  return growth;
}

/** Whether what is kept would be more than it may; what makes nothing larger is never too much. */
export const isBeyond = (kept: LandedShare, growth: LandedShare, most: LandedShare): boolean =>
  (growth.rows > 0 && kept.rows + growth.rows > most.rows) ||
  (growth.bytes > 0 && kept.bytes + growth.bytes > most.bytes);

/** The part of a share that is used, by whatever is nearer to its end; 1: all of it. */
export const usedOf = (kept: LandedShare, most: LandedShare): number =>
  Math.max(kept.rows / most.rows, kept.bytes / most.bytes);

/** What the datasets of each tenant take. */
export function keptByTenant(
  datasets: readonly (LandedShare & { tenantCode: string; source: string; dataset: string })[],
): KeptByTenant[] {
  const tenants = new Map<string, KeptByTenant & { most: number }>();
  for (const { tenantCode, source, dataset, rows, bytes } of datasets) {
    const known = tenants.get(tenantCode);
    const largest = known && known.most >= bytes ? known : { most: bytes, largest: { source, dataset } };
    tenants.set(tenantCode, {
      tenantCode,
      rows: (known?.rows ?? 0) + rows,
      bytes: (known?.bytes ?? 0) + bytes,
      most: largest.most,
      largest: largest.largest,
    });
  }
  return [...tenants.values()].map(({ most: _most, ...kept }) => kept);
}
