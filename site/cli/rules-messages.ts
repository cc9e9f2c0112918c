import { type Say, sentences } from '../../common/message.ts';

export const rulesMessages = {
  head: sentences(
    'LINE | TIME | TENANT | TYPE | RULE | OUTCOME | MESSAGE',
    '行 | 时间 | 租户 | 类型 | 规则 | 结果 | 消息',
  ),
  line: sentences('line {line}: {type}', '第 {line} 行：{type}'),
  noRule: sentences('(none)', '（无）'),
  noTenant: sentences('(no tenant)', '（无租户）'),
  shadowed: sentences(
    'shadowed: {rule} can never decide, {by} takes all that it matches',
    '被遮蔽：{rule} 永远不会生效，它匹配的事件都由 {by} 处理',
  ),
  unused: sentences('unused: no event fell under {rule}', '未命中：没有事件符合 {rule}'),
  badRule: sentences('bad rule: {rule}: {reasons}', '规则有误：{rule}：{reasons}'),
  noEvent: sentences('line {line} is no event: {faults}', '第 {line} 行不是事件：{faults}'),
  suppressed: sentences('task, suppressed by line {line}', '任务，处于第 {line} 行的冷却中'),
  noTask: sentences('no task', '不建任务'),
  judgedBelow: sentences('review, judged below the threshold', '复核，置信度低于阈值'),
  kinds_notify: sentences('notify', '通知'),
  kinds_dispatch: sentences('dispatch', '派单'),
  kinds_review: sentences('review', '复核'),
  by: sentences(' by {channels}', '，渠道 {channels}'),
  due: sentences(', due in {minutes} min', '，期限 {minutes} 分钟'),
};

export type RulesMessages = Say<typeof rulesMessages>;
