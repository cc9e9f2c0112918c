import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Clock } from '../../../common/clock.ts';
import type { SessionDraft, SessionRecord } from '../../../common/core/session/record.ts';
import { conflict } from '../../../common/http/error.ts';
import { endSessions, insertSession, seenAt, sessionsOf } from '../../store/adapter/access/session.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { isUniqueViolation } from '../../store/engine/errors.ts';
import { sessions } from '../../store/schema/tables.ts';
import type { ProvedLogin, UserChange, UserFilter, UserPort, UserRecord } from '../port.ts';
import { users } from './schema.ts';
import { spend } from './spend.ts';
import { locked, noteUser, traced } from './user-row.ts';

export class HubUsers implements UserPort {
  #database: Database;
  #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async add(user: UserRecord, actor: string): Promise<void> {
    try {
      await this.#database.transaction(async (tx) => {
        await tx.db.insert(users).values(user);
        await noteUser(tx, this.#clock, user, {
          action: 'user.added',
          at: user.createdAt,
          actor,
          before: null,
          after: traced(user),
        });
      });
    } catch (error) {
      if (isUniqueViolation(error))
        throw conflict('user_exists', `There is a user ${user.name} already. Choose another name.`);
      throw error;
    }
  }

  get(name: string): Promise<UserRecord | null> {
    return this.#database.read(
      async (db) => (await db.select().from(users).where(eq(users.name, name)))[0] ?? null,
    );
  }

  list({ text }: UserFilter, after: string | null, limit: number): Promise<UserRecord[]> {
    const found =
      text === null
        ? undefined
        : sql`position(lower(${text}) in
            ${users.name} || ' ' || lower(coalesce(${users.tenantCode}, ''))) > 0`;
    const later = after === null ? undefined : gt(users.name, after);
    return this.#database.read((db) =>
      db.select().from(users).where(and(found, later)).orderBy(asc(users.name)).limit(limit),
    );
  }

  change(name: string, change: UserChange, now: number, actor: string): Promise<UserRecord | null> {
    return this.#database.transaction(async (tx) => {
      const before = await locked(tx, name);
      if (!before || (change.ifPasswordHash !== undefined && change.ifPasswordHash !== before.passwordHash))
        return null;
      const after = changed(before, change, now);
      await tx.db.update(users).set(after).where(eq(users.name, name));
      const sessionsEnded = await settleSessions(tx, this.#clock, after, { change, now, actor });
      await noteUser(tx, this.#clock, after, {
        action: 'user.changed',
        at: now,
        actor,
        before: traced(before),
        after: { ...traced(after), passwordChanged: change.passwordHash !== undefined, sessionsEnded },
      });
      return after;
    });
  }

  rehash(name: string, from: string, to: string): Promise<void> {
    return this.#database.read(
      async (db) =>
        void (await db
          .update(users)
          .set({ passwordHash: to })
          .where(and(eq(users.name, name), eq(users.passwordHash, from)))),
    );
  }

  startSession(login: ProvedLogin, draft: SessionDraft, actor: string): Promise<SessionRecord | null> {
    const { name, passwordHash, proof, waits } = login;
    return this.#database.transaction(async (tx) => {
      const user = await locked(tx, name);
      if (!user || user.disabledAt !== null || user.passwordHash === null) return null;
      if (passwordHash !== null && user.passwordHash !== passwordHash) return null;
      // Set or taken away since it was asked for.
      if ((user.secondFactorSince === null) !== (proof === null)) return null;
      const by = { now: draft.createdAt, actor };
      if (proof && !(await spend(tx, this.#clock, { user, proof }, by))) return null;
      const { role, tenantCode } = user;
      const permissions = waits ? [] : user.permissions;
      const session = { ...draft, userName: name, role, tenantCode, permissions, waits };
      await tx.db
        .update(users)
        .set({ lastSeenAt: seenAt(draft.createdAt) })
        .where(eq(users.name, name));
      await insertSession(tx, this.#clock, session, actor);
      return session;
    });
  }
}

function changed(before: UserRecord, change: UserChange, now: number): UserRecord {
  const disabledAt =
    change.disabled === undefined ? before.disabledAt : change.disabled ? (before.disabledAt ?? now) : null;
  return {
    ...before,
    disabledAt,
    // From then on it is somebody here who has said so.
    withdrawnAt: change.disabled === undefined ? before.withdrawnAt : null,
    emergency: change.emergency ?? before.emergency,
    permissions: change.permissions === undefined ? before.permissions : change.permissions,
    passwordHash: change.passwordHash ?? before.passwordHash,
    updatedAt: now,
  };
}

async function settleSessions(
  tx: Tx,
  clock: Clock,
  user: UserRecord,
  what: { change: UserChange; now: number; actor: string },
): Promise<number> {
  const { change } = what;
  if (change.disabled) return endSessions(tx, clock, sessionsOf(user.name, null), what);
  if (change.permissions !== undefined)
    await tx.db
      .update(sessions)
      .set({ permissions: user.permissions })
      .where(and(eq(sessions.userName, user.name), eq(sessions.waits, false)));
  return change.passwordHash === undefined
    ? 0
    : endSessions(tx, clock, sessionsOf(user.name, change.keepSession ?? null), what);
}
