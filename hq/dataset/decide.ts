// The rules of when a source is pulled, without I/O.
import type { DatasetState, Source } from './record.ts';

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
