import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { decideStore, storedAudit } from '../../../common/core/evidence/decide.ts';
import type { EvidencePort } from '../../../common/core/evidence/port.ts';
import type { Database, Db } from '../engine/database.ts';
import { audit, evidenceFiles, evidenceJobs } from '../schema/tables.ts';

/** Held while the sum of all sizes is compared with the limit. */
const LIMIT_LOCK = 0x666c6576; // "flev"

export function createEvidence(database: Database): EvidencePort {
  return {
    ofEvent: (tenantCode, eventId) =>
      database.read((db) =>
        db
          .select()
          .from(evidenceFiles)
          .where(and(eq(evidenceFiles.tenantCode, tenantCode), eq(evidenceFiles.eventId, eventId)))
          .orderBy(asc(evidenceFiles.name)),
      ),
    totalSize: () => database.read(total),
    store: (record, limit, actor, stamp) =>
      database.transaction(async (tx) => {
        await tx.client.query('select pg_advisory_xact_lock($1)', [LIMIT_LOCK]);
        const { tenantCode, eventId, name } = record;
        const [known] = await tx.db
          .select()
          .from(evidenceFiles)
          .where(
            and(
              eq(evidenceFiles.tenantCode, tenantCode),
              eq(evidenceFiles.eventId, eventId),
              eq(evidenceFiles.name, name),
            ),
          );
        const outcome = decideStore(known !== undefined, await total(tx.db), record.size, limit);
        if (outcome !== 'stored') return outcome;
        await tx.db.insert(evidenceFiles).values(record);
        await tx.db
          .update(evidenceJobs)
          .set({ nextAt: stamp.now })
          .where(
            and(
              eq(evidenceJobs.eventId, eventId),
              eq(evidenceJobs.name, name),
              sql`${evidenceJobs.state} = 'pending'`,
            ),
          );
        await tx.db.insert(audit).values(storedAudit(record, actor, stamp));
        return outcome;
      }),
    ofEventsUpTo: (eventId, limit) =>
      database.read((db) =>
        db
          .select()
          .from(evidenceFiles)
          .where(lte(evidenceFiles.eventId, eventId))
          .orderBy(asc(evidenceFiles.eventId), asc(evidenceFiles.name))
          .limit(limit),
      ),
    forget: (records) =>
      database.read(
        async (_db, pool) =>
          void (await pool.query(
            `delete from evidence_files f using unnest($1::text[], $2::bigint[], $3::text[]) as r (tenant,
              event, name)
       where f.tenant_code = r.tenant and f.event_id = r.event and f.name = r.name`,
            [records.map((r) => r.tenantCode), records.map((r) => r.eventId), records.map((r) => r.name)],
          )),
      ),
  };
}

async function total(db: Db): Promise<number> {
  const [row] = await db
    .select({ bytes: sql<number>`coalesce(sum(${evidenceFiles.size}), 0)`.mapWith(Number) })
    .from(evidenceFiles);
  return row?.bytes ?? 0;
}
