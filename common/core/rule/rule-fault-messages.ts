import { faultsOf } from '../../http/fault/room.ts';
import { sentences } from '../../message.ts';

/** What is wrong with a rule. Each is read after the path of the member. */
export const ruleFaultMessages = {
  placeholders_only: sentences('may use only the placeholders {names}', '只能使用占位符 {names}'),
  rule_hours: sentences(
    'must begin before 24 and end at another hour; leave it out for the whole day',
    '必须在 24 点前开始，且起止不同；全天则不填',
  ),
  threshold_name: sentences('must be {name} for a threshold rule', '阈值规则的名称必须是 {name}'),
  threshold_nothing: sentences('must change at least one threshold', '至少要改一个阈值'),
  rule_version: sentences('must be a version from 1 to {newest}', '必须是 1 至 {newest} 的版本'),
};

export const { fault, faultAt, saying } = faultsOf(ruleFaultMessages);
