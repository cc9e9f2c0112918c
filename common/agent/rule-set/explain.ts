// Why an event is treated as it is. Pure.
import type { Choice } from '../act/record.ts';
import { choose, type CompiledTenant } from './choose.ts';
import { firstFailing, type Condition } from './match.ts';
import type { AgentEvent, ResponseRule } from './record.ts';

export interface ExplainedRule {
  name: string;
  version: number;
  priority: number;
  /** It decides the event. */
  chosen: boolean;
  /** The first condition that the event does not meet; null when the rule matches. */
  failed: Condition | null;
  /** One sentence of what the rule wanted and what the event has. */
  reason: string;
}

export interface Explanation {
  rules: ExplainedRule[];
  choice: Choice;
}

/** Every rule of the tenant in the order in which they are asked, also those behind the one that decides. */
export function explain(tenant: CompiledTenant, event: AgentEvent): Explanation {
  const choice = choose(tenant, event);
  const rules = tenant.matcher.rules.map((rule) => {
    const failed = firstFailing(rule, event);
    const chosen = failed === null && rule.name === choice.ruleName && rule.version === choice.ruleVersion;
    const reason = failed === null ? (chosen ? 'It is the first rule that matches.' : 'It would match, but an earlier rule decides.') : why(failed, rule, event);
    return { name: rule.name, version: rule.version, priority: rule.priority, chosen, failed, reason };
  });
  return { rules, choice };
}

function why(failed: Condition, { match }: ResponseRule, event: AgentEvent): string {
  switch (failed) {
    case 'enabled': return 'The rule is disabled.';
    case 'event_types': return `The type ${event.type} is none of ${(match.event_types ?? []).join(', ')}.`;
    case 'min_severity': return `The severity ${event.severity ?? 'medium (none given)'} is below ${match.min_severity}.`;
    case 'hours': return `The local time is outside of ${(match.hours ?? []).join(' to ')} o'clock.`;
    case 'site_refs': return `The site ${event.siteRef ?? '(none given)'} is not listed.`;
    case 'camera_refs': return `The camera ${event.cameraRef ?? '(none given)'} is not listed.`;
  }
}
