import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { RepeatedCode } from '../../dataset/port.ts';
import type { Db } from '../../store/engine/database.ts';
import { projects } from './schema.ts';

/** Codes that several live projects of the tenant have, at most `limit` of them. */
export function repeatedCodes(db: Db, tenantCode: string, limit: number): Promise<RepeatedCode[]> {
  return db
    .select({
      code: sql<string>`${projects.code}`,
      projects: sql<string[]>`array_agg(${projects.projectId}::text order by ${projects.projectId})`,
    })
    .from(projects)
    .where(and(eq(projects.tenantCode, tenantCode), isNotNull(projects.code)))
    .groupBy(projects.code)
    .having(sql`count(*) > 1`)
    .orderBy(projects.code)
    .limit(limit);
}
