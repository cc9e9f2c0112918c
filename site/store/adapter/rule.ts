import { and, count, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Stamp } from '../../../common/clock.ts';
import { lastVersion, nextVersion, versionAudit } from '../../../common/core/rule/decide.ts';
import type { RuleFilter, RulePort, RulePosition } from '../../../common/core/rule/port.ts';
import type { RegisterRule, RemoveRule, RuleRecord } from '../../../common/core/rule/record.ts';
import type { RuleKind } from '../../../common/core/rule/schema.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { rules } from '../schema/tables.ts';
import type { SiteAudit } from './audit.ts';

export class SiteRules implements RulePort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #audit: SiteAudit;

  constructor(group: GroupCommit, orm: BetterSQLite3Database, audit: SiteAudit) {
    this.#group = group;
    this.#orm = orm;
    this.#audit = audit;
  }

  register(rule: RegisterRule, actor: string, stamp: Stamp): Promise<RuleRecord> {
    return this.#group.write(() => {
      const [prior = null] = this.#versions(rule.tenantCode, rule.kind, rule.name, null, 1);
      const next = nextVersion(prior, rule, stamp);
      this.#orm.insert(rules).values(next).run();
      this.#audit.insert(versionAudit(prior, next, actor, stamp));
      return next;
    });
  }

  remove(
    { tenantCode, kind, name, by }: RemoveRule,
    actor: string,
    stamp: Stamp,
  ): Promise<RuleRecord | null> {
    return this.#group.write(() => {
      const [prior = null] = this.#versions(tenantCode, kind, name, null, 1);
      const last = lastVersion(prior, by, stamp);
      if (!last) return null;
      this.#orm.insert(rules).values(last).run();
      this.#audit.insert(versionAudit(prior, last, actor, stamp));
      return last;
    });
  }

  async current(filter: RuleFilter, after: RulePosition | null, limit: number): Promise<RuleRecord[]> {
    const newest = sql`${rules.version} = (select max(r.version) from rules r
      where r.tenant_code = ${rules.tenantCode} and r.kind = ${rules.kind} and r.name = ${rules.name})`;
    const behind = after
      ? sql`(${rules.tenantCode}, ${rules.kind}, ${rules.name}) > (${after.tenantCode}, ${after.kind},
        ${after.name})`
      : undefined;
    return this.#orm
      .select()
      .from(rules)
      .where(and(...covered(filter), newest, eq(rules.deleted, false), behind))
      .orderBy(rules.tenantCode, rules.kind, rules.name)
      .limit(limit)
      .all();
  }

  async revision(filter: RuleFilter): Promise<number> {
    return (
      this.#orm
        .select({ rows: count() })
        .from(rules)
        .where(and(...covered(filter)))
        .get()?.rows ?? 0
    );
  }

  async history(
    tenantCode: string,
    kind: RuleKind,
    name: string,
    before: number | null,
    limit: number,
  ): Promise<RuleRecord[]> {
    return this.#versions(tenantCode, kind, name, before, limit);
  }

  #versions(
    tenantCode: string,
    kind: RuleKind,
    name: string,
    before: number | null,
    limit: number,
  ): RuleRecord[] {
    const where = and(
      eq(rules.tenantCode, tenantCode),
      eq(rules.kind, kind),
      eq(rules.name, name),
      before === null ? undefined : lt(rules.version, before),
    );
    return this.#orm.select().from(rules).where(where).orderBy(desc(rules.version)).limit(limit).all();
  }
}

const covered = ({ tenantCodes, kind }: RuleFilter): (SQL | undefined)[] => [
  tenantCodes === null ? undefined : inArray(rules.tenantCode, [...tenantCodes]),
  kind === undefined ? undefined : eq(rules.kind, kind),
];
