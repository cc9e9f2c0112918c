import { and, count, eq, isNull, lt } from 'drizzle-orm';
import type { Clock } from '../../../common/clock.ts';
import { endSessions, sessionsOf } from '../../store/adapter/access/session.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { sessions } from '../../store/schema/tables.ts';
import type { FactorPort, FactorState, Proof } from '../factor/port.ts';
import type { UserRecord } from '../port.ts';
import { recoveryCodes, totpFactors, users } from './schema.ts';
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
      await this.#setFactor(tx, user, by.now);
      await replaceCodes(tx, userName, codeHashes);
      await tx.db
        .update(sessions)
        .set({ waits: false, permissions: user.permissions })
        .where(and(eq(sessions.id, session), eq(sessions.userName, userName)));
      const sessionsEnded = await endSessions(tx, this.#clock, sessionsOf(userName, session), by);
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

  remove(userName: string, keep: string | null, by: By): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const user = await locked(tx, userName);
      if (!user || user.secondFactorSince === null) return false;
      await tx.db.delete(totpFactors).where(eq(totpFactors.userName, userName));
      await replaceCodes(tx, userName, []);
      await this.#setFactor(tx, user, null);
      const sessionsEnded = await endSessions(tx, this.#clock, sessionsOf(userName, keep), by);
      await this.#note(tx, user, { action: 'second_factor.removed', after: { sessionsEnded }, by });
      return true;
    });
  }

  async #setFactor({ db }: Tx, { name }: UserRecord, since: number | null): Promise<void> {
    await db.update(users).set({ secondFactorSince: since }).where(eq(users.name, name));
  }

  #note(
    tx: Tx,
    user: UserRecord,
    { action, after, by }: { action: string; after: object | null; by: By },
  ): Promise<void> {
    return noteFactor(tx, this.#clock, user, { action, after, at: by.now, actor: by.actor });
  }
}

/** Uses a proof up. False: it was used, or taken away, meanwhile. */
export async function spend(
  tx: Tx,
  clock: Clock,
  { user, proof }: { user: UserRecord; proof: Proof },
  by: By,
): Promise<boolean> {
  if (proof.kind === 'totp') {
    const taken = await tx.db
      .update(totpFactors)
      .set({ lastStep: proof.step })
      .where(and(eq(totpFactors.userName, user.name), lt(totpFactors.lastStep, proof.step)))
      .returning();
    return taken.length > 0;
  }
  const used = await tx.db.delete(recoveryCodes).where(codeOf(user.name, proof.codeHash)).returning();
  if (used.length === 0) return false;
  await noteFactor(tx, clock, user, {
    action: 'second_factor.recovery_code_used',
    after: null,
    at: by.now,
    actor: by.actor,
  });
  return true;
}

const codeOf = (userName: string, codeHash: string) =>
  and(eq(recoveryCodes.userName, userName), eq(recoveryCodes.codeHash, codeHash));

async function replaceCodes({ db }: Tx, userName: string, codeHashes: readonly string[]): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userName, userName));
  if (codeHashes.length > 0)
    await db.insert(recoveryCodes).values(codeHashes.map((codeHash) => ({ userName, codeHash })));
}

async function noteFactor(
  tx: Tx,
  clock: Clock,
  { name, tenantCode }: UserRecord,
  { action, after, at, actor }: { action: string; after: object | null; at: number; actor: string },
): Promise<void> {
  await appendAudit(tx, {
    ...{ id: clock.newId(), at, actor, action, subject: `user:${name}`, tenantCode },
    before: null,
    after,
  });
}
