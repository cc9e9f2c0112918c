import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { conflict, notFound } from '../../../common/http/error.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database, Db, Tx } from '../../store/engine/database.ts';
import { keptByTenant, workIsLeft } from '../decide.ts';
import type { DatasetChoice, KeptByTenant, NewSource, SourceChange, SourcePort } from '../port.ts';
import type { Source } from '../record.ts';
import {
  dropDataset,
  endRuns,
  forgetSettled,
  freshState,
  ofDataset,
  replaceDatasets,
  restart,
} from './dataset-state.ts';
import { datasetSources, sourceDatasets } from './schema.ts';
import { byId, settingsOf, sourceOf, type SourceRow, taken } from './source-row.ts';

type Change = Parameters<SourcePort['change']>[3];

/** The row of the source is locked first everywhere. */
export class HubSources implements SourcePort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  create(
    source: NewSource,
    datasets: readonly DatasetChoice[],
    by: { actor: string; stamp: Stamp },
  ): Promise<Source> {
    return taken(() =>
      this.#database.transaction(async (tx) => {
        const [row] = await tx.db
          .insert(datasetSources)
          .values({ ...source, failures: 0, lastError: null, lease: null, leasedUntil: 0 })
          .returning();
        if (!row) throw new Error('a source was not written');
        await tx.db.insert(sourceDatasets).values(
          datasets.map((choice) => ({
            ...freshState(choice),
            tenantCode: row.tenantCode,
            sourceId: row.id,
          })),
        );
        await this.#note(tx, by, {
          row,
          action: 'dataset_source.created',
          before: null,
          after: { ...source, datasets },
        });
        return this.#reread(tx, row);
      }),
    );
  }

  list(tenant: string | null): Promise<Source[]> {
    return this.#database.read(async (db) =>
      this.#shown(
        db,
        await db
          .select()
          .from(datasetSources)
          .where(tenant === null ? undefined : eq(datasetSources.tenantCode, tenant))
          .orderBy(asc(datasetSources.tenantCode), asc(datasetSources.name)),
      ),
    );
  }

  get(id: string, tenant: string | null): Promise<Source | null> {
    return this.#database.read(
      async (db) =>
        (await this.#shown(db, await db.select().from(datasetSources).where(byId(id, tenant))))[0] ?? null,
    );
  }

  kept(): Promise<KeptByTenant[]> {
    return this.#database.read(async (db) => {
      const { rowsKept: rows, bytesKept: bytes, tenantCode, sourceId, dataset } = sourceDatasets;
      const found = await db
        .select({ tenantCode, dataset, source: datasetSources.name, rows, bytes })
        .from(sourceDatasets)
        .innerJoin(
          datasetSources,
          and(eq(datasetSources.tenantCode, tenantCode), eq(datasetSources.id, sourceId)),
        );
      return keptByTenant(found);
    });
  }

  change(
    id: string,
    tenant: string | null,
    { set, datasets }: { set: SourceChange; datasets?: readonly DatasetChoice[] | undefined },
    by: { actor: string; stamp: Stamp },
  ): Promise<Source | null> {
    return taken(() =>
      this.#database.transaction(async (tx) => {
        const row = await this.#locked(tx, id, tenant);
        if (!row) return null;
        const before = await this.#reread(tx, row);
        if (datasets) await replaceDatasets(tx, row, before.datasets, datasets);
        await endRuns(tx, row, by.stamp.now);
        if (set.overlapMs !== undefined && set.overlapMs !== row.overlapMs) await forgetSettled(tx, row);
        const { datasets: states } = await this.#reread(tx, row);
        const goesOn = typeof set.nextRunAt === 'number' && workIsLeft(before, states, by.stamp.now);
        // The run under way ends: it holds no lease any more.
        await tx.db
          .update(datasetSources)
          .set({
            ...set,
            ...(goesOn ? { nextRunAt: by.stamp.now } : {}),
            updatedAt: by.stamp.now,
            failures: 0,
            lastError: null,
            lease: null,
            leasedUntil: 0,
          })
          .where(byId(id, row.tenantCode));
        const after = await this.#reread(tx, row);
        await this.#note(tx, by, {
          row,
          action: 'dataset_source.changed',
          before: settingsOf(before),
          after: settingsOf(after),
        });
        return after;
      }),
    );
  }

  remove(id: string, tenant: string | null, by: { actor: string; stamp: Stamp }): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const row = await this.#locked(tx, id, tenant);
      if (!row) return false;
      const before = await this.#reread(tx, row);
      for (const state of before.datasets) await dropDataset(tx, row, state);
      await tx.db.delete(datasetSources).where(byId(id, row.tenantCode));
      await this.#note(tx, by, {
        row,
        action: 'dataset_source.removed',
        before: settingsOf(before),
        after: null,
      });
      return true;
    });
  }

  request(
    id: string,
    tenant: string | null,
    { recompute }: { recompute: readonly string[] | 'all' | null },
    by: { actor: string; stamp: Stamp },
  ): Promise<Source | null> {
    return this.#database.transaction(async (tx) => {
      const row = await this.#locked(tx, id, tenant);
      if (!row) return null;
      if (!row.enabled)
        throw conflict('source_disabled', `The source ${row.name} is disabled; enable it first.`);
      const { datasets } = await this.#reread(tx, row);
      const wanted = recompute === 'all' ? datasets.map(({ dataset }) => dataset) : (recompute ?? []);
      for (const dataset of wanted)
        await restart(tx, row, datasets.find((state) => state.dataset === dataset) ?? dataset);
      // A run under way reads from where it stood; only a recompute must not go on under it.
      await tx.db
        .update(datasetSources)
        .set({ nextRunAt: by.stamp.now, ...(wanted.length > 0 ? { lease: null, leasedUntil: 0 } : {}) })
        .where(byId(id, row.tenantCode));
      await this.#note(tx, by, {
        row,
        action: recompute === null ? 'dataset_source.sync_requested' : 'dataset_source.recompute_requested',
        before: null,
        after: { datasets: wanted },
      });
      return this.#reread(tx, row);
    });
  }

  accept(
    id: string,
    tenant: string | null,
    wanted: { dataset: string; schemaVersion: string },
    by: { actor: string; stamp: Stamp },
  ): Promise<Source | null> {
    return this.#database.transaction(async (tx) => {
      const row = await this.#locked(tx, id, tenant);
      if (!row) return null;
      const state = (await this.#reread(tx, row)).datasets.find(({ dataset }) => dataset === wanted.dataset);
      if (!state) throw notFound(`The dataset ${wanted.dataset}`);
      if (state.offered === null)
        throw conflict('nothing_offered', `The source declares ${wanted.dataset} as its contract has it.`);
      if (state.offered.schemaVersion !== wanted.schemaVersion) {
        throw conflict(
          'other_version_offered',
          `The source offers schema version ${state.offered.schemaVersion} of ${wanted.dataset}; ` +
            'look at that one first.',
        );
      }
      await tx.db
        .update(sourceDatasets)
        .set({ contract: state.offered, offered: null })
        .where(ofDataset(row, wanted.dataset));
      if (row.enabled)
        await tx.db.update(datasetSources).set({ nextRunAt: by.stamp.now }).where(byId(id, row.tenantCode));
      await this.#note(tx, by, {
        row,
        action: 'dataset_source.contract_accepted',
        before: { dataset: wanted.dataset, contract: state.contract },
        after: { dataset: wanted.dataset, contract: state.offered },
      });
      return this.#reread(tx, row);
    });
  }

  async #locked(tx: Tx, id: string, tenant: string | null): Promise<SourceRow | null> {
    return (await tx.db.select().from(datasetSources).where(byId(id, tenant)).for('update'))[0] ?? null;
  }

  async #shown(db: Db, rows: readonly SourceRow[]): Promise<Source[]> {
    const states =
      rows.length === 0
        ? []
        : await db
            .select()
            .from(sourceDatasets)
            .where(
              inArray(
                sourceDatasets.sourceId,
                rows.map(({ id }) => id),
              ),
            )
            .orderBy(asc(sourceDatasets.sourceId), asc(sourceDatasets.dataset));
    return rows.map((row) =>
      sourceOf(
        row,
        states.filter(({ sourceId }) => sourceId === row.id),
      ),
    );
  }

  async #reread(tx: Tx, row: SourceRow): Promise<Source> {
    const [source] = await this.#shown(
      tx.db,
      await tx.db.select().from(datasetSources).where(byId(row.id, row.tenantCode)),
    );
    if (!source) throw new Error('a source that was written is not there');
    return source;
  }

  async #note(
    tx: Tx,
    by: Change,
    what: { row: SourceRow; action: string; before: unknown; after: unknown },
  ): Promise<void> {
    await appendAudit(tx, {
      id: by.stamp.newId(),
      at: by.stamp.now,
      actor: by.actor,
      action: what.action,
      subject: `dataset_source:${what.row.id}`,
      tenantCode: what.row.tenantCode,
      before: what.before,
      after: what.after,
    });
  }
}
