import { and, eq, gt, lt } from 'drizzle-orm';
import type { Clock } from '../../../common/clock.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database } from '../../store/engine/database.ts';
import type { JoiningCode, JoiningCodePort } from '../join/port.ts';
import { joiningCodes } from './schema.ts';

export class HubJoiningCodes implements JoiningCodePort {
  #database: Database;
  #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  put(code: JoiningCode, now: number): Promise<void> {
    return this.#database.transaction(async (tx) => {
      await tx.db.delete(joiningCodes).where(lt(joiningCodes.expiresAt, now));
      await tx.db
        .insert(joiningCodes)
        .values(code)
        .onConflictDoUpdate({ target: joiningCodes.instance, set: code });
      await appendAudit(tx, {
        id: this.#clock.newId(),
        at: now,
        actor: code.createdBy,
        action: 'site.code_issued',
        subject: `site:${code.instance}`,
        tenantCode: null,
        before: null,
        after: { expiresAt: code.expiresAt },
      });
    });
  }

  take(codeHash: string, instance: string | null, now: number): Promise<JoiningCode | null> {
    return this.#database.read(async (db) => {
      const good = and(
        eq(joiningCodes.codeHash, codeHash),
        gt(joiningCodes.expiresAt, now),
        instance === null ? undefined : eq(joiningCodes.instance, instance),
      );
      return (await db.delete(joiningCodes).where(good).returning())[0] ?? null;
    });
  }
}
