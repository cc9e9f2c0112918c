import { and, desc, eq, gte, lt, notInArray, or, sql } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import {
  type AuditEntry,
  type AuditFilter,
  type AuditPort,
  calledFrom,
} from '../../../common/core/audit/port.ts';
import type { Database, Tx } from '../engine/database.ts';
import { audit } from '../schema/tables.ts';

/** Entries of a transaction, with what they tell of. */
export async function appendAudit(tx: Tx, ...entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length > 0) await tx.db.insert(audit).values([...entries]);
}

/** A thing that people make, change and remove, as it was and as it is; null: it is not there. */
export interface Changed<T extends { id: string }> {
  /** Such as `plan`: the entry is `plan.created`, `plan.changed` or `plan.removed`, on `plan:<id>`. */
  kind: string;
  tenantCode: string | null;
  before: T | null;
  after: T | null;
}

/** Notes a change in its own transaction. */
export async function auditChange<T extends { id: string }>(
  tx: Tx,
  { kind, tenantCode, before, after }: Changed<T>,
  actor: string,
  stamp: Stamp,
): Promise<void> {
  const what = before === null ? 'created' : after === null ? 'removed' : 'changed';
  await appendAudit(tx, {
    id: stamp.newId(),
    at: stamp.now,
    actor,
    action: `${kind}.${what}`,
    subject: `${kind}:${(after ?? before)?.id}`,
    tenantCode,
    before,
    after,
  });
}

export class HubAudit implements AuditPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(entry: AuditEntry): Promise<void> {
    return this.#database.read(async (db) => void (await db.insert(audit).values(entry)));
  }

  list(filter: AuditFilter, before: { at: number; id: string } | null, limit: number): Promise<AuditEntry[]> {
    return this.#database.list((db) =>
      db
        .select()
        .from(audit)
        .where(
          and(
            filter.tenantCode === null ? undefined : eq(audit.tenantCode, filter.tenantCode),
            filter.action === undefined ? undefined : eq(audit.action, filter.action),
            filter.without === undefined ? undefined : notInArray(audit.action, [...filter.without]),
            filter.subject === undefined ? undefined : eq(audit.subject, filter.subject),
            filter.actor === undefined
              ? undefined
              : or(
                  eq(audit.actor, filter.actor),
                  sql`starts_with(${audit.actor}, ${calledFrom(filter.actor)})`,
                ),
            filter.since === undefined ? undefined : gte(audit.at, filter.since),
            filter.until === undefined ? undefined : lt(audit.at, filter.until),
            before === null ? undefined : sql`(${audit.at}, ${audit.id}) < (${before.at}, ${before.id})`,
          ),
        )
        .orderBy(desc(audit.at), desc(audit.id))
        .limit(limit),
    );
  }
}
