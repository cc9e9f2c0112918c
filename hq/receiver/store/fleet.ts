// What the list of all sites is made of: no report is read for it, only the line that was made of each.
import { asc, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../store/engine/database.ts';
import type { ListedSite } from '../fleet/port.ts';
import { sites, sources } from './schema.ts';
import { siteFields } from './site-fields.ts';

/** Live ones, by instance. */
export const listedSites = (db: Db): Promise<ListedSite[]> =>
  db
    .select({ ...siteFields, lastSeenAt: sites.lastSeenAt, version: sites.version, told: sites.line })
    .from(sites)
    .where(isNull(sites.removedAt))
    .orderBy(asc(sites.instance));

/** Items that were refused or whose key is of another event, by instance; only sites that have any. */
export async function notTaken(db: Db): Promise<Map<string, number>> {
  const items = sql<number>`sum(${sources.rejectedTotal} + ${sources.conflictTotal})`.mapWith(Number);
  const rows = await db
    .select({ instance: sources.instance, items })
    .from(sources)
    .where(sql`${sources.rejectedTotal} + ${sources.conflictTotal} > 0`)
    .groupBy(sources.instance);
  return new Map(rows.map((row) => [row.instance, row.items]));
}
