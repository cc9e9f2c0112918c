// Rows as they land, in pages of thousands. In SQL, because one statement takes a page as arrays, and the
// sweep finds rows by ctid.
import type { Tx } from '../../store/engine/database.ts';
import type { KnownRow } from '../decide.ts';
import type { DatasetState, LandedRow } from '../record.ts';

/** Rows that one step of a sweep marks as deleted. */
const SWEEP_ROWS = 5_000;

/** Whose rows, and of which pass through the dataset. */
type DatasetPass = Pick<DatasetState, 'dataset' | 'generation' | 'mode'> & { tenantCode: string; id: string };

/** Those of the rows that are there already. */
export async function knownRows(
  tx: Tx,
  { tenantCode, id, dataset }: DatasetPass,
  rows: readonly LandedRow[],
): Promise<KnownRow[]> {
  const { rows: known } = await tx.client.query<KnownRow>(
    `select pk, updated_at as "updatedAt", octet_length(fields) as bytes from dataset_rows
      where tenant_code = $1 and source_id = $2 and dataset = $3 and pk = any($4::text[])`,
    [tenantCode, id, dataset, rows.map(({ pk }) => pk)],
  );
  return known;
}

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
      rows.map(fieldsText),
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
): Promise<{ gone: LandedRow[]; freed: number }> {
  // By ctid, which nothing changes under the lock of the dataset: looked up by key, each row could cost a
  // pass through all of them.
  const { rows } = await tx.client.query<{ pk: string; updatedAt: string; freed: number }>(
    `with going as materialized (
       select ctid, octet_length(fields) - 2 as freed from dataset_rows
        where tenant_code = $1 and source_id = $2 and dataset = $3
          and generation < $4 and not deleted and pk <> all($5::text[]) limit ${SWEEP_ROWS})
     update dataset_rows set deleted = true, generation = $4, fields = '{}'
      where ctid = any(array(select ctid from going))
     returning pk, updated_at as "updatedAt", (select coalesce(sum(freed), 0)::int from going) as freed`,
    [tenantCode, id, dataset, generation, spared],
  );
  return {
    gone: rows.map(({ pk, updatedAt }): LandedRow => ({ pk, updatedAt, deleted: true, fields: {} })),
    freed: rows[0]?.freed ?? 0,
  };
}

const fieldsText = ({ fields }: LandedRow): string => JSON.stringify(fields);

/** Bytes of the fields of a row as they are stored. */
export const fieldsSize = (row: LandedRow): number => Buffer.byteLength(fieldsText(row));
