import { and, asc, eq, gt } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { DEFAULT_LEVEL, rankOf } from '../../../common/policy/level.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database, Db } from '../../store/engine/database.ts';
import type { ClearancePort } from '../port.ts';
import type { Grant } from '../record.ts';
import { kbClearance } from './schema.ts';

export class HubClearance implements ClearancePort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  rankOf(tenantCode: string, subject: string): Promise<number> {
    return this.#database.read((db) => rankIn(db, tenantCode, subject));
  }

  grant(grant: Grant, stamp: Stamp): Promise<{ before: number | null }> {
    return this.#database.transaction(async (tx) => {
      const { tenantCode, subject, level } = grant;
      const [before] = await tx.db
        .select()
        .from(kbClearance)
        .where(and(eq(kbClearance.tenantCode, tenantCode), eq(kbClearance.subject, subject)))
        .for('update');
      await tx.db
        .insert(kbClearance)
        .values(grant)
        .onConflictDoUpdate({
          target: [kbClearance.tenantCode, kbClearance.subject],
          set: { level, grantedBy: grant.grantedBy, grantedAt: grant.grantedAt },
        });
      await appendAudit(tx, {
        id: stamp.newId(),
        at: stamp.now,
        actor: grant.grantedBy,
        action: 'kb.clearance.granted',
        subject: `kb_clearance:${subject}`,
        tenantCode: null,
        before: before ? { tenantCode, level: before.level } : null,
        after: { tenantCode, level },
      });
      return { before: before?.level ?? null };
    });
  }

  list(tenantCode: string, after: string | null, limit: number): Promise<Grant[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(kbClearance)
        .where(
          and(
            eq(kbClearance.tenantCode, tenantCode),
            after === null ? undefined : gt(kbClearance.subject, after),
          ),
        )
        .orderBy(asc(kbClearance.subject))
        .limit(limit),
    );
  }
}

/** Accounts that were never granted a level count as internal. */
export async function rankIn(db: Db, tenantCode: string, subject: string): Promise<number> {
  const [grant] = await db
    .select({ level: kbClearance.level })
    .from(kbClearance)
    .where(and(eq(kbClearance.tenantCode, tenantCode), eq(kbClearance.subject, subject)));
  return grant?.level ?? rankOf(DEFAULT_LEVEL);
}
