import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  none: { zh: '尚无订阅方', en: 'No consumer yet' },
  consumer: { zh: '订阅方', en: 'Consumer' },
  allTenants: { zh: '全部租户', en: 'every tenant' },
  way: { zh: '方式', en: 'How' },
  push: { zh: '推送', en: 'Pushed' },
  pull: { zh: '拉取', en: 'Pulls' },
  paused: { zh: '已停用', en: 'Disabled' },
  cursor: { zh: '已确认至', en: 'Confirmed up to' },
  lag: { zh: '落后', en: 'Behind by' },
  events: { zh: '{count} 条事件', en: '{count} events' },
  upToDate: { zh: '无', en: 'nothing' },
  lastSuccess: { zh: '最近送达', en: 'Last taken' },
  next: { zh: '下次尝试', en: 'Next try' },
  fault: { zh: '故障', en: 'Fault' },
  failures: { zh: '连续失败 {count} 次', en: '{count} failures in a row' },
});
