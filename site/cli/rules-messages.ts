import type { Language } from '../../common/message.ts';

const en = {
  head: ['LINE', 'TIME', 'TENANT', 'TYPE', 'RULE', 'OUTCOME', 'MESSAGE'],
  line: (line: number, type: string) => `line ${line}: ${type}`,
  noRule: '(none)',
  noTenant: '(no tenant)',
  shadowed: (rule: string, by: string) =>
    `shadowed: ${rule} can never decide, ${by} takes all that it matches`,
  unused: (rule: string) => `unused: no event fell under ${rule}`,
  badRule: (rule: string, reasons: string) => `bad rule: ${rule}: ${reasons}`,
  noEvent: (line: number, faults: string) => `line ${line} is no event: ${faults}`,
  suppressed: (line: number) => `task, suppressed by line ${line}`,
  noTask: 'no task',
  judgedBelow: 'review, judged below the threshold',
  kinds: { notify: 'notify', dispatch: 'dispatch', review: 'review' },
  by: (channels: string) => ` by ${channels}`,
  due: (minutes: number) => `, due in ${minutes} min`,
  reason: (reason: { reason: string; reasonZh: string }) => reason.reason,
};

const zh: typeof en = {
  head: ['行', '时间', '租户', '类型', '规则', '结果', '消息'],
  line: (line, type) => `第 ${line} 行：${type}`,
  noRule: '（无）',
  noTenant: '（无租户）',
  shadowed: (rule, by) => `被遮蔽：${rule} 永远不会生效，它匹配的事件都由 ${by} 处理`,
  unused: (rule) => `未命中：没有事件符合 ${rule}`,
  badRule: (rule, reasons) => `规则有误：${rule}：${reasons}`,
  noEvent: (line, faults) => `第 ${line} 行不是事件：${faults}`,
  suppressed: (line) => `任务，处于第 ${line} 行的冷却中`,
  noTask: '不建任务',
  judgedBelow: '复核，置信度低于阈值',
  kinds: { notify: '通知', dispatch: '派单', review: '复核' },
  by: (channels) => `，渠道 ${channels}`,
  due: (minutes) => `，期限 ${minutes} 分钟`,
  reason: (reason) => reason.reasonZh,
};

export type RulesMessages = typeof en;
export const rulesMessages: Record<Language, RulesMessages> = { en, zh };
