// The state of each dataset of a source: begun, begun anew, ended and dropped.
import { and, eq, getTableColumns, isNotNull, isNull } from 'drizzle-orm';
import { notFound } from '../../../common/http/error.ts';
import { dropModel } from '../../project/store/processing.ts';
import type { Tx } from '../../store/engine/database.ts';
import type { DatasetChoice } from '../port.ts';
import type { DatasetState } from '../record.ts';
import { datasetRows, sourceDatasets } from './schema.ts';
import type { SourceRow } from './source-row.ts';

const { tenantCode: _tenant, sourceId: _source, ...stateFields } = getTableColumns(sourceDatasets);

export const freshState = ({ dataset, processor }: DatasetChoice): DatasetState => ({
  dataset,
  processor,
  contract: null,
  offered: null,
  mode: 'landing',
  cursor: null,
  settled: null,
  runCursor: null,
  generation: 1,
  completedAt: null,
  runStartedAt: null,
  runEndedAt: null,
  runRows: 0,
  asOf: null,
  lastSuccessAt: null,
  lastError: null,
  lastErrorTold: null,
  failures: 0,
  rowsTotal: 0,
  changedTotal: 0,
  duplicateTotal: 0,
  rowsKept: 0,
  bytesKept: 0,
});
export const ofDataset = (row: { id: string; tenantCode: string }, dataset: string) =>
  and(
    eq(sourceDatasets.tenantCode, row.tenantCode),
    eq(sourceDatasets.sourceId, row.id),
    eq(sourceDatasets.dataset, dataset),
  );

export const stateColumns = stateFields;

/** What ends with a change of its source is under way no more. */
export async function endRuns(tx: Tx, row: SourceRow, now: number): Promise<void> {
  await tx.db
    .update(sourceDatasets)
    .set({ runEndedAt: now })
    .where(
      and(
        eq(sourceDatasets.tenantCode, row.tenantCode),
        eq(sourceDatasets.sourceId, row.id),
        isNotNull(sourceDatasets.runStartedAt),
        isNull(sourceDatasets.runEndedAt),
      ),
    );
}

/** What was settled for one overlap is not for another. */
export async function forgetSettled(tx: Tx, row: SourceRow): Promise<void> {
  await tx.db
    .update(sourceDatasets)
    .set({ settled: null })
    .where(and(eq(sourceDatasets.tenantCode, row.tenantCode), eq(sourceDatasets.sourceId, row.id)));
}

export async function replaceDatasets(
  tx: Tx,
  row: SourceRow,
  before: readonly DatasetState[],
  wanted: readonly DatasetChoice[],
): Promise<void> {
  const same = (state: DatasetState) =>
    wanted.some(({ dataset, processor }) => dataset === state.dataset && processor === state.processor);
  for (const state of before) if (!same(state)) await dropDataset(tx, row, state);
  const kept = new Set(before.filter(same).map(({ dataset }) => dataset));
  const added = wanted.filter(({ dataset }) => !kept.has(dataset));
  if (added.length > 0)
    await tx.db
      .insert(sourceDatasets)
      .values(
        added.map((choice) => ({ ...freshState(choice), tenantCode: row.tenantCode, sourceId: row.id })),
      );
}

export async function dropDataset(
  tx: Tx,
  row: SourceRow,
  { dataset, processor }: DatasetState,
): Promise<void> {
  await dropModel(tx, row.tenantCode, processor);
  await tx.db
    .delete(datasetRows)
    .where(
      and(
        eq(datasetRows.tenantCode, row.tenantCode),
        eq(datasetRows.sourceId, row.id),
        eq(datasetRows.dataset, dataset),
      ),
    );
  await tx.db.delete(sourceDatasets).where(ofDataset(row, dataset));
}

/** A first pull that is not complete stays one, and begins from the start again. @throws 404 */
export async function restart(tx: Tx, row: SourceRow, state: DatasetState | string): Promise<void> {
  if (typeof state === 'string') throw notFound(`The dataset ${state}`);
  await tx.db
    .update(sourceDatasets)
    .set({
      mode: state.completedAt === null ? 'landing' : 'recompute',
      runCursor: null,
      generation: state.generation + 1,
      runRows: 0,
    })
    .where(ofDataset(row, state.dataset));
}
