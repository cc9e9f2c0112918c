import { sentences } from '../../message.ts';

export const alarmCommandMessages = {
  none: sentences('No alarm stands.', '没有告警。'),
  head: sentences(
    'SEVERITY | TAKEN BY | KEY | AT | SINCE | TIMES | MESSAGE',
    '级别 | 接手人 | 代码 | 位置 | 自 | 次数 | 内容',
  ),
  severity_critical: sentences('critical', '严重'),
  severity_warning: sentences('warning', '警告'),
  cleared: sentences('cleared {at}', '已于 {at} 清除'),
  more: sentences('… and more', '… 还有更多'),
  taken: sentences(
    '{by} takes care of {key}; channels do not tell it again.',
    '{by} 已接手告警 {key}，不再重复提醒。',
  ),
  done: sentences(
    '{key} no longer stands. If its cause is still there it comes again.',
    '告警 {key} 已清除。若原因仍在，会再次告警。',
  ),
};
