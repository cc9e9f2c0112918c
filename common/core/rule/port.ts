import type { Stamp } from '../../clock.ts';
import type { RegisterRule, RemoveRule, RuleRecord } from './record.ts';
import type { RuleKind } from './schema.ts';

export interface RuleFilter {
  /** null: every tenant. */
  tenantCodes: readonly string[] | null;
  kind?: RuleKind;
}

/** Place in the list of rules in force. */
export interface RulePosition {
  tenantCode: string;
  kind: string;
  name: string;
}

export interface RulePort {
  /**
   * Appends a version; older ones stay. Of registrations of one rule at once each gets a number of its own. A
   * threshold rule keeps the fields of its earlier version that the new one leaves out. Audited as
   * `rule.registered` on `rule:<kind>/<name>`, with the versions before and after. @throws AppError 409
   * write_contention
   */
  register(rule: RegisterRule, actor: string, stamp: Stamp): Promise<RuleRecord>;
  /**
   * Appends the version that ends a rule: it is not in force any more, and its versions stay. Audited as
   * `rule.deleted`. null: there is no such rule in force.
   */
  remove(rule: RemoveRule, actor: string, stamp: Stamp): Promise<RuleRecord | null>;
  /**
   * The newest version of each rule that was not deleted, by tenant, kind and name, after the position when
   * given, at most `limit`.
   */
  current(filter: RuleFilter, after: RulePosition | null, limit: number): Promise<RuleRecord[]>;
  /** Grows with each registration that the filter covers; equal numbers mean equal lists. 0 without any. */
  revision(filter: RuleFilter): Promise<number>;
  /** Newest first, before the version when given, at most `limit`. */
  history(
    tenantCode: string,
    kind: RuleKind,
    name: string,
    before: number | null,
    limit: number,
  ): Promise<RuleRecord[]>;
}
