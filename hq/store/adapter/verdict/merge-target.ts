// The events that verdicts and corrections merge into, looked up by their keys in SQL.
import type { MergeTarget } from '../../../../common/core/verdict/record.ts';
import type { Database } from '../../engine/database.ts';
import { keyArrays, NAMED_KEYS } from '../event-key.ts';

/** Fills in targets of merges that had not been received when the verdict or correction was written. */
export async function withTargets<T extends MergeTarget & { tenantCode: string }>(
  database: Database,
  judged: T[],
): Promise<T[]> {
  const missing = judged.filter(
    ({ mergedInto, mergedIntoKey }) => mergedInto === null && mergedIntoKey !== null,
  );
  if (missing.length === 0) return judged;
  const { rows } = await database.read((_db, pool) =>
    pool.query<{ id: number; tenant: string; key: string; instance: string | null }>(
      `select e.id, e.tenant_code as tenant, e.idempotency_key as key, e.instance from ${NAMED_KEYS}
       join events e on e.tenant_code = k.tenant_code and e.id = k.event_id`,
      keyArrays(
        missing.map(({ tenantCode, mergedIntoKey }) => ({ tenant: tenantCode, key: mergedIntoKey ?? '' })),
      ),
    ),
  );
  return judged.map((one) => {
    if (one.mergedInto !== null) return one;
    const found = rows.find(
      ({ tenant, key, instance }) =>
        tenant === one.tenantCode && key === one.mergedIntoKey && instance === one.mergedIntoInstance,
    );
    return { ...one, mergedInto: found?.id ?? null };
  });
}
