// Why an event is treated as it is. Pure.
import type { EventRecord } from '../../core/event/record.ts';
import { BEIJING_OFFSET_MINUTES } from '../../time.ts';
import { foresee, type Foreseen } from '../act/decide.ts';
import { choose, type CompiledTenant } from './choose.ts';
import { firstFailing, timeOf, type Condition } from './match.ts';
import { agentEventOf, type AgentEvent, type ResponseRule } from './record.ts';
import { localTime } from './template.ts';

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

export interface Explanation extends Foreseen {
  rules: ExplainedRule[];
}

/** Every rule of the tenant in the order in which they are asked, also those behind the one that decides. */
export function explain(tenant: CompiledTenant, record: EventRecord): Explanation {
  const event = agentEventOf(record);
  const choice = choose(tenant, event);
  const rules = tenant.matcher.rules.map((rule) => {
    const failed = firstFailing(rule, event);
    const chosen = failed === null && rule.name === choice.ruleName && rule.version === choice.ruleVersion;
    const reason = failed === null ? (chosen ? 'It is the first rule that matches. 首个匹配的规则。' : 'It would match, but an earlier rule decides. 可匹配,但由前面的规则决定。') : why(failed, rule, event);
    return { name: rule.name, version: rule.version, priority: rule.priority, chosen, failed, reason };
  });
  return { rules, ...foresee(record, choice) };
}

function why(failed: Condition, { match }: ResponseRule, event: AgentEvent): string {
  switch (failed) {
    case 'enabled': return 'The rule is disabled. 规则已停用。';
    case 'event_types': return `The type ${event.type} is none of ${(match.event_types ?? []).join(', ')}. 事件类型不符。`;
    case 'min_severity': return `The severity ${event.severity ?? 'medium (none given)'} is below ${match.min_severity}. 级别低于要求。`;
    case 'hours': return `The local time ${localHour(match, event)} is outside of ${(match.hours ?? []).join(' to ')} o'clock. 不在时段内。`;
    case 'site_refs': return `The site ${event.siteRef ?? '(none given)'} is not listed. 工地不在列表中。`;
    case 'camera_refs': return `The camera ${event.cameraRef ?? '(none given)'} is not listed. 摄像机不在列表中。`;
  }
}

/** `23:05`, by the clock of the rule. */
const localHour = ({ tz_offset_min: offset = BEIJING_OFFSET_MINUTES }: ResponseRule['match'], event: AgentEvent): string => localTime(timeOf(event), offset).slice(11, 16);
