import { eq, inArray, lte, sql } from 'drizzle-orm';
import { decideAttempt, FORGET_ATTEMPTS_MS } from '../../../../common/core/session/decide.ts';
import type { LoginAttemptPort } from '../../../../common/core/session/port.ts';
import type { AttemptScope } from '../../../../common/core/session/record.ts';
import type { Database } from '../../engine/database.ts';
import { loginAttempts } from '../../schema/access.ts';

export class HubLoginAttempts implements LoginAttemptPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  begin(scopes: readonly AttemptScope[], now: number): Promise<number | null> {
    return this.#database.transaction(async (tx) => {
      // In a fixed order, so that two attempts with the same scopes cannot deadlock.
      const names = scopes.map((one) => one.scope).sort();
      await tx.db
        .insert(loginAttempts)
        .values(names.map((scope) => ({ scope, failures: 0, lastAt: now, blockedUntil: 0 })))
        .onConflictDoNothing();
      const rows = await tx.db
        .select()
        .from(loginAttempts)
        .where(inArray(loginAttempts.scope, names))
        .orderBy(loginAttempts.scope)
        .for('update');
      const decision = decideAttempt(new Map(rows.map((row) => [row.scope, row])), scopes, now);
      if (decision.kind === 'held_up') return decision.until;
      for (const { scope, ...row } of decision.rows)
        await tx.db.update(loginAttempts).set(row).where(eq(loginAttempts.scope, scope));
      return null;
    });
  }

  succeeded(own: readonly string[], shared: readonly string[]): Promise<void> {
    return this.#database.transaction(async (tx) => {
      if (shared.length > 0) {
        await tx.db
          .update(loginAttempts)
          .set({ failures: sql`greatest(${loginAttempts.failures} - 1, 0)`, blockedUntil: 0 })
          .where(inArray(loginAttempts.scope, [...shared]));
      }
      if (own.length > 0) await tx.db.delete(loginAttempts).where(inArray(loginAttempts.scope, [...own]));
    });
  }

  sweep(now: number): Promise<number> {
    return this.#database.read(
      async (db) =>
        (await db.delete(loginAttempts).where(lte(loginAttempts.lastAt, now - FORGET_ATTEMPTS_MS)))
          .rowCount ?? 0,
    );
  }
}
