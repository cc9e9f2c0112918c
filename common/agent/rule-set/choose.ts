// What the rules of a tenant say of an event. Pure.
import { severityRank } from '../../core/event/schema.ts';
import type { RuleChoice } from '../act/record.ts';
import type { Matcher } from './match.ts';
import type { AgentEvent, ResponseRule, TenantRules } from './record.ts';
import { defaultMessage, fillIn, unmatchedMessage, unreadMessage } from './template.ts';

export interface CompiledTenant extends TenantRules {
  matcher: Matcher;
  /** Its rules could not be read: none is in force. */
  unread?: true;
}

/** Spec 3, "Response rule": the first rule that matches, or else a review by a person. */
export function chooseRule(tenant: CompiledTenant, event: AgentEvent): RuleChoice {
  const judgedBelow = event.confidence !== null && event.confidence < tenant.thresholds.judgeMinConf;
  const rule = tenant.matcher.find(event);
  return { ...(rule ? byRule(rule, event, tenant) : unmatched(event, tenant)), judgedBelow };
}

function byRule(
  rule: ResponseRule,
  event: AgentEvent,
  { names }: TenantRules,
): Omit<RuleChoice, 'judgedBelow'> {
  const { action } = rule;
  return {
    ruleName: rule.name,
    ruleVersion: rule.version,
    kind: action.kind,
    severity: action.severity ?? event.severity ?? 'medium',
    channels: action.channels ?? [],
    assigneeOrg: action.assignee_org ?? null,
    dueMinutes: action.due_minutes ?? null,
    cooldownS: action.cooldown_s,
    llm: action.llm,
    standard: action.message === undefined,
    message: fillIn(action.message ?? defaultMessage(event), {
      event,
      names,
      offsetMin: rule.match.tz_offset_min,
    }),
  };
}

function unmatched(event: AgentEvent, { names, unread }: CompiledTenant): Omit<RuleChoice, 'judgedBelow'> {
  return {
    ruleName: null,
    ruleVersion: null,
    kind: 'review',
    severity: severityRank(event.severity) >= severityRank('high') ? 'high' : 'low',
    channels: [],
    assigneeOrg: null,
    dueMinutes: null,
    cooldownS: 0,
    llm: false,
    standard: true,
    message: fillIn((unread ? unreadMessage : unmatchedMessage)(event), { event, names }),
    ...(unread ? { rulesUnread: true } : {}),
  };
}
