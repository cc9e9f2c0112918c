// What sites say of the libraries that they have.
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { LibraryState } from '../../../../common/uplink/change/library.ts';
import { kbSiteLibraries } from '../../../policy/store/schema.ts';
import type { Tx } from '../../../store/engine/database.ts';
import type { WorkSource } from './context.ts';

/**
 * A site that has another version than it is to have by now is still waited for; one that refuses is told
 * again with the next version. @returns whether anything was known of it
 */
export async function noteLibrary(tx: Tx, source: WorkSource, item: LibraryState): Promise<boolean> {
  const { tenantCode, instance, version } = kbSiteLibraries;
  const { rowCount } = await tx.db
    .update(kbSiteLibraries)
    .set({
      state: sql`case when ${item.state} = 'refused' then 'refused'
        when ${version} = ${item.version} then 'here' else 'waiting' end`,
      held: item.version,
      heldAt: item.at,
      files: item.files,
      clauses: item.clauses,
      reason: item.reason,
      told: item.told,
    })
    .where(and(eq(tenantCode, item.tenant_code), inArray(instance, [...source.owned])));
  return (rowCount ?? 0) > 0;
}
