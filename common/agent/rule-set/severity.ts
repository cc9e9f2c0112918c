import type { Severity } from '../../core/event/schema.ts';
import type { SeverityOf } from '../../core/event/service.ts';
import type { SeveritiesBody } from '../../core/rule/schema.ts';
import { typeMatches } from './match.ts';
import type { RuleSet } from './rule-set.ts';

/** What a tenant's table says of a type: under its own name, or under the longest beginning of it. */
export function severityIn(table: SeveritiesBody['types'], type: string): Severity | null {
  if (Object.hasOwn(table, type)) return table[type] ?? null;
  const patterns = Object.keys(table).filter((pattern) => typeMatches(pattern, type));
  const [longest] = patterns.sort((a, b) => b.length - a.length);
  return longest === undefined ? null : (table[longest] ?? null);
}

/** How grave the tenants of the rules say that events are, where their senders do not say. */
export const severityByRules =
  (ruleSet: Pick<RuleSet, 'tenant'>): SeverityOf =>
  (tenantCode, type) =>
    severityIn(ruleSet.tenant(tenantCode).severities, type);
