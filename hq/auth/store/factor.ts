import { and, count, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Clock } from '../../../common/clock.ts';
import { endSessions, sessionsOf } from '../../store/adapter/access/session.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import type { FactorPort, FactorState } from '../factor/port.ts';
import type { UserRecord } from '../port.ts';
import { codeOf, factorSet, noteFactor, passkeysOf, replaceCodes, settleFactors } from './factor-row.ts';
import { passkeys, recoveryCodes, totpFactors } from './schema.ts';
import { locked } from './user-row.ts';

type By = Parameters<FactorPort['remove']>[2];

/** Second factors. Every change holds the row of the user, as a login does that uses one up. */
export class HubFactors implements FactorPort {
  #database: Database;
  #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  get(userName: string): Promise<FactorState> {
    return this.#database.read(async (db) => {
      const [totp = null] = await db.select().from(totpFactors).where(eq(totpFactors.userName, userName));
      const [left] = await db
        .select({ codes: count() })
        .from(recoveryCodes)
        .where(eq(recoveryCodes.userName, userName));
      return { totp, codesLeft: left?.codes ?? 0 };
    });
  }

  hasCode(userName: string, codeHash: string): Promise<boolean> {
    return this.#database.read(
      async (db) => (await db.select().from(recoveryCodes).where(codeOf(userName, codeHash))).length > 0,
    );
  }

  begin(userName: string, sealed: string): Promise<boolean> {
    return this.#database.transaction(async ({ db }) => {
      const made = await db
        .insert(totpFactors)
        .values({ userName, sealed, lastStep: 0 })
        .onConflictDoUpdate({
          target: totpFactors.userName,
          set: { sealed, lastStep: 0 },
          setWhere: isNull(totpFactors.since),
        })
        .returning();
      return made.length > 0;
    });
  }

  confirm(userName: string, what: Parameters<FactorPort['confirm']>[1], by: By): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const user = await locked(tx, userName);
      const { sealed, step: lastStep, codeHashes, session } = what;
      const proved = await tx.db
        .update(totpFactors)
        .set({ since: by.now, lastStep })
        .where(
          and(eq(totpFactors.userName, userName), eq(totpFactors.sealed, sealed), isNull(totpFactors.since)),
        )
        .returning();
      if (!user || proved.length === 0) return false;
      await replaceCodes(tx, userName, codeHashes);
      const sessionsEnded = await factorSet(tx, this.#clock, { user, session }, by);
      await this.#note(tx, user, { action: 'second_factor.set', after: { kind: 'totp', sessionsEnded }, by });
      return true;
    });
  }

  renewCodes(userName: string, codeHashes: readonly string[], by: By): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const user = await locked(tx, userName);
      if (!user || user.secondFactorSince === null) return false;
      await replaceCodes(tx, userName, codeHashes);
      await this.#note(tx, user, { action: 'second_factor.codes_renewed', after: null, by });
      return true;
    });
  }

  remove(
    userName: string,
    { keep, needed }: { keep: string; needed: boolean },
    by: By,
  ): Promise<'removed' | 'none' | 'last'> {
    return this.#database.transaction(async (tx) => {
      const user = await locked(tx, userName);
      const proved = and(eq(totpFactors.userName, userName), isNotNull(totpFactors.since));
      const [totp] = await tx.db.select().from(totpFactors).where(proved);
      if (!user || !totp) return 'none';
      if (needed && (await passkeysOf(tx, userName)) === 0) return 'last';
      await tx.db.delete(totpFactors).where(eq(totpFactors.userName, userName));
      await settleFactors(tx, user);
      const sessionsEnded = await endSessions(tx, this.#clock, sessionsOf(userName, keep), by);
      const after = { kind: 'totp', sessionsEnded };
      await this.#note(tx, user, { action: 'second_factor.removed', after, by });
      return 'removed';
    });
  }

  reset(userName: string, by: By): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const user = await locked(tx, userName);
      if (!user || user.secondFactorSince === null) return false;
      await tx.db.delete(totpFactors).where(eq(totpFactors.userName, userName));
      await tx.db.delete(passkeys).where(eq(passkeys.userName, userName));
      await settleFactors(tx, user);
      const sessionsEnded = await endSessions(tx, this.#clock, sessionsOf(userName, null), by);
      await this.#note(tx, user, { action: 'second_factor.removed', after: { sessionsEnded }, by });
      return true;
    });
  }

  #note(
    tx: Tx,
    user: UserRecord,
    { action, after, by }: { action: string; after: object | null; by: By },
  ): Promise<void> {
    return noteFactor(tx, this.#clock, user, { action, after, at: by.now, actor: by.actor });
  }
}
