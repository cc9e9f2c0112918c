import { inArray, lte, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { decideAttempt, FORGET_ATTEMPTS_MS } from '../../../../common/core/session/decide.ts';
import type { LoginAttemptPort } from '../../../../common/core/session/port.ts';
import type { AttemptScope } from '../../../../common/core/session/record.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import { loginAttempts } from '../../schema/tables.ts';

export class SiteLoginAttempts implements LoginAttemptPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;

  constructor(group: GroupCommit, orm: BetterSQLite3Database) {
    this.#group = group;
    this.#orm = orm;
  }

  begin(scopes: readonly AttemptScope[], now: number): Promise<number | null> {
    return this.#group.write(() => {
      const names = scopes.map((one) => one.scope);
      const rows = this.#orm.select().from(loginAttempts).where(inArray(loginAttempts.scope, names)).all();
      const decision = decideAttempt(new Map(rows.map((row) => [row.scope, row])), scopes, now);
      if (decision.kind === 'held_up') return decision.until;
      for (const row of decision.rows) {
        this.#orm
          .insert(loginAttempts)
          .values(row)
          .onConflictDoUpdate({ target: loginAttempts.scope, set: row })
          .run();
      }
      return null;
    });
  }

  succeeded(own: readonly string[], shared: readonly string[]): Promise<void> {
    return this.#group.write(() => {
      this.#orm
        .delete(loginAttempts)
        .where(inArray(loginAttempts.scope, [...own]))
        .run();
      this.#orm
        .update(loginAttempts)
        .set({ failures: sql`max(${loginAttempts.failures} - 1, 0)`, blockedUntil: 0 })
        .where(inArray(loginAttempts.scope, [...shared]))
        .run();
    });
  }

  async sweep(now: number): Promise<number> {
    const past = lte(loginAttempts.lastAt, now - FORGET_ATTEMPTS_MS);
    // A write costs a sync; mostly there is nothing to remove.
    if (!this.#orm.select({ scope: loginAttempts.scope }).from(loginAttempts).where(past).limit(1).get())
      return 0;
    return this.#group.write(() => this.#orm.delete(loginAttempts).where(past).run().changes);
  }
}
