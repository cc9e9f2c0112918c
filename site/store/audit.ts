import { and, desc, eq, lt, or, type SQL } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { AuditEntry, AuditPort } from '../../common/core/audit/port.ts';
import type { GroupCommit } from './database.ts';
import { prepareInsert } from './insert.ts';
import { audit } from './schema.ts';

export class SiteAudit implements AuditPort {
  /** Writes an entry in the open transaction. */
  readonly insert: (entry: AuditEntry) => void;
  #group: GroupCommit;
  #orm: BetterSQLite3Database;

  constructor(group: GroupCommit, orm: BetterSQLite3Database) {
    this.#group = group;
    this.#orm = orm;
    this.insert = prepareInsert(group.sqlite, audit);
  }

  add(entry: AuditEntry): Promise<void> {
    return this.#group.write(() => this.insert(entry));
  }

  async list(
    filter: { tenantCode: string | null; action?: string; subject?: string }, before: { at: number; id: string } | null, limit: number,
  ): Promise<AuditEntry[]> {
    const where: (SQL | undefined)[] = [];
    if (filter.tenantCode !== null) where.push(eq(audit.tenantCode, filter.tenantCode));
    if (filter.action !== undefined) where.push(eq(audit.action, filter.action));
    if (filter.subject !== undefined) where.push(eq(audit.subject, filter.subject));
    if (before) where.push(or(lt(audit.at, before.at), and(eq(audit.at, before.at), lt(audit.id, before.id))));
    const rows = this.#orm.select().from(audit).where(and(...where)).orderBy(desc(audit.at), desc(audit.id)).limit(limit).all();
    return rows.map(({ before: was, after, ...rest }) => ({ ...rest, before: was ?? null, after: after ?? null }));
  }
}
