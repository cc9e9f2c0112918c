import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  none: {
    zh: '尚无订阅方。请用 POST /api/core/events/subscribe 登记，字段见接口文档（/docs）。',
    en: 'No consumer yet. POST /api/core/events/subscribe registers one; see /docs.',
  },
  consumer: { zh: '订阅方', en: 'Consumer' },
  allTenants: { zh: '全部租户', en: 'every tenant' },
  way: { zh: '方式', en: 'How' },
  push: { zh: '推送', en: 'Pushed' },
  pull: { zh: '拉取', en: 'Pulls' },
  paused: { zh: '已暂停', en: 'Paused' },
  cursor: { zh: '已确认至', en: 'Confirmed up to' },
  lag: { zh: '落后', en: 'Behind by' },
  events: { zh: '{count} 条事件', en: '{count} events' },
  upToDate: { zh: '无', en: 'nothing' },
  lastSuccess: { zh: '最近送达', en: 'Last taken' },
  next: { zh: '下次尝试', en: 'Next try' },
  fault: { zh: '故障', en: 'Fault' },
  failures: { zh: '连续失败 {count} 次', en: '{count} failures in a row' },
  pause: { zh: '暂停', en: 'Pause' },
  resume: { zh: '恢复', en: 'Resume' },
  cancel: { zh: '取消', en: 'Cancel' },
  pauseTitle: { zh: '暂停订阅方 {consumer}？', en: 'Pause the consumer {consumer}?' },
  resumeTitle: { zh: '恢复订阅方 {consumer}？', en: 'Resume the consumer {consumer}?' },
  nowPaused: { zh: '已暂停', en: 'It is paused' },
  resumed: { zh: '已恢复', en: 'It goes on' },
  pausesPull: {
    zh: '它将不能再拉取事件，直到恢复。事件照常保存，已确认的位置不变；恢复后从该位置继续。超过保留期限的事件它将收不到。',
    en:
      'It can pull no events until it is resumed. Events are kept as before and its place stays, ' +
      'from which it then goes on. It does not get events that retention deletes meanwhile.',
  },
  pausesPush: {
    zh: '不再向它推送，也不能拉取，直到恢复。事件照常保存，已送达的位置不变；恢复后从该位置继续。超过保留期限的事件它将收不到。',
    en:
      'Nothing is pushed to it, and it can pull nothing, until it is resumed. Events are kept as ' +
      'before and its place stays, from which it then goes on. It does not get events that retention ' +
      'deletes meanwhile.',
  },
  pausesRules: {
    zh: '这是响应规则读取事件的订阅：暂停期间，规则不会生成任务、通知和归并组。',
    en: 'Response rules read events by it: while it is paused they make no tasks, notices or groups.',
  },
  resumes: {
    zh: '它从已确认的位置继续，先收到暂停期间积累的事件。',
    en: 'It goes on from where it stands, and gets first what has gathered meanwhile.',
  },
});
