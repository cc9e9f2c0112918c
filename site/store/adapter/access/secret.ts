import { and, asc, eq } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Stamp } from '../../../../common/clock.ts';
import { secretAudit } from '../../../../common/core/secret/decide.ts';
import type { SecretPort } from '../../../../common/core/secret/port.ts';
import type { NamedSecret } from '../../../../common/core/secret/record.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import { secrets } from '../../schema/tables.ts';
import type { SiteAudit } from '../audit.ts';

type Row = typeof secrets.$inferSelect;

/** Named secrets. One of no tenant stands under the empty tenant code. */
export class SiteSecrets implements SecretPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #audit: SiteAudit;

  constructor(group: GroupCommit, orm: BetterSQLite3Database, audit: SiteAudit) {
    this.#group = group;
    this.#orm = orm;
    this.#audit = audit;
  }

  put(secret: NamedSecret, actor: string, stamp: Stamp): Promise<{ secret: NamedSecret; created: boolean }> {
    return this.#group.write(() => {
      const prior = this.#read(secret.tenantCode, secret.name);
      const kept = { ...secret, createdAt: prior?.createdAt ?? secret.createdAt };
      const row = toRow(kept);
      this.#orm
        .insert(secrets)
        .values(row)
        .onConflictDoUpdate({ target: [secrets.tenantCode, secrets.name], set: row })
        .run();
      this.#audit.insert(secretAudit(prior, kept, actor, stamp));
      return { secret: kept, created: prior === null };
    });
  }

  async get(tenantCode: string | null, name: string): Promise<NamedSecret | null> {
    return this.#read(tenantCode, name);
  }

  async list(tenantCode: string | null): Promise<NamedSecret[]> {
    return this.#orm
      .select()
      .from(secrets)
      .where(tenantCode === null ? undefined : eq(secrets.tenantCode, tenantCode))
      .orderBy(asc(secrets.tenantCode), asc(secrets.name))
      .all()
      .map(fromRow);
  }

  remove(tenantCode: string | null, name: string, actor: string, stamp: Stamp): Promise<NamedSecret | null> {
    return this.#group.write(() => {
      const prior = this.#read(tenantCode, name);
      if (!prior) return null;
      this.#orm.delete(secrets).where(keyed(tenantCode, name)).run();
      this.#audit.insert(secretAudit(prior, null, actor, stamp));
      return prior;
    });
  }

  #read(tenantCode: string | null, name: string): NamedSecret | null {
    const row = this.#orm.select().from(secrets).where(keyed(tenantCode, name)).get();
    return row ? fromRow(row) : null;
  }
}

const keyed = (tenantCode: string | null, name: string) =>
  and(eq(secrets.tenantCode, tenantCode ?? ''), eq(secrets.name, name));
const toRow = (secret: NamedSecret): Row => ({ ...secret, tenantCode: secret.tenantCode ?? '' });
const fromRow = (row: Row): NamedSecret => ({
  ...row,
  tenantCode: row.tenantCode === '' ? null : row.tenantCode,
});
