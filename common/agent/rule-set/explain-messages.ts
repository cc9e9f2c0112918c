import { sentences } from '../../message.ts';

/** Why a rule decides an event, or does not. */
export const explainMessages = {
  first_match: sentences('It is the first rule that matches.', '首个匹配的规则。'),
  behind: sentences('It would match, but an earlier rule decides.', '可匹配，但由前面的规则决定。'),
  disabled: sentences('The rule is disabled.', '规则已停用。'),
  other_type: sentences('The type {type} is none of {wanted}.', '事件类型 {type} 不在 {wanted} 之中。'),
  below_severity: sentences('The severity {severity} is below {least}.', '级别 {severity} 低于 {least}。'),
  outside_hours: sentences(
    "The local time {time} is outside of {from} to {to} o'clock.",
    '当地时间 {time} 不在 {from} 点至 {to} 点之间。',
  ),
  other_site: sentences('The place {site} is not listed.', '地点 {site} 不在列表中。'),
  other_camera: sentences('The camera {camera} is not listed.', '摄像机 {camera} 不在列表中。'),
  none_given: sentences('(none given)', '（未给出）'),
  medium_assumed: sentences('medium (none given)', 'medium（未给出）'),
};
