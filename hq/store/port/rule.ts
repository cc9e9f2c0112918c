import { and, count, desc, eq, inArray, lt, sql, type SQL } from 'drizzle-orm';
import { nextVersion, registeredAudit } from '../../../common/core/rule/decide.ts';
import type { RuleFilter, RulePort, RulePosition } from '../../../common/core/rule/port.ts';
import type { RuleKind } from '../../../common/core/rule/schema.ts';
import { lockName } from '../engine/advisory-lock.ts';
import type { Database } from '../engine/database.ts';
import { audit } from '../schema/audit.ts';
import { rules } from '../schema/rule.ts';
import type { Stamp } from '../../../common/clock.ts';
import type { RegisterRule, RuleRecord } from '../../../common/core/rule/record.ts';

export class HubRules implements RulePort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  register(rule: RegisterRule, actor: string, stamp: Stamp): Promise<RuleRecord> {
    return this.#database.transaction(async (tx) => {
      await lockName(tx, `rule ${JSON.stringify([rule.tenantCode, rule.kind, rule.name])}`);
      const { db } = tx;
      const [prior = null] = await db
        .select()
        .from(rules)
        .where(versionsOf(rule.tenantCode, rule.kind, rule.name, null))
        .orderBy(desc(rules.version))
        .limit(1);
      const next = nextVersion(prior, rule, stamp);
      await db.insert(rules).values(next);
      await db.insert(audit).values(registeredAudit(prior, next, actor, stamp));
      return next;
    });
  }

  current(filter: RuleFilter, after: RulePosition | null, limit: number): Promise<RuleRecord[]> {
    return this.#database.read((db) =>
      db
        .selectDistinctOn([rules.tenantCode, rules.kind, rules.name])
        .from(rules)
        .where(
          and(
            ...covered(filter),
            after
              ? sql`(${rules.tenantCode}, ${rules.kind}, ${rules.name}) > (${after.tenantCode},
                  ${after.kind}, ${after.name})`
              : undefined,
          ),
        )
        .orderBy(rules.tenantCode, rules.kind, rules.name, desc(rules.version))
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
