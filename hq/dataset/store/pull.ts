import { and, eq, sql } from 'drizzle-orm';
import type pg from 'pg';
import { parsePosition } from '../../../common/dataset/position.ts';
import { conflict } from '../../../common/http/error.ts';
import type { PullPort } from '../port.ts';
import type { Batch, DatasetState, LandedRow, PullLease } from '../record.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { byId, ofDataset, sourceOf, stateColumns } from './source.ts';
import { computeAll, processRows } from '../../project/store/processing.ts';
import { audit } from '../../store/schema/tables.ts';
import { datasetSources, sourceDatasets } from './schema.ts';

/** Rows that one step of a sweep deletes. */
const SWEEP_ROWS = 5_000;

interface Held {
  tx: Tx;
  row: { id: string; tenantCode: string };
  state: DatasetState;
}

export function createPulls(database: Database): PullPort {
  /** Runs with the source and the dataset locked, as long as the lease is held; null otherwise. */
  const holding = <T>(
    lease: PullLease,
    dataset: string,
    work: (held: Held) => Promise<T>,
  ): Promise<T | null> =>
    database.transaction(async (tx) => {
      const [row] = await tx.db
        .select({ id: datasetSources.id, tenantCode: datasetSources.tenantCode })
        .from(datasetSources)
        .where(and(byId(lease.sourceId, null), eq(datasetSources.lease, lease.token)))
        .for('update');
      if (!row) return null;
      const [state] = await tx.db
        .select(stateColumns)
        .from(sourceDatasets)
        .where(ofDataset(row, dataset))
        .for('update');
      return state ? work({ tx, row, state }) : null;
    });
  const update = async ({ tx, row, state }: Held, set: Partial<DatasetState>): Promise<DatasetState> => {
    await tx.db.update(sourceDatasets).set(set).where(ofDataset(row, state.dataset));
    return { ...state, ...set };
  };

  return {
    claim: (lease, now) =>
      database.transaction(async (tx) => {
        const {
          rows: [found],
        } = await tx.client.query<{ id: string }>(
          `select id from dataset_sources where enabled and case when lease is null then next_run_at <= $1
            else leased_until <= $1 end
         order by next_run_at nulls first limit 1 for update skip locked`,
          [now],
        );
        if (!found) return null;
        const [row] = await tx.db
          .update(datasetSources)
          .set({ lease: lease.token, leasedUntil: lease.until, nextRunAt: null })
          .where(byId(found.id, null))
          .returning();
        if (!row) return null;
        return sourceOf(
          row,
          await tx.db
            .select()
            .from(sourceDatasets)
            .where(and(eq(sourceDatasets.tenantCode, row.tenantCode), eq(sourceDatasets.sourceId, row.id))),
        );
      }),
    renew: (lease) =>
      database.read(
        async (db) =>
          ((await db.update(datasetSources).set({ leasedUntil: lease.until }).where(heldBy(lease)))
            .rowCount ?? 0) > 0,
      ),
    release: (lease, { nextRunAt, error }) =>
      database.read(
        async (db) =>
          ((
            await db
              .update(datasetSources)
              .set({
                lease: null,
                leasedUntil: 0,
                lastError: error,
                failures: error === null ? 0 : sql`${datasetSources.failures} + 1`,
                // Somebody asked for a run while this one went on: it stands.
                nextRunAt: sql`case when ${datasetSources.enabled}
                  then coalesce(${datasetSources.nextRunAt}, ${nextRunAt}::bigint) end`,
              })
              .where(heldBy(lease))
          ).rowCount ?? 0) > 0,
      ),
    begin: (lease, dataset, now) =>
      holding(lease, dataset, (held) => update(held, { runStartedAt: now, runEndedAt: null, runRows: 0 })),
    pin: async (lease, dataset, contract, stamp) =>
      (await holding(lease, dataset, async (held) => {
        await update(held, { contract, offered: null });
        await held.tx.db.insert(audit).values({
          id: stamp.newId(),
          at: stamp.now,
          actor: 'system',
          action: 'dataset_source.contract_pinned',
          subject: `dataset_source:${held.row.id}`,
          tenantCode: held.row.tenantCode,
          before: null,
          after: { dataset, contract },
        });
        return true;
      })) ?? false,
    offer: async (lease, dataset, offered) =>
      (await holding(lease, dataset, async (held) => {
        await update(held, { offered });
        return true;
      })) ?? false,
    land: (lease, batch, stamp) =>
      holding(lease, batch.dataset, async (held) => {
        const { tx, row, state } = held;
        const { mode, cursor, runCursor } = batch.expected;
        if (state.mode !== mode || state.cursor !== cursor || state.runCursor !== runCursor) {
          throw conflict(
            'cursor_moved',
            `The dataset ${batch.dataset} is at another position than the page was asked for.`,
            true,
          );
        }
        const changed = await landRows(tx.client, { ...row, state }, batch.rows);
        await processRows(
          tx,
          {
            tenantCode: row.tenantCode,
            processor: state.processor,
            mode,
            loudAfter: loudAfter(state),
            stamp,
          },
          changed,
        );
        const next = await update(held, {
          ...moved(state, batch),
          runRows: state.runRows + batch.rows.length,
          rowsTotal: state.rowsTotal + batch.rows.length,
          changedTotal: state.changedTotal + changed.length,
          duplicateTotal: state.duplicateTotal + batch.rows.length - changed.length,
        });
        return { state: next, changed: changed.length, duplicates: batch.rows.length - changed.length };
      }),
    sweep: (lease, dataset, stamp) =>
      holding(lease, dataset, async ({ tx, row, state }) => {
        // By their place, which nothing moves under the lock of the dataset: looked up by key, each could
        // cost a pass through all rows.
        const { rows } = await tx.client.query<{ pk: string; updatedAt: string }>(
          `update dataset_rows set deleted = true, generation = $4, fields = '{}' where ctid = any(array(
           select ctid from dataset_rows where tenant_code = $1 and source_id = $2 and dataset = $3
             and generation < $4 and not deleted limit ${SWEEP_ROWS}))
         returning pk, updated_at as "updatedAt"`,
          [row.tenantCode, row.id, dataset, state.generation],
        );
        const gone = rows.map((one): LandedRow => ({ ...one, deleted: true, fields: {} }));
        await processRows(
          tx,
          {
            tenantCode: row.tenantCode,
            processor: state.processor,
            mode: state.mode,
            loudAfter: null,
            stamp,
          },
          gone,
        );
        return gone.length;
      }),
    complete: async (lease, dataset, asOf, stamp) =>
      (await holding(lease, dataset, async (held) => {
        const { tx, row, state } = held;
        const whole = state.mode !== 'increment';
        if (whole) await computeAll(tx, row.tenantCode, state.processor);
        await update(held, {
          ...(whole
            ? { mode: 'increment', cursor: state.runCursor, runCursor: null, completedAt: stamp.now }
            : {}),
          asOf,
          runEndedAt: stamp.now,
          lastSuccessAt: stamp.now,
          lastError: null,
          failures: 0,
        });
        return true;
      })) ?? false,
    failed: (lease, dataset, error, now) =>
      holding(
        lease,
        dataset,
        async (held) =>
          (await update(held, { lastError: error, failures: held.state.failures + 1, runEndedAt: now }))
            .failures,
      ),
  };
}

const heldBy = (lease: PullLease) => and(byId(lease.sourceId, null), eq(datasetSources.lease, lease.token));

/**
 * Events are told for rows after it: in an increment all, in a recompute those that it would have brought, in
 * a landing none.
 */
const loudAfter = ({ mode, cursor }: DatasetState): string | null =>
  mode === 'landing' ? null : mode === 'increment' ? '' : (parsePosition(cursor ?? '')?.updatedAt ?? '');

/** A run that reads the overlap again is behind the cursor at first: the cursor only rises. */
function moved(state: DatasetState, { to }: Batch): Partial<DatasetState> {
  if (to === null) return {};
  if (state.mode !== 'increment') return { runCursor: to };
  const [before, after] = [parsePosition(state.cursor ?? ''), parsePosition(to)];
  return before && after && after.updatedAt < before.updatedAt ? {} : { cursor: to };
}

/** @returns the rows that are new or newer than what was there; in a recompute all */
async function landRows(
  client: pg.PoolClient,
  at: { tenantCode: string; id: string; state: DatasetState },
  rows: readonly LandedRow[],
): Promise<readonly LandedRow[]> {
  if (rows.length === 0) return rows;
  const { dataset, generation, mode } = at.state;
  const { rows: landed } = await client.query<{ pk: string }>(
    `insert into dataset_rows as r (tenant_code, source_id, dataset, pk, updated_at, deleted, generation,
      fields)
     select $1, $2, $3, g.pk, g.updated_at, g.deleted, $4, g.fields
       from unnest($5::text[], $6::text[], $7::boolean[], $8::text[]) as g (pk, updated_at, deleted, fields)
     on conflict (tenant_code, source_id, dataset, pk) do update
     set updated_at = excluded.updated_at, deleted = excluded.deleted, generation = excluded.generation,
       fields = excluded.fields
     ${mode === 'recompute' ? '' : 'where r.updated_at < excluded.updated_at'} returning r.pk`,
    [
      at.tenantCode,
      at.id,
      dataset,
      generation,
      rows.map(({ pk }) => pk),
      rows.map(({ updatedAt }) => updatedAt),
      rows.map(({ deleted }) => deleted),
      rows.map(({ fields }) => JSON.stringify(fields)),
    ],
  );
  if (landed.length === rows.length) return rows;
  const known = new Set(landed.map(({ pk }) => pk));
  return rows.filter(({ pk }) => known.has(pk));
}
