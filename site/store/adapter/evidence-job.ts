import { and, asc, count, desc, eq, gt, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { stepBackBound } from '../../../common/backoff.ts';
import { settledJob } from '../../../common/core/evidence/decide.ts';
import type { EvidenceJob, EvidenceJobFilter, EvidenceJobPort } from '../../../common/core/evidence/port.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { evidenceJobs } from '../schema/tables.ts';

// Written out, so that the partial index over waiting rows is used.
const waiting = sql`${evidenceJobs.state} = 'pending'`;

export class SiteEvidenceJobs implements EvidenceJobPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;

  constructor(group: GroupCommit, orm: BetterSQLite3Database) {
    this.#group = group;
    this.#orm = orm;
  }

  async claimDue(now: number, leaseMs: number, limit: number): Promise<EvidenceJob[]> {
    // Most rounds find nothing, and then write nothing.
    if (this.#due(now, 1).length === 0) return [];
    return this.#group.write(() => {
      const due = this.#due(now, limit);
      const nextAt = now + leaseMs;
      this.#orm
        .update(evidenceJobs)
        .set({ nextAt })
        .where(
          inArray(
            evidenceJobs.id,
            due.map(({ id }) => id),
          ),
        )
        .run();
      return due.map((row) => ({ ...row, nextAt }));
    });
  }

  #due(now: number, limit: number): EvidenceJob[] {
    return this.#orm
      .select()
      .from(evidenceJobs)
      .where(and(waiting, or(lte(evidenceJobs.nextAt, now), gt(evidenceJobs.nextAt, stepBackBound(now)))))
      .orderBy(asc(evidenceJobs.nextAt), asc(evidenceJobs.createdAt), asc(evidenceJobs.id))
      .limit(limit)
      .all();
  }

  /** Within the transaction of the caller; a job that is there stays as it is. */
  insert(job: EvidenceJob): void {
    this.#orm.insert(evidenceJobs).values(job).onConflictDoNothing().run();
  }

  async get(id: string): Promise<EvidenceJob | null> {
    return this.#orm.select().from(evidenceJobs).where(eq(evidenceJobs.id, id)).get() ?? null;
  }

  postpone(id: string, nextAt: number, reason: string | null): Promise<boolean> {
    return this.#group.write(() => {
      const { changes } = this.#orm
        .update(evidenceJobs)
        .set({ nextAt, ...(reason === null ? {} : { lastError: reason }) })
        .where(and(eq(evidenceJobs.id, id), waiting))
        .run();
      return changes > 0;
    });
  }

  done(id: string, at: number): Promise<void> {
    return this.#change(id, (job) => ({
      ...settledJob(job, at),
      state: 'done',
      attempts: job.attempts + 1,
      lastError: null,
    }));
  }

  failed(id: string, error: string, nextAt: number | null, at: number): Promise<void> {
    return this.#change(id, (job) => {
      const counted = { ...job, attempts: job.attempts + 1, lastError: error };
      return nextAt === null ? { ...settledJob(counted, at), state: 'failed' } : { ...counted, nextAt };
    });
  }

  #change(id: string, change: (job: EvidenceJob) => EvidenceJob): Promise<void> {
    return this.#group.write(() => this.#rewrite(id, change));
  }

  #rewrite(id: string, change: (job: EvidenceJob) => EvidenceJob): void {
    const job = this.#orm
      .select()
      .from(evidenceJobs)
      .where(and(eq(evidenceJobs.id, id), waiting))
      .get();
    if (job) this.#orm.update(evidenceJobs).set(change(job)).where(eq(evidenceJobs.id, id)).run();
  }

  async list(
    filter: EvidenceJobFilter,
    before: { createdAt: number; id: string } | null,
    limit: number,
  ): Promise<EvidenceJob[]> {
    const where: (SQL | undefined)[] = [];
    if (filter.tenantCode !== null) where.push(eq(evidenceJobs.tenantCode, filter.tenantCode));
    if (filter.state !== undefined) where.push(eq(evidenceJobs.state, filter.state));
    if (filter.consumer !== undefined) where.push(eq(evidenceJobs.consumer, filter.consumer));
    if (before)
      where.push(
        or(
          lt(evidenceJobs.createdAt, before.createdAt),
          and(eq(evidenceJobs.createdAt, before.createdAt), lt(evidenceJobs.id, before.id)),
        ),
      );
    return this.#orm
      .select()
      .from(evidenceJobs)
      .where(and(...where))
      .orderBy(desc(evidenceJobs.createdAt), desc(evidenceJobs.id))
      .limit(limit)
      .all();
  }

  async counts(): Promise<{ pending: number; failed: number }> {
    const pending = this.#orm.select({ rows: count() }).from(evidenceJobs).where(waiting).get();
    const failed = this.#orm
      .select({ rows: count() })
      .from(evidenceJobs)
      .where(sql`${evidenceJobs.state} = 'failed'`)
      .get();
    return { pending: pending?.rows ?? 0, failed: failed?.rows ?? 0 };
  }
}
