// The rules of when a source is pulled and how far it then is, without I/O.
import { cursorOf, earlier, justBefore, parsePosition } from '../../common/dataset/position.ts';
import type { Batch, DatasetState, Source } from './record.ts';

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
