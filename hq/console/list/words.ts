import { catalogue } from '../word/catalogue.ts';

export const words = catalogue({
  noneSoFar: { zh: '已查范围内没有，尚未查完', en: 'None so far; not all has been looked at' },
  time: { zh: '时间', en: 'Time' },
  from: { zh: '开始时间', en: 'From' },
  until: { zh: '结束时间', en: 'Until' },
  lastHour: { zh: '最近 1 小时', en: 'Last hour' },
  lastDay: { zh: '最近 24 小时', en: 'Last 24 hours' },
  lastWeek: { zh: '最近 7 天', en: 'Last 7 days' },
  lastMonth: { zh: '最近 30 天', en: 'Last 30 days' },
});
