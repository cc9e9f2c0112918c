// How the row of a source is found and read.
import { and, eq } from 'drizzle-orm';
import { conflict } from '../../../common/http/error.ts';
import { isUnique } from '../../store/engine/errors.ts';
import type { Source } from '../record.ts';
import { datasetSources, type sourceDatasets } from './schema.ts';

export type SourceRow = typeof datasetSources.$inferSelect;

export const byId = (id: string, tenant: string | null) =>
  and(eq(datasetSources.id, id), tenant === null ? undefined : eq(datasetSources.tenantCode, tenant));

export function sourceOf(row: SourceRow, states: readonly (typeof sourceDatasets.$inferSelect)[]): Source {
  const { lease, leasedUntil: _until, ...source } = row;
  return {
    ...source,
    running: lease !== null,
    datasets: states.map(({ tenantCode: _t, sourceId: _s, ...state }) => state),
  };
}

export const settingsOf = ({
  datasets,
  running: _running,
  nextRunAt: _next,
  failures: _failures,
  lastError: _error,
  ...settings
}: Source) => ({ ...settings, datasets: datasets.map(({ dataset, processor }) => ({ dataset, processor })) });

export async function taken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUnique(error, 'dataset_sources_name'))
      throw conflict(
        'source_exists',
        'The tenant has a source of this name already. Change that one, or choose another name.',
      );
    if (isUnique(error, 'source_datasets_processor'))
      throw conflict(
        'processor_taken',
        'Another source of the tenant feeds this processor already. Take the dataset out of that ' +
          'source first, or let this one land with the processor none.',
      );
    throw error;
  }
}
