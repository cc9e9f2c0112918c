import { catalogue } from '../../../word/catalogue.ts';

/** How far the answer to an alarm is. */
export const responseWords = catalogue({
  response: { zh: '处置进展', en: 'How far it is' },
  toJudge: { zh: '等待研判', en: 'Waits to be judged' },
  corrected: { zh: '更正后的结论', en: 'As corrected' },
  cameraLater: { zh: '研判后通知摄像机', en: 'The camera is told once it is judged' },
  telling: { zh: '正在通知摄像机', en: 'The camera is being told' },
  notYet: { zh: '摄像机尚未收到，仍在重试', en: 'The camera has not heard yet; it is tried again' },
  heard: { zh: '摄像机已收到结论', en: 'The camera heard the verdict' },
  notHeard: { zh: '未能通知摄像机，已放弃', en: 'The camera could not be told; given up' },
  nobodySent: { zh: '尚未派人', en: 'Nobody is sent' },
  errandOpen: { zh: '已派单，未指定责任单位', en: 'A task is open, for no organisation' },
  sent: { zh: '已派出：{who}', en: 'Sent: {who}' },
  notTaken: { zh: '等待接管', en: 'Nobody has taken it over' },
  taken: { zh: '已接管：{who}', en: 'Taken over by {who}' },
  notDone: { zh: '尚未完成', en: 'Not done yet' },
  done: { zh: '已完成', en: 'Done' },
});
