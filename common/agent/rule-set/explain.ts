// Why an event is treated as it is. Pure.
import type { CameraBook } from '../../core/camera/record.ts';
import type { EventRecord } from '../../core/event/record.ts';
import { type MessageOf, say } from '../../message.ts';
import { BEIJING_OFFSET_MINUTES } from '../../time.ts';
import { type DecisionPreview, previewDecision } from '../act/decide.ts';
import { chooseRule, type CompiledTenant } from './choose.ts';
import { explainMessages } from './explain-messages.ts';
import { type Condition, firstFailing, timeOf } from './match.ts';
import { type AgentEvent, agentEventOf, type ResponseRule } from './record.ts';
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
  /** The same in Chinese. */
  reasonZh: string;
}

export interface Explanation extends DecisionPreview {
  rules: ExplainedRule[];
}

/** Every rule of the tenant in the order in which they are asked, also those behind the one that decides. */
export function explain(tenant: CompiledTenant, record: EventRecord, cameras?: CameraBook): Explanation {
  const event = agentEventOf(record, cameras);
  const choice = chooseRule(tenant, event);
  const rules = tenant.matcher.rules.map((rule) => {
    const failed = firstFailing(rule, event);
    const chosen = failed === null && rule.name === choice.ruleName && rule.version === choice.ruleVersion;
    const because: ExplainMessage =
      failed === null ? { code: chosen ? 'first_match' : 'behind', params: {} } : why(failed, rule, event);
    return {
      name: rule.name,
      version: rule.version,
      priority: rule.priority,
      chosen,
      failed,
      reason: say(explainMessages, because, 'en'),
      reasonZh: say(explainMessages, because, 'zh'),
    };
  });
  return { rules, ...previewDecision(record, choice) };
}

type ExplainMessage = MessageOf<typeof explainMessages>;

function why(failed: Condition, { match }: ResponseRule, event: AgentEvent): ExplainMessage {
  const none = { code: 'none_given', params: {} };
  switch (failed) {
    case 'enabled':
      return { code: 'disabled', params: {} };
    case 'event_types':
      return {
        code: 'other_type',
        params: { type: event.type, wanted: (match.event_types ?? []).join(', ') },
      };
    case 'min_severity': {
      const severity = event.severity ?? { code: 'medium_assumed', params: {} };
      return { code: 'below_severity', params: { severity, least: match.min_severity ?? '' } };
    }
    case 'hours': {
      const [from = '', to = ''] = match.hours ?? [];
      return { code: 'outside_hours', params: { time: localHour(match, event), from, to } };
    }
    case 'site_refs':
      return { code: 'other_site', params: { site: event.siteRef ?? none } };
    case 'camera_refs':
      return { code: 'other_camera', params: { camera: event.cameraRef ?? none } };
  }
}

/** `23:05`, by the clock of the rule. */
const localHour = (
  { tz_offset_min: offset = BEIJING_OFFSET_MINUTES }: ResponseRule['match'],
  event: AgentEvent,
): string => localTime(timeOf(event), offset).slice(11, 16);
