import { and, asc, eq, getTableColumns, isNull, lte, sql } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { decideStore, storedAudit } from '../../../common/core/evidence/decide.ts';
import type {
  EvidenceLimits,
  EvidencePort,
  EvidenceRecord,
  EvidenceUse,
  StoreEvidenceOutcome,
} from '../../../common/core/evidence/port.ts';
import { sites } from '../../receiver/store/schema.ts';
import { lockNumber } from '../engine/advisory-lock.ts';
import type { Database, Db } from '../engine/database.ts';
import { keys } from '../schema/access.ts';
import { evidenceFiles, evidenceJobs } from '../schema/evidence.ts';
import { appendAudit } from './audit.ts';

/** What a record tells; whose room it takes is for the sums alone. */
const { instance: _, ...columns } = getTableColumns(evidenceFiles);
/** Held while the sum of all sizes is compared with the limit. */
const LIMIT_LOCK = 0x666c6576; // "flev"

export class HubEvidenceFiles implements EvidencePort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  ofEvent(tenantCode: string, eventId: number): Promise<EvidenceRecord[]> {
    return this.#database.read((db) =>
      db
        .select(columns)
        .from(evidenceFiles)
        .where(and(eq(evidenceFiles.tenantCode, tenantCode), eq(evidenceFiles.eventId, eventId)))
        .orderBy(asc(evidenceFiles.name)),
    );
  }

  totalSize(): Promise<number> {
    return this.#database.read(total);
  }

  use(): Promise<EvidenceUse[]> {
    return this.#database.read(uses);
  }

  store(
    record: EvidenceRecord,
    limits: EvidenceLimits,
    actor: string,
    stamp: Stamp,
  ): Promise<StoreEvidenceOutcome> {
    return this.#database.transaction(async (tx) => {
      await lockNumber(tx, LIMIT_LOCK);
      const { tenantCode, eventId, name } = record;
      const [known] = await tx.db
        .select(columns)
        .from(evidenceFiles)
        .where(
          and(
            eq(evidenceFiles.tenantCode, tenantCode),
            eq(evidenceFiles.eventId, eventId),
            eq(evidenceFiles.name, name),
          ),
        );
      const outcome = decideStore(known !== undefined, await uses(tx.db), record, limits);
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
      await appendAudit(tx, storedAudit(record, actor, stamp));
      return outcome;
    });
  }

  ofEventsUpTo(eventId: number, limit: number): Promise<EvidenceRecord[]> {
    return this.#database.read((db) =>
      db
        .select(columns)
        .from(evidenceFiles)
        .where(lte(evidenceFiles.eventId, eventId))
        .orderBy(asc(evidenceFiles.eventId), asc(evidenceFiles.name))
        .limit(limit),
    );
  }

  forget(records: readonly EvidenceRecord[]): Promise<void> {
    return this.#database.read(
      async (db) =>
        void (await db.delete(evidenceFiles).where(
          sql`(${evidenceFiles.tenantCode}, ${evidenceFiles.eventId}, ${evidenceFiles.name}) in (
            select * from unnest(${sql.param(records.map((r) => r.tenantCode))}::text[],
              ${sql.param(records.map((r) => r.eventId))}::bigint[],
              ${sql.param(records.map((r) => r.name))}::text[]))`,
        )),
    );
  }
}

/** By tenant and site; those that are known and have no files are among them. */
async function uses(db: Db): Promise<EvidenceUse[]> {
  const { tenantCode, instance, size } = evidenceFiles;
  const files = await db
    .select({ tenantCode, instance, bytes: sql<number>`sum(${size})`.mapWith(Number) })
    .from(evidenceFiles)
    .groupBy(tenantCode, instance);
  const withKeys = await db
    .selectDistinct({ tenantCode: keys.tenantCode })
    .from(keys)
    .where(isNull(keys.removedAt));
  const known = await db.select({ instance: sites.instance, tenants: sites.tenants }).from(sites);
  return [
    ...files,
    ...withKeys.flatMap(({ tenantCode: tenant }) =>
      tenant === null ? [] : [{ tenantCode: tenant, instance: null, bytes: 0 }],
    ),
    ...known.flatMap((site) =>
      site.tenants.map((tenant) => ({ tenantCode: tenant, instance: site.instance, bytes: 0 })),
    ),
  ];
}

async function total(db: Db): Promise<number> {
  const [row] = await db
    .select({ bytes: sql<number>`coalesce(sum(${evidenceFiles.size}), 0)`.mapWith(Number) })
    .from(evidenceFiles);
  return row?.bytes ?? 0;
}
