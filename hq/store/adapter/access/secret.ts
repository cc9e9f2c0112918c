import { and, asc, eq } from 'drizzle-orm';
import type { Stamp } from '../../../../common/clock.ts';
import { secretAudit } from '../../../../common/core/secret/decide.ts';
import type { SecretPort } from '../../../../common/core/secret/port.ts';
import type { NamedSecret } from '../../../../common/core/secret/record.ts';
import type { Database, Tx } from '../../engine/database.ts';
import { secrets } from '../../schema/secret.ts';
import { appendAudit } from '../audit.ts';

type Row = typeof secrets.$inferSelect;

/** Named secrets. One of no tenant stands under the empty tenant code. */
export class HubSecrets implements SecretPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  put(secret: NamedSecret, actor: string, stamp: Stamp): Promise<{ secret: NamedSecret; created: boolean }> {
    return this.#database.transaction(async (tx) => {
      // Made first, so that of two at once one waits for the other's row.
      const [made] = await tx.db.insert(secrets).values(toRow(secret)).onConflictDoNothing().returning();
      const prior = made ? null : await locked(tx, secret);
      const kept = { ...secret, createdAt: prior?.createdAt ?? secret.createdAt };
      if (prior) await tx.db.update(secrets).set(toRow(kept)).where(keyed(kept.tenantCode, kept.name));
      await appendAudit(tx, secretAudit(prior, kept, actor, stamp));
      return { secret: kept, created: prior === null };
    });
  }

  get(tenantCode: string | null, name: string): Promise<NamedSecret | null> {
    return this.#database.read(async (db) => {
      const [row] = await db.select().from(secrets).where(keyed(tenantCode, name));
      return row ? fromRow(row) : null;
    });
  }

  list(tenantCode: string | null): Promise<NamedSecret[]> {
    return this.#database.read(async (db) =>
      (
        await db
          .select()
          .from(secrets)
          .where(tenantCode === null ? undefined : eq(secrets.tenantCode, tenantCode))
          .orderBy(asc(secrets.tenantCode), asc(secrets.name))
      ).map(fromRow),
    );
  }

  remove(tenantCode: string | null, name: string, actor: string, stamp: Stamp): Promise<NamedSecret | null> {
    return this.#database.transaction(async (tx) => {
      const [row] = await tx.db.delete(secrets).where(keyed(tenantCode, name)).returning();
      if (!row) return null;
      const prior = fromRow(row);
      await appendAudit(tx, secretAudit(prior, null, actor, stamp));
      return prior;
    });
  }
}

async function locked(tx: Tx, { tenantCode, name }: NamedSecret): Promise<NamedSecret | null> {
  const [row] = await tx.db.select().from(secrets).where(keyed(tenantCode, name)).for('update');
  return row ? fromRow(row) : null;
}

const keyed = (tenantCode: string | null, name: string) =>
  and(eq(secrets.tenantCode, tenantCode ?? ''), eq(secrets.name, name));
const toRow = (secret: NamedSecret): Row => ({ ...secret, tenantCode: secret.tenantCode ?? '' });
const fromRow = (row: Row): NamedSecret => ({
  ...row,
  tenantCode: row.tenantCode === '' ? null : row.tenantCode,
});
