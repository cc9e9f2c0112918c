// The rules of when a source is pulled and how far it then is, without I/O.
import { parsePosition } from '../../common/dataset/position.ts';
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
