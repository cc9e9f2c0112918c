import { and, asc, desc, eq, gt, lt, lte, ne, or, type SQL } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { IDLE_MS } from '../../../../common/core/session/decide.ts';
import type { SessionPort } from '../../../../common/core/session/port.ts';
import type { SessionRecord } from '../../../../common/core/session/record.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import { sessions } from '../../schema/tables.ts';
import type { SiteAudit } from '../audit.ts';

/** Login sessions. The audit shows whose and from where, never the token. */
export class SiteSessions implements SessionPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #audit: SiteAudit;
  #newId: () => string;

  constructor(group: GroupCommit, orm: BetterSQLite3Database, audit: SiteAudit, newId: () => string) {
    this.#group = group;
    this.#orm = orm;
    this.#audit = audit;
    this.#newId = newId;
  }

  create(session: SessionRecord, actor: string): Promise<void> {
    return this.#group.write(() => {
      this.#orm.insert(sessions).values(session).run();
      this.#trace('session.started', session, session.createdAt, actor);
    });
  }

  async find(tokenHash: string): Promise<SessionRecord | null> {
    return this.#orm.select().from(sessions).where(eq(sessions.tokenHash, tokenHash)).get() ?? null;
  }

  touch(id: string, now: number): Promise<void> {
    return this.#group.write(() => {
      this.#orm
        .update(sessions)
        .set({ lastSeenAt: now })
        .where(and(eq(sessions.id, id), lt(sessions.lastSeenAt, now)))
        .run();
    });
  }

  async end(id: string, userName: string | null, now: number, actor: string): Promise<boolean> {
    return (
      (await this.#remove(
        and(eq(sessions.id, id), userName === null ? undefined : eq(sessions.userName, userName)),
        now,
        actor,
      )) > 0
    );
  }

  endAllOf(userName: string, except: string | null, now: number, actor: string): Promise<number> {
    return this.#remove(
      and(eq(sessions.userName, userName), except === null ? undefined : ne(sessions.id, except)),
      now,
      actor,
    );
  }

  async list(userName: string | null, now: number, limit: number): Promise<SessionRecord[]> {
    const live = and(
      gt(sessions.expiresAt, now),
      gt(sessions.lastSeenAt, now - IDLE_MS),
      userName === null ? undefined : eq(sessions.userName, userName),
    );
    return this.#orm
      .select()
      .from(sessions)
      .where(live)
      .orderBy(desc(sessions.lastSeenAt), asc(sessions.id))
      .limit(limit)
      .all();
  }

  async sweep(now: number): Promise<number> {
    const past = or(lte(sessions.expiresAt, now), lte(sessions.lastSeenAt, now - IDLE_MS));
    // A write costs a sync; mostly there is nothing to remove.
    if (!this.#orm.select({ id: sessions.id }).from(sessions).where(past).limit(1).get()) return 0;
    return this.#group.write(() => this.#orm.delete(sessions).where(past).run().changes);
  }

  #remove(which: SQL | undefined, now: number, actor: string): Promise<number> {
    return this.#group.write(() => {
      const ended = this.#orm.delete(sessions).where(which).returning().all();
      for (const session of ended) this.#trace('session.ended', session, now, actor);
      return ended.length;
    });
  }

  #trace(
    action: 'session.started' | 'session.ended',
    session: SessionRecord,
    at: number,
    actor: string,
  ): void {
    const { id, userName, ip, userAgent, tenantCode } = session;
    const shown = { sessionId: id, ip, userAgent };
    this.#audit.insert({
      id: this.#newId(),
      at,
      actor,
      action,
      subject: `user:${userName}`,
      tenantCode,
      before: action === 'session.ended' ? shown : null,
      after: action === 'session.started' ? shown : null,
    });
  }
}
