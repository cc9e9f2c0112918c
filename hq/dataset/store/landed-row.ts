// Rows as they land, in pages of thousands. In SQL, because one statement takes a page as arrays, and the
// sweep finds rows by ctid.
import type { Tx } from '../../store/engine/database.ts';
import type { DatasetState, LandedRow } from '../record.ts';

/** Rows that one step of a sweep marks as deleted. */
const SWEEP_ROWS = 5_000;

/** Whose rows, and of which pass through the dataset. */
type DatasetPass = Pick<DatasetState, 'dataset' | 'generation' | 'mode'> & { tenantCode: string; id: string };

/** @returns the rows that are new or newer than what was there; in a recompute all */
export async function landRows(
  tx: Tx,
  { tenantCode, id, dataset, generation, mode }: DatasetPass,
  rows: readonly LandedRow[],
): Promise<readonly LandedRow[]> {
  if (rows.length === 0) return rows;
  const { rows: landed } = await tx.client.query<{ pk: string }>(
    `insert into dataset_rows as r (tenant_code, source_id, dataset, pk, updated_at, deleted, generation,
      fields)
     select $1, $2, $3, g.pk, g.updated_at, g.deleted, $4, g.fields
       from unnest($5::text[], $6::text[], $7::boolean[], $8::text[]) as g (pk, updated_at, deleted, fields)
     on conflict (tenant_code, source_id, dataset, pk) do update
     set updated_at = excluded.updated_at, deleted = excluded.deleted, generation = excluded.generation,
       fields = excluded.fields
     ${mode === 'recompute' ? '' : 'where r.updated_at < excluded.updated_at'} returning r.pk`,
    [
      tenantCode,
      id,
      dataset,
      generation,
      rows.map(({ pk }) => pk),
      rows.map(({ updatedAt }) => updatedAt),
      rows.map(({ deleted }) => deleted),
      rows.map(({ fields }) => JSON.stringify(fields)),
    ],
  );
  if (landed.length === rows.length) return rows;
  const landedKeys = new Set(landed.map(({ pk }) => pk));
  return rows.filter(({ pk }) => landedKeys.has(pk));
}

/**
 * Marks up to SWEEP_ROWS rows as deleted that a complete recompute did not bring again. @param spared keys of
 * rows that stay @returns them
 */
export async function sweepRows(
  tx: Tx,
  { tenantCode, id, dataset, generation }: DatasetPass,
  spared: readonly string[],
): Promise<LandedRow[]> {
  // By ctid, which nothing changes under the lock of the dataset: looked up by key, each row could cost a
  // pass through all of them.
  const { rows } = await tx.client.query<{ pk: string; updatedAt: string }>(
    `update dataset_rows set deleted = true, generation = $4, fields = '{}' where ctid = any(array(
     select ctid from dataset_rows where tenant_code = $1 and source_id = $2 and dataset = $3
       and generation < $4 and not deleted and pk <> all($5::text[]) limit ${SWEEP_ROWS}))
     returning pk, updated_at as "updatedAt"`,
    [tenantCode, id, dataset, generation, spared],
  );
  return rows.map((one): LandedRow => ({ ...one, deleted: true, fields: {} }));
}
