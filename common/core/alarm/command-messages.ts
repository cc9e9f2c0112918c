const en = {
  none: 'No alarm stands.',
  head: ['SEVERITY', 'TAKEN BY', 'KEY', 'AT', 'SINCE', 'TIMES', 'MESSAGE'],
  severity: { critical: 'critical', warning: 'warning' },
  cleared: (at: string) => `cleared ${at}`,
  more: '… and more',
  taken: (key: string, by: string) => `${by} takes care of ${key}; channels do not tell it again.`,
  done: (key: string) => `${key} no longer stands. If its cause is still there it comes again.`,
};

const zh: typeof en = {
  none: '没有告警。',
  head: ['级别', '接手人', '代码', '位置', '自', '次数', '内容'],
  severity: { critical: '严重', warning: '警告' },
  cleared: (at) => `已于 ${at} 清除`,
  more: '… 还有更多',
  taken: (key, by) => `${by} 已接手告警 ${key}，不再重复提醒。`,
  done: (key) => `告警 ${key} 已清除。若原因仍在，会再次告警。`,
};

export const alarmCommandMessages = { en, zh };
