import type { Severity } from '../../core/event/schema.ts';
import type { SeverityOf } from '../../core/event/service.ts';
import type { SeveritiesBody } from '../../core/rule/schema.ts';
import { typeMatches } from './match.ts';
import type { RuleSet } from './rule-set.ts';

/** Under what a table names a type: its own name, or the longest beginning of it; null: it does not. */
export function namedAs(table: SeveritiesBody['types'], type: string): string | null {
  if (Object.hasOwn(table, type)) return type;
  const patterns = Object.keys(table).filter((pattern) => typeMatches(pattern, type));
  return patterns.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** What a tenant's table says of a type. */
export function severityIn(table: SeveritiesBody['types'], type: string): Severity | null {
  const name = namedAs(table, type);
  return name === null ? null : (table[name] ?? null);
}

/** How grave the tenants of the rules say that events are, where their senders do not say. */
export const severityByRules =
  (ruleSet: Pick<RuleSet, 'tenant'>): SeverityOf =>
  (tenantCode, type) =>
    severityIn(ruleSet.tenant(tenantCode).severities, type);
