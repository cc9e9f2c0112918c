import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  title: { zh: '待办', en: 'Now' },
  under: { zh: '现在有什么需要人处理？', en: 'What needs a person?' },
  nothing: { zh: '目前没有需要人处理的事项', en: 'Nothing needs a person right now' },
  alarms: { zh: '告警', en: 'Alarms' },
  overdue: { zh: '逾期未接管的任务', en: 'Overdue tasks' },
  severe: { zh: '最近 7 天未研判的高级别事件', en: 'Severe events of the last 7 days that nobody judged' },
  sites: { zh: '失联或迟到的站点', en: 'Sites that are silent or late' },
  refusedOrders: { zh: '最近 7 天被站点拒绝的指令', en: 'Orders that sites refused in the last 7 days' },
  refusals: {
    zh: '最近 7 天站点未执行的结论和指令',
    en: 'Decisions and orders that sites did not carry out in the last 7 days',
  },
  webhooks: { zh: '投递失败或停用的回调', en: 'Webhooks that fail or are off' },
  datasets: { zh: '拉取失败的数据源', en: 'Data sources that fail' },
  all: { zh: '全部', en: 'All' },
  since: { zh: '自', en: 'since' },
  last: { zh: '最近', en: 'last' },
  times: { zh: '{count} 次', en: '{count} times' },
  failures: { zh: '连续失败 {count} 次', en: '{count} failures in a row' },
  off: { zh: '已停用', en: 'off' },
  more: { zh: '另有 {count} 项', en: '{count} more' },
});
