import { and, eq, gt, lte } from 'drizzle-orm';
import type { Clock } from '../../../common/clock.ts';
import type { SessionDraft, SessionRecord } from '../../../common/core/session/record.ts';
import { rankOf } from '../../../common/policy/level.ts';
import { kbClearance } from '../../policy/store/schema.ts';
import { endSessions, insertSession, sessionsOf } from '../../store/adapter/access/session.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { sessions } from '../../store/schema/tables.ts';
import type { UserRecord } from '../port.ts';
import type { Person, ProviderPort, SignInRow } from '../provider/port.ts';
import type { Rights } from '../provider/record.ts';
import { signIns, users } from './schema.ts';
import { noteUser, traced } from './user-row.ts';

interface By {
  now: number;
  actor: string;
}

/** Who grants what the provider says. */
const GRANTED_BY = 'identity provider';

/** Users of the provider, and sign-ins that are under way. */
export class HubProvider implements ProviderPort {
  #database: Database;
  #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  begin(row: SignInRow, now: number): Promise<void> {
    return this.#database.transaction(async ({ db }) => {
      await db.delete(signIns).where(lte(signIns.expiresAt, now));
      await db.insert(signIns).values(row);
    });
  }

  take(id: string, now: number): Promise<SignInRow | null> {
    return this.#database.read(
      async (db) =>
        (
          await db
            .delete(signIns)
            .where(and(eq(signIns.id, id), gt(signIns.expiresAt, now)))
            .returning()
        )[0] ?? null,
    );
  }

  enter(
    { rights, idToken, ...person }: Person & { rights: Rights; idToken: string | null },
    draft: SessionDraft,
    actorOf: (name: string) => string,
  ): Promise<SessionRecord | 'disabled' | 'name_taken'> {
    return this.#database.transaction(async (tx) => {
      const found = await lockedPerson(tx, person);
      const by = { now: draft.createdAt, actor: actorOf(found?.name ?? rights.name) };
      const user = found ?? (await this.#add(tx, person, rights, by));
      if (user === null) return 'name_taken';
      if (user.disabledAt !== null && user.withdrawnAt === null) return 'disabled';
      await this.#give(tx, user, rights, by);
      await clear(tx, user.name, rights, by);
      const { role, tenantCode } = rights;
      const session = { ...draft, userName: user.name, role, tenantCode, permissions: user.permissions };
      await insertSession(tx, this.#clock, { ...session, idToken }, by.actor);
      return session;
    });
  }

  withdraw(person: Person, by: By): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const user = await lockedPerson(tx, person);
      if (!user || user.disabledAt !== null) return;
      const after = { ...user, disabledAt: by.now, withdrawnAt: by.now, updatedAt: by.now };
      await this.#replace(tx, user, after, by);
    });
  }

  idTokenOf(sessionId: string): Promise<string | null> {
    return this.#database.read(async (db) => {
      const [row] = await db
        .select({ idToken: sessions.idToken })
        .from(sessions)
        .where(eq(sessions.id, sessionId));
      return row?.idToken ?? null;
    });
  }

  /** null: the name is another's. */
  async #add(
    tx: Tx,
    { issuer, subject }: Person,
    { name, role, tenantCode }: Rights,
    by: By,
  ): Promise<UserRecord | null> {
    const [user] = await tx.db
      .insert(users)
      .values({ ...{ name, role, tenantCode, issuer, subject }, createdAt: by.now, updatedAt: by.now })
      .onConflictDoNothing()
      .returning();
    // Another sign-in of the same person may have been first.
    if (!user) return lockedPerson(tx, { issuer, subject });
    const after = { ...traced(user), issuer };
    await noteUser(tx, this.#clock, user, { action: 'user.added', at: by.now, ...by, before: null, after });
    return user;
  }

  async #give(tx: Tx, user: UserRecord, { role, tenantCode }: Rights, by: By): Promise<void> {
    const same = user.role === role && user.tenantCode === tenantCode && user.withdrawnAt === null;
    const after = { ...user, role, tenantCode, disabledAt: null, withdrawnAt: null, lastSeenAt: by.now };
    if (same) await tx.db.update(users).set({ lastSeenAt: by.now }).where(eq(users.name, user.name));
    else await this.#replace(tx, user, { ...after, updatedAt: by.now }, by);
  }

  async #replace(tx: Tx, before: UserRecord, after: UserRecord, by: By): Promise<void> {
    await tx.db.update(users).set(after).where(eq(users.name, before.name));
    const sessionsEnded = await endSessions(tx, this.#clock, sessionsOf(before.name, null), by);
    await noteUser(tx, this.#clock, after, {
      ...{ action: 'user.changed', at: by.now, actor: by.actor, before: traced(before) },
      after: { ...traced(after), sessionsEnded },
    });
  }
}

async function lockedPerson(tx: Tx, { issuer, subject }: Person): Promise<UserRecord | null> {
  const [user] = await tx.db
    .select()
    .from(users)
    .where(and(eq(users.issuer, issuer), eq(users.subject, subject)))
    .for('update');
  return user ?? null;
}

/** What the claims give takes the place of all that the account was cleared for. */
async function clear({ db }: Tx, subject: string, { clearances }: Rights, by: By): Promise<void> {
  if (clearances === null) return;
  await db.delete(kbClearance).where(eq(kbClearance.subject, subject));
  const grants = Object.entries(clearances).map(([tenantCode, level]) => ({
    ...{ tenantCode, subject, level: rankOf(level) },
    ...{ grantedBy: GRANTED_BY, grantedAt: by.now },
  }));
  if (grants.length > 0) await db.insert(kbClearance).values(grants);
}
