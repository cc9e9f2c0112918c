import { catalogue } from '../../../word/catalogue.ts';

/** Of whom an alarm sends, and what it settles. */
export const sendWords = catalogue({
  sendWhom: { zh: '派谁去', en: 'Send somebody' },
  nobodyHint: { zh: '留空则不派人', en: 'Nobody is sent while this is empty' },
  knownOnes: { zh: '常用责任单位', en: 'Organisations that are known' },
  organisation: { zh: '责任单位', en: 'Organisation' },
  byWhen: { zh: '接管时限', en: 'To be taken over within' },
  today: { zh: '今天之内', en: 'Today' },
  ownTime: { zh: '自定时间', en: 'Own time' },
  timeNeeded: { zh: '请选择时间', en: 'Choose a time' },
  errand: { zh: '要做什么', en: 'What is to be done' },
  errandNeeded: { zh: '请写明要做什么', en: 'Say what is to be done' },
  standing: { zh: '已经派出', en: 'Sent already' },
  settles: { zh: '随误报一起取消的任务', en: 'Tasks that are cancelled with it' },
  settlesHint: { zh: '取消勾选的任务保留', en: 'What is not ticked stays' },
  others: {
    zh: '所示同组的另外 {count} 条告警作同样研判',
    en: 'The same holds for {count} more alerts of the row, as shown',
  },
  partOthers: { zh: '同组的另外 {count} 条', en: '{count} more of the row' },
  othersDone: { zh: '已记录 {done} 条', en: '{done} recorded' },
  othersFirst: {
    zh: '已记录 {done} 条，{first} 条已由他人先行研判',
    en: '{done} recorded; others were first with {first}',
  },
  partSend: { zh: '派 {who} 前往', en: 'Send {who}' },
  partSettle: { zh: '取消任务“{title}”', en: 'Cancel the task “{title}”' },
  recorded: { zh: '结论已记录', en: 'The verdict is recorded' },
  sending: { zh: '正在提交', en: 'Being sent' },
  done: { zh: '已完成', en: 'Done' },
  ordered: { zh: '等待站点 {site} 执行', en: 'Waits for {site} to do it' },
  notDone: { zh: '未完成', en: 'Not done' },
  again: { zh: '重试未完成的', en: 'Try again what is not done' },
  leave: { zh: '不再重试', en: 'Leave it so' },
  sentAll: { zh: '已派出：{who}', en: 'Sent: {who}' },
  draftFound: { zh: '已恢复您先前填写的内容', en: 'What you had typed before is here again' },
  draftDrop: { zh: '清除', en: 'Clear it' },
  draftKept: {
    zh: '尚未提交。您填写的内容已保存在本机，恢复联网后请再次提交。',
    en: 'Not sent. What you typed is kept on this device; send it again when the link is back.',
  },
});
