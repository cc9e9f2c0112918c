import { and, asc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database } from '../../store/engine/database.ts';
import type { RetentionScope, RetentionScopePort } from '../port.ts';
import { kbQaLog, retentionScopes } from './schema.ts';

export class HubRetentionScopes implements RetentionScopePort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(tenantCode: string | null): Promise<RetentionScope[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(retentionScopes)
        .where(tenantCode === null ? undefined : eq(retentionScopes.tenantCode, tenantCode))
        .orderBy(asc(retentionScopes.tenantCode), asc(retentionScopes.scope)),
    );
  }

  set(
    { tenantCode, scope, days, actor }: { tenantCode: string; scope: 'qa_log'; days: number; actor: string },
    stamp: Stamp,
  ): Promise<RetentionScope> {
    return this.#database.transaction(async (tx) => {
      const [before] = await tx.db
        .select()
        .from(retentionScopes)
        .where(this.#of(tenantCode, scope))
        .for('update');
      const [after] = await tx.db
        .insert(retentionScopes)
        .values({ tenantCode, scope, days, setBy: actor, setAt: stamp.now, deletedTotal: 0 })
        .onConflictDoUpdate({
          target: [retentionScopes.tenantCode, retentionScopes.scope],
          set: { days, setBy: actor, setAt: stamp.now },
        })
        .returning();
      if (!after) throw new Error('a retention scope was not written');
      await appendAudit(tx, {
        ...this.#entry('retention.scope_set', tenantCode, scope),
        id: stamp.newId(),
        at: stamp.now,
        actor,
        before: before ? { days: before.days } : null,
        after: { days },
      });
      return after;
    });
  }

  clear(tenantCode: string, scope: 'qa_log', actor: string, stamp: Stamp): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const [before] = await tx.db.delete(retentionScopes).where(this.#of(tenantCode, scope)).returning();
      if (!before) return false;
      await appendAudit(tx, {
        ...this.#entry('retention.scope_cleared', tenantCode, scope),
        id: stamp.newId(),
        at: stamp.now,
        actor,
        before: { days: before.days },
        after: null,
      });
      return true;
    });
  }

  dropAnswers(tenantCode: string, before: number, limit: number, stamp: Stamp): Promise<number> {
    return this.#database.transaction(async (tx) => {
      // Entries that another process deletes just now are left to it.
      const own = eq(kbQaLog.tenantCode, tenantCode);
      const passed = tx.db
        .select({ id: kbQaLog.id })
        .from(kbQaLog)
        .where(and(own, lt(kbQaLog.createdAt, before)))
        .orderBy(asc(kbQaLog.createdAt))
        .limit(limit)
        .for('update', { skipLocked: true });
      const { rowCount } = await tx.db.delete(kbQaLog).where(and(own, inArray(kbQaLog.id, passed)));
      const deleted = rowCount ?? 0;
      if (deleted === 0) return 0;
      await tx.db
        .update(retentionScopes)
        .set({ deletedTotal: sql`${retentionScopes.deletedTotal} + ${deleted}` })
        .where(this.#of(tenantCode, 'qa_log'));
      await appendAudit(tx, {
        ...this.#entry('retention.deleted', tenantCode, 'qa_log'),
        tenantCode: null,
        id: stamp.newId(),
        at: stamp.now,
        actor: 'system',
        before: null,
        after: { tenantCode, entries: deleted },
      });
      return deleted;
    });
  }

  #of(tenantCode: string, scope: 'qa_log'): SQL | undefined {
    return and(eq(retentionScopes.tenantCode, tenantCode), eq(retentionScopes.scope, scope));
  }

  #entry(
    action: string,
    tenantCode: string,
    scope: string,
  ): { action: string; subject: string; tenantCode: string } {
    return {
      action,
      subject: `retention:${scope}`,
      tenantCode,
    };
  }
}
