import { isDeepStrictEqual } from 'node:util';
import type { Stamp } from '../../clock.ts';
import type { AuditEntry } from '../audit/port.ts';
import type { RegisterRule, RuleRecord } from './record.ts';

/** The version that a registration appends. Pure. @param prior the newest one */
export function nextVersion(prior: RuleRecord | null, rule: RegisterRule, stamp: Stamp): RuleRecord {
  const { tenantCode, kind, name, by } = rule;
  const body = kind === 'threshold' ? { ...prior?.body, ...rule.body } : rule.body;
  return {
    tenantCode,
    kind,
    name,
    version: (prior?.version ?? 0) + 1,
    body,
    by,
    createdAt: stamp.now,
    deleted: false,
  };
}

/** The version that ends a rule. Pure. @returns null: there is no such rule, or it has ended */
export function lastVersion(prior: RuleRecord | null, by: string, stamp: Stamp): RuleRecord | null {
  if (!prior || prior.deleted) return null;
  return { ...prior, version: prior.version + 1, body: {}, by, createdAt: stamp.now, deleted: true };
}

/** @param prior null: the rule is new */
export function versionAudit(
  prior: RuleRecord | null,
  rule: RuleRecord,
  actor: string,
  stamp: Stamp,
): AuditEntry {
  return {
    id: stamp.newId(),
    at: stamp.now,
    actor,
    action: rule.deleted ? 'rule.deleted' : 'rule.registered',
    subject: `rule:${rule.kind}/${rule.name}`,
    tenantCode: rule.tenantCode,
    before: prior && { version: prior.version, body: prior.body },
    after: { version: rule.version, body: rule.body, by: rule.by },
  };
}

export interface RuleDifference {
  /** Dotted path within the body. */
  path: string;
  before: unknown;
  after: unknown;
}

/** What a body has that another has not, member by member; lists are compared whole. Pure. */
export function differences(before: unknown, after: unknown, path = ''): RuleDifference[] {
  if (!isObject(before) || !isObject(after))
    return isDeepStrictEqual(before, after) ? [] : [{ path, before: before ?? null, after: after ?? null }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) =>
    differences(before[name], after[name], path === '' ? name : `${path}.${name}`),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
