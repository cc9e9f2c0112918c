import { and, eq, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '../../store/engine/database.ts';
import { sites } from './schema.ts';

/** What the live site that an instance stands for understands; null: there is none, or it has not called. */
export async function featuresOf(db: Db, instance: string): Promise<readonly string[] | null> {
  const [site] = await db
    .select({ features: sites.features })
    .from(sites)
    .where(
      and(
        isNull(sites.removedAt),
        or(eq(sites.instance, instance), sql`${instance} = any(${sites.continues})`),
      ),
    )
    .limit(1);
  return site?.features ?? null;
}
