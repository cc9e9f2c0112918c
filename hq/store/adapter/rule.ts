import { and, count, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { lastVersion, nextVersion, versionAudit } from '../../../common/core/rule/decide.ts';
import type { RuleFilter, RulePort, RulePosition } from '../../../common/core/rule/port.ts';
import type { RegisterRule, RemoveRule, RuleRecord } from '../../../common/core/rule/record.ts';
import type { RuleKind } from '../../../common/core/rule/schema.ts';
import { lockName } from '../engine/advisory-lock.ts';
import type { Database, Tx } from '../engine/database.ts';
import { audit } from '../schema/audit.ts';
import { rules } from '../schema/rule.ts';

export class HubRules implements RulePort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  register(rule: RegisterRule, actor: string, stamp: Stamp): Promise<RuleRecord> {
    return this.#database.transaction(async (tx) => {
      const prior = await lockNewest(tx, rule);
      const { db } = tx;
      const next = nextVersion(prior, rule, stamp);
      await db.insert(rules).values(next);
      await db.insert(audit).values(versionAudit(prior, next, actor, stamp));
      return next;
    });
  }

  remove(rule: RemoveRule, actor: string, stamp: Stamp): Promise<RuleRecord | null> {
    return this.#database.transaction(async (tx) => {
      const prior = await lockNewest(tx, rule);
      const last = lastVersion(prior, rule.by, stamp);
      if (!last) return null;
      await tx.db.insert(rules).values(last);
      await tx.db.insert(audit).values(versionAudit(prior, last, actor, stamp));
      return last;
    });
  }

  current(filter: RuleFilter, after: RulePosition | null, limit: number): Promise<RuleRecord[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(rules)
        .where(
          and(
            ...covered(filter),
            newest,
            eq(rules.deleted, false),
            after
              ? sql`(${rules.tenantCode}, ${rules.kind}, ${rules.name}) > (${after.tenantCode},
                  ${after.kind}, ${after.name})`
              : undefined,
          ),
        )
        .orderBy(rules.tenantCode, rules.kind, rules.name)
        .limit(limit),
    );
  }

  revision(filter: RuleFilter): Promise<number> {
    return this.#database.read(
      async (db) =>
        (
          await db
            .select({ rows: count() })
            .from(rules)
            .where(and(...covered(filter)))
        )[0]?.rows ?? 0,
    );
  }

  history(
    tenantCode: string,
    kind: RuleKind,
    name: string,
    before: number | null,
    limit: number,
  ): Promise<RuleRecord[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(rules)
        .where(versionsOf(tenantCode, kind, name, before))
        .orderBy(desc(rules.version))
        .limit(limit),
    );
  }
}

/** Of registrations of one rule at once each sees the one before. */
async function lockNewest(
  tx: Tx,
  { tenantCode, kind, name }: Pick<RuleRecord, 'tenantCode' | 'kind' | 'name'>,
): Promise<RuleRecord | null> {
  await lockName(tx, `rule ${JSON.stringify([tenantCode, kind, name])}`);
  const [newest = null] = await tx.db
    .select()
    .from(rules)
    .where(versionsOf(tenantCode, kind, name, null))
    .orderBy(desc(rules.version))
    .limit(1);
  return newest;
}

const newest = sql`${rules.version} = (select max(r.version) from rules r
  where r.tenant_code = ${rules.tenantCode} and r.kind = ${rules.kind} and r.name = ${rules.name})`;

const versionsOf = (
  tenantCode: string,
  kind: RuleKind,
  name: string,
  before: number | null,
): SQL | undefined =>
  and(
    eq(rules.tenantCode, tenantCode),
    eq(rules.kind, kind),
    eq(rules.name, name),
    before === null ? undefined : lt(rules.version, before),
  );

const covered = ({ tenantCodes, kind }: RuleFilter): (SQL | undefined)[] => [
  tenantCodes === null ? undefined : inArray(rules.tenantCode, [...tenantCodes]),
  kind === undefined ? undefined : eq(rules.kind, kind),
];
