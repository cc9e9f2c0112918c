import { catalogue } from '../../../word/catalogue.ts';

/** What to decide by. */
export const earlierWords = catalogue({
  earlier: { zh: '研判参考', en: 'What to judge it by' },
  camera: { zh: '此摄像机', en: 'This camera' },
  place: { zh: '此地点', en: 'This place' },
  ofType: { zh: '同类告警', en: 'Of this type' },
  ofAll: { zh: '全部告警', en: 'Of every type' },
  counted: {
    zh: '近 {days} 天 {count} 条，已研判 {judged} 条',
    en: '{count} in {days} days, {judged} of them judged',
  },
  falseAlarms: { zh: '误报 {count} 条（{percent}）', en: '{count} false alarms ({percent})' },
  newestOnly: {
    zh: '还有更早的，只统计了最近 {count} 条',
    en: 'Only the newest {count} are counted; there are others',
  },
  none: { zh: '近 {days} 天没有其他告警', en: 'No other alarm in {days} days' },
  all: { zh: '全部先前的告警', en: 'All earlier ones' },
  clauses: { zh: '查“{type}”的制度条款', en: 'What the rules of the house say of “{type}”' },
  openTasks: { zh: '此站点未完成的任务', en: 'Tasks that are open at this site' },
});
