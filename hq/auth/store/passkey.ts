import { and, asc, count, desc, eq, gt, inArray, lte } from 'drizzle-orm';
import type { Clock } from '../../../common/clock.ts';
import { endSessions, sessionsOf } from '../../store/adapter/access/session.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import type { PasskeyAdded, PasskeyPort } from '../passkey/port.ts';
import {
  type ChallengeRow,
  CHALLENGES_OF_ONE,
  MOST_CHALLENGES,
  MOST_PASSKEYS,
  type PasskeyRecord,
} from '../passkey/record.ts';
import { factorSet, hasTotp, noteFactor, passkeysOf, replaceCodes, settleFactors } from './factor-row.ts';
import { passkeyChallenges as challenges, passkeys } from './schema.ts';
import { locked } from './user-row.ts';

type By = Parameters<PasskeyPort['rename']>[3];

/** Passkeys. Every change holds the row of the user, as a login does that uses one. */
export class HubPasskeys implements PasskeyPort {
  #database: Database;
  #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  list(userName: string): Promise<PasskeyRecord[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(passkeys)
        .where(eq(passkeys.userName, userName))
        .orderBy(asc(passkeys.createdAt), asc(passkeys.id)),
    );
  }

  find(credentialId: string): Promise<PasskeyRecord | null> {
    return this.#database.read(
      async (db) =>
        (await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId)))[0] ?? null,
    );
  }

  ask(row: ChallengeRow, now: number): Promise<void> {
    return this.#database.transaction(async (tx) => {
      await tx.db.delete(challenges).where(lte(challenges.expiresAt, now));
      await tx.db.insert(challenges).values(row);
      await dropBeyond(tx, CHALLENGES_OF_ONE, row.boundTo);
      const [{ waiting } = { waiting: 0 }] = await tx.db.select({ waiting: count() }).from(challenges);
      if (waiting > MOST_CHALLENGES) await dropBeyond(tx, MOST_CHALLENGES);
    });
  }

  take(id: string, boundTo: string, now: number): Promise<boolean> {
    return this.#database.read(async (db) => {
      const asked = and(
        eq(challenges.id, id),
        eq(challenges.boundTo, boundTo),
        gt(challenges.expiresAt, now),
      );
      return (await db.delete(challenges).where(asked).returning()).length > 0;
    });
  }

  add(
    passkey: PasskeyRecord,
    { codeHashes, session }: { codeHashes: readonly string[]; session: string },
    by: By,
  ): Promise<PasskeyAdded> {
    return this.#database.transaction(async (tx): Promise<PasskeyAdded> => {
      const user = await locked(tx, passkey.userName);
      if (!user || (await passkeysOf(tx, user.name)) >= MOST_PASSKEYS) return { kind: 'many' };
      const made = await tx.db.insert(passkeys).values(passkey).onConflictDoNothing().returning();
      if (made.length === 0) return { kind: 'known' };
      const first = user.secondFactorSince === null;
      if (first) await replaceCodes(tx, user.name, codeHashes);
      const sessionsEnded = await factorSet(tx, this.#clock, { user, session }, by);
      const after = { kind: 'passkey', ...traced(passkey), sessionsEnded };
      await noteFactor(tx, this.#clock, user, { ...at(by), action: 'second_factor.set', after });
      return { kind: 'added', first };
    });
  }

  rename(userName: string, id: string, name: string, by: By): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const user = await locked(tx, userName);
      const before = await one(tx, userName, id);
      if (!user || !before) return false;
      await tx.db.update(passkeys).set({ name }).where(eq(passkeys.id, id));
      const after = traced({ ...before, name });
      const what = { ...at(by), action: 'second_factor.renamed', before: traced(before), after };
      await noteFactor(tx, this.#clock, user, what);
      return true;
    });
  }

  remove(
    userName: string,
    id: string,
    { keep, needed }: { keep: string; needed: boolean },
    by: By,
  ): Promise<'removed' | 'none' | 'last'> {
    return this.#database.transaction(async (tx) => {
      const user = await locked(tx, userName);
      const before = await one(tx, userName, id);
      if (!user || !before) return 'none';
      const last = (await passkeysOf(tx, userName)) === 1 && !(await hasTotp(tx, userName));
      if (needed && last) return 'last';
      await tx.db.delete(passkeys).where(eq(passkeys.id, id));
      await settleFactors(tx, user);
      const sessionsEnded = await endSessions(tx, this.#clock, sessionsOf(userName, keep), by);
      const after = { kind: 'passkey', sessionsEnded };
      const what = { ...at(by), action: 'second_factor.removed', before: traced(before), after };
      await noteFactor(tx, this.#clock, user, what);
      return 'removed';
    });
  }
}

const at = ({ now, actor }: By) => ({ at: now, actor });

/** What the audit shows of a passkey. */
const traced = ({ id, name, rpId: host }: PasskeyRecord) => ({ id, name, host });

async function one({ db }: Tx, userName: string, id: string): Promise<PasskeyRecord | null> {
  const own = and(eq(passkeys.id, id), eq(passkeys.userName, userName));
  return (await db.select().from(passkeys).where(own))[0] ?? null;
}

/** @param boundTo of whom; left out: of all */
async function dropBeyond({ db }: Tx, most: number, boundTo?: string): Promise<void> {
  const old = db
    .select({ id: challenges.id })
    .from(challenges)
    .where(boundTo === undefined ? undefined : eq(challenges.boundTo, boundTo))
    .orderBy(desc(challenges.expiresAt), desc(challenges.id))
    .offset(most);
  await db.delete(challenges).where(inArray(challenges.id, old));
}
