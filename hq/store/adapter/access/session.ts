import { and, asc, desc, eq, getTableColumns, gt, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Clock } from '../../../../common/clock.ts';
import { IDLE_MS } from '../../../../common/core/session/decide.ts';
import type { SessionPort } from '../../../../common/core/session/port.ts';
import type { SessionRecord } from '../../../../common/core/session/record.ts';
import { users } from '../../../auth/store/schema.ts';
import type { Database, Tx } from '../../engine/database.ts';
import { sessions } from '../../schema/tables.ts';
import { appendAudit } from '../audit.ts';

const { waits: _waits, idToken: _idToken, ...RECORD } = getTableColumns(sessions);

export class HubSessions implements SessionPort {
  #database: Database;
  #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  create(session: SessionRecord, actor: string): Promise<void> {
    return this.#database.transaction((tx) => insertSession(tx, this.#clock, session, actor));
  }

  find(tokenHash: string): Promise<SessionRecord | null> {
    return this.#database.read(
      async (db) =>
        (await db.select(RECORD).from(sessions).where(eq(sessions.tokenHash, tokenHash)))[0] ?? null,
    );
  }

  touch(id: string, now: number): Promise<void> {
    return this.#database.transaction(async ({ db }) => {
      // The user before the session, as those lock them who end sessions.
      await db
        .update(users)
        .set({ lastSeenAt: seenAt(now) })
        .from(sessions)
        .where(and(eq(sessions.id, id), eq(users.name, sessions.userName)));
      await db
        .update(sessions)
        .set({ lastSeenAt: now })
        .where(and(eq(sessions.id, id), lt(sessions.lastSeenAt, now)));
    });
  }

  async end(id: string, userName: string | null, now: number, actor: string): Promise<boolean> {
    return (
      (await this.#removed(
        and(eq(sessions.id, id), userName === null ? undefined : eq(sessions.userName, userName)),
        now,
        actor,
      )) > 0
    );
  }

  endAllOf(userName: string, except: string | null, now: number, actor: string): Promise<number> {
    return this.#removed(sessionsOf(userName, except), now, actor);
  }

  list(userName: string | null, now: number, limit: number): Promise<SessionRecord[]> {
    return this.#database.read((db) =>
      db
        .select(RECORD)
        .from(sessions)
        .where(
          and(
            gt(sessions.expiresAt, now),
            gt(sessions.lastSeenAt, now - IDLE_MS),
            userName === null ? undefined : eq(sessions.userName, userName),
          ),
        )
        .orderBy(desc(sessions.lastSeenAt), asc(sessions.id))
        .limit(limit),
    );
  }

  sweep(now: number): Promise<number> {
    return this.#database.read(
      async (db) =>
        (
          await db
            .delete(sessions)
            .where(or(lte(sessions.expiresAt, now), lte(sessions.lastSeenAt, now - IDLE_MS)))
        ).rowCount ?? 0,
    );
  }

  #removed(which: SQL | undefined, now: number, actor: string): Promise<number> {
    return this.#database.transaction((tx) => endSessions(tx, this.#clock, which, { now, actor }));
  }
}

/** When a user was last seen, which never moves back. */
export const seenAt = (now: number): SQL => sql`greatest(coalesce(${users.lastSeenAt}, 0), ${now})`;

/** @param except id of a session that stays */
export function sessionsOf(userName: string, except: string | null): SQL | undefined {
  return and(eq(sessions.userName, userName), except === null ? undefined : ne(sessions.id, except));
}

export async function insertSession(
  tx: Tx,
  clock: Clock,
  session: SessionRecord & { waits?: boolean; idToken?: string | null },
  actor: string,
): Promise<void> {
  await tx.db.insert(sessions).values(session);
  await trace(tx, clock, session, { action: 'session.started', now: session.createdAt, actor });
}

/** @returns how many were ended */
export async function endSessions(
  tx: Tx,
  clock: Clock,
  which: SQL | undefined,
  by: { now: number; actor: string },
): Promise<number> {
  const ended = await tx.db.delete(sessions).where(which).returning();
  for (const session of ended) await trace(tx, clock, session, { action: 'session.ended', ...by });
  return ended.length;
}

/** Whose it is and from where, never the token. */
async function trace(
  tx: Tx,
  clock: Clock,
  session: SessionRecord,
  what: { action: 'session.started' | 'session.ended'; now: number; actor: string },
): Promise<void> {
  const { id, userName, ip, userAgent, tenantCode } = session;
  const shown = { sessionId: id, ip, userAgent };
  await appendAudit(tx, {
    id: clock.newId(),
    at: what.now,
    actor: what.actor,
    action: what.action,
    subject: `user:${userName}`,
    tenantCode,
    before: what.action === 'session.ended' ? shown : null,
    after: what.action === 'session.started' ? shown : null,
  });
}
