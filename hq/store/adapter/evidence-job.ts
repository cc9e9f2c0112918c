import { and, desc, eq, sql } from 'drizzle-orm';
import { stepBackBound } from '../../../common/backoff.ts';
import { settledJob } from '../../../common/core/evidence/decide.ts';
import type { EvidenceJob, EvidenceJobFilter, EvidenceJobPort } from '../../../common/core/evidence/port.ts';
import type { Database } from '../engine/database.ts';
import { evidenceJobs } from '../schema/tables.ts';

const waiting = eq(evidenceJobs.state, 'pending');

export class HubEvidenceJobs implements EvidenceJobPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  claimDue(now: number, leaseMs: number, limit: number): Promise<EvidenceJob[]> {
    return this.#database.read(async (db) => {
      const claimed = await db
        .update(evidenceJobs)
        .set({ nextAt: now + leaseMs })
        .where(
          sql`${evidenceJobs.id} = any(array(
        select id from evidence_jobs where state = 'pending'
          and (next_at <= ${now} or next_at > ${stepBackBound(now)})
        order by next_at, created_at, id limit ${limit} for update skip locked))`,
        )
        .returning();
      return claimed.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    });
  }

  get(id: string): Promise<EvidenceJob | null> {
    return this.#database.read(
      async (db) => (await db.select().from(evidenceJobs).where(eq(evidenceJobs.id, id)))[0] ?? null,
    );
  }

  postpone(id: string, nextAt: number, reason: string | null): Promise<boolean> {
    return this.#database.read(async (db) => {
      const { rowCount } = await db
        .update(evidenceJobs)
        .set({ nextAt, ...(reason === null ? {} : { lastError: reason }) })
        .where(and(eq(evidenceJobs.id, id), waiting));
      return (rowCount ?? 0) > 0;
    });
  }

  done(id: string, at: number): Promise<void> {
    return this.#rewrite(id, (job) => ({
      ...settledJob(job, at),
      state: 'done',
      attempts: job.attempts + 1,
      lastError: null,
    }));
  }

  failed(id: string, error: string, nextAt: number | null, at: number): Promise<void> {
    return this.#rewrite(id, (job) => {
      const counted = { ...job, attempts: job.attempts + 1, lastError: error };
      return nextAt === null ? { ...settledJob(counted, at), state: 'failed' } : { ...counted, nextAt };
    });
  }

  list(
    filter: EvidenceJobFilter,
    before: { createdAt: number; id: string } | null,
    limit: number,
  ): Promise<EvidenceJob[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(evidenceJobs)
        .where(
          and(
            filter.tenantCode === null ? undefined : eq(evidenceJobs.tenantCode, filter.tenantCode),
            filter.state === undefined ? undefined : eq(evidenceJobs.state, filter.state),
            filter.consumer === undefined ? undefined : eq(evidenceJobs.consumer, filter.consumer),
            before === null
              ? undefined
              : sql`(${evidenceJobs.createdAt}, ${evidenceJobs.id}) < (${before.createdAt}, ${before.id})`,
          ),
        )
        .orderBy(desc(evidenceJobs.createdAt), desc(evidenceJobs.id))
        .limit(limit),
    );
  }

  counts(): Promise<{ pending: number; failed: number }> {
    return this.#database.read(async (db) => {
      const [row] = await db
        .select({
          pending: sql<number>`count(*) filter (where state = 'pending')`.mapWith(Number),
          failed: sql<number>`count(*) filter (where state = 'failed')`.mapWith(Number),
        })
        .from(evidenceJobs)
        .where(sql`state in ('pending', 'failed')`);
      return row ?? { pending: 0, failed: 0 };
    });
  }

  #rewrite(id: string, change: (job: EvidenceJob) => EvidenceJob): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const [job] = await tx.db
        .select()
        .from(evidenceJobs)
        .where(and(eq(evidenceJobs.id, id), waiting))
        .for('update');
      if (job) await tx.db.update(evidenceJobs).set(change(job)).where(eq(evidenceJobs.id, id));
    });
  }
}
