import { and, type Column, eq, isNotNull, sql } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import type { DatasetDescriptor } from '../../../common/dataset/schema.ts';
import { conflict } from '../../../common/http/error.ts';
import { computeAll, processRows } from '../../project/store/processing.ts';
import { repeatedCodes } from '../../project/store/repeated-codes.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { growthOf, isBeyond, loudAfter, moved } from '../decide.ts';
import type { Landed, PullPort, RepeatedCode, ShareReached } from '../port.ts';
import type { Batch, DatasetState, LandedShare, PullLease, Source, Trouble } from '../record.ts';
import { ofDataset, stateColumns } from './dataset-state.ts';
import { fieldsSize, knownRows, landRows, sweepRows } from './landed-row.ts';
import { datasetSources, sourceDatasets } from './schema.ts';
import { byId, sourceOf } from './source-row.ts';

interface Held {
  tx: Tx;
  row: { id: string; tenantCode: string };
  state: DatasetState;
}

export class HubPulls implements PullPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  claim(lease: Omit<PullLease, 'sourceId'>, now: number): Promise<Source | null> {
    return this.#database.transaction(async (tx) => {
      const { enabled, lease: token, nextRunAt, leasedUntil } = datasetSources;
      const [found] = await tx.db
        .select({ id: datasetSources.id })
        .from(datasetSources)
        .where(
          and(
            enabled,
            sql`case when ${token} is null then ${nextRunAt} <= ${now} else ${leasedUntil} <= ${now} end`,
          ),
        )
        .orderBy(sql`${nextRunAt} nulls first`)
        .limit(1)
        .for('update', { skipLocked: true });
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
    });
  }

  renew(lease: PullLease): Promise<boolean> {
    return this.#database.read(
      async (db) =>
        ((await db.update(datasetSources).set({ leasedUntil: lease.until }).where(heldBy(lease))).rowCount ??
          0) > 0,
    );
  }

  release(
    lease: PullLease,
    { nextRunAt, error }: { nextRunAt: number | null; error: string | null },
  ): Promise<boolean> {
    return this.#database.read(
      async (db) =>
        ((
          await db
            .update(datasetSources)
            .set({
              lease: null,
              leasedUntil: 0,
              lastError: error,
              failures: error === null ? 0 : sql`${datasetSources.failures} + 1`,
              // A run that was requested during this one stays due.
              nextRunAt: sql`case when ${datasetSources.enabled}
                  then coalesce(${datasetSources.nextRunAt}, ${nextRunAt}::bigint) end`,
            })
            .where(heldBy(lease))
        ).rowCount ?? 0) > 0,
    );
  }

  takeRequest(lease: PullLease): Promise<boolean> {
    return this.#database.read(
      async (db) =>
        ((
          await db
            .update(datasetSources)
            .set({ nextRunAt: null })
            .where(and(heldBy(lease), isNotNull(datasetSources.nextRunAt)))
        ).rowCount ?? 0) > 0,
    );
  }

  begin(lease: PullLease, dataset: string, now: number): Promise<DatasetState | null> {
    return this.#holding(lease, dataset, (held) =>
      this.#update(held, { runStartedAt: now, runEndedAt: null, runRows: 0 }),
    );
  }

  async pin(lease: PullLease, dataset: string, contract: DatasetDescriptor, stamp: Stamp): Promise<boolean> {
    return (
      (await this.#holding(lease, dataset, async (held) => {
        await this.#update(held, { contract, offered: null });
        await appendAudit(held.tx, {
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
      })) ?? false
    );
  }

  async offer(lease: PullLease, dataset: string, offered: DatasetDescriptor | null): Promise<boolean> {
    return (
      (await this.#holding(lease, dataset, async (held) => {
        await this.#update(held, { offered });
        return true;
      })) ?? false
    );
  }

  land(lease: PullLease, batch: Batch, stamp: Stamp): Promise<Landed | ShareReached | null> {
    return this.#holding(lease, batch.dataset, async (held) => {
      const { tx, row, state } = held;
      const { mode, cursor, runCursor } = batch.expected;
      if (state.mode !== mode || state.cursor !== cursor || state.runCursor !== runCursor) {
        throw conflict(
          'cursor_moved',
          `The dataset ${batch.dataset} is at another position than the page was asked for.`,
          true,
        );
      }
      const pass = { ...row, ...state };
      const known = await knownRows(tx, pass, batch.rows);
      const growth = growthOf(mode, batch.rows, known, fieldsSize);
      const reached = await keptOf(tx, row.tenantCode);
      if (isBeyond(reached, growth, batch.most)) return { reached };
      const changed = await landRows(tx, pass, batch.rows);
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
      const next = await this.#update(held, {
        ...moved(state, batch),
        runRows: state.runRows + batch.rows.length,
        rowsTotal: state.rowsTotal + batch.rows.length,
        changedTotal: state.changedTotal + changed.length,
        duplicateTotal: state.duplicateTotal + batch.rows.length - changed.length,
        rowsKept: state.rowsKept + growth.rows,
        bytesKept: state.bytesKept + growth.bytes,
      });
      return { state: next, changed: changed.length, duplicates: batch.rows.length - changed.length };
    });
  }

  sweep(lease: PullLease, dataset: string, spared: readonly string[], stamp: Stamp): Promise<number | null> {
    return this.#holding(lease, dataset, async (held) => {
      const { tx, row, state } = held;
      const { gone, freed } = await sweepRows(tx, { ...row, ...state }, spared);
      if (freed > 0) await this.#update(held, { bytesKept: state.bytesKept - freed });
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
    });
  }

  async complete(
    lease: PullLease,
    dataset: string,
    { asOf, trouble, settled }: { asOf: string; trouble: Trouble | null; settled: string | null },
    stamp: Stamp,
  ): Promise<boolean> {
    return (
      (await this.#holding(lease, dataset, async (held) => {
        const { tx, row, state } = held;
        const whole = state.mode !== 'increment';
        if (whole) await computeAll(tx, row.tenantCode, state.processor);
        await this.#update(held, {
          ...(whole
            ? {
                mode: 'increment',
                cursor: state.runCursor,
                settled: null,
                runCursor: null,
                completedAt: stamp.now,
              }
            : { settled: settled ?? state.settled }),
          asOf,
          runEndedAt: stamp.now,
          lastSuccessAt: stamp.now,
          lastError: trouble?.text ?? null,
          lastErrorTold: trouble?.told ?? null,
          failures: 0,
        });
        return true;
      })) ?? false
    );
  }

  repeatedCodes(tenantCode: string, limit: number): Promise<RepeatedCode[]> {
    return this.#database.read((db) => repeatedCodes(db, tenantCode, limit));
  }

  failed(lease: PullLease, dataset: string, trouble: Trouble, now: number): Promise<number | null> {
    return this.#holding(
      lease,
      dataset,
      async (held) =>
        (
          await this.#update(held, {
            lastError: trouble.text,
            lastErrorTold: trouble.told,
            failures: held.state.failures + 1,
            runEndedAt: now,
          })
        ).failures,
    );
  }

  /** Runs with the source and the dataset locked, as long as the lease is held; null otherwise. */
  #holding<T>(lease: PullLease, dataset: string, work: (held: Held) => Promise<T>): Promise<T | null> {
    return this.#database.transaction(async (tx) => {
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
  }

  async #update({ tx, row, state }: Held, set: Partial<DatasetState>): Promise<DatasetState> {
    await tx.db.update(sourceDatasets).set(set).where(ofDataset(row, state.dataset));
    return { ...state, ...set };
  }
}

/** What the datasets of a tenant take together. */
async function keptOf(tx: Tx, tenantCode: string): Promise<LandedShare> {
  const { rowsKept, bytesKept } = sourceDatasets;
  const [kept] = await tx.db
    .select({ rows: total(rowsKept), bytes: total(bytesKept) })
    .from(sourceDatasets)
    .where(eq(sourceDatasets.tenantCode, tenantCode));
  return kept ?? { rows: 0, bytes: 0 };
}

const total = (column: Column) => sql`coalesce(sum(${column}), 0)`.mapWith(Number);

const heldBy = (lease: PullLease) => and(byId(lease.sourceId, null), eq(datasetSources.lease, lease.token));
