import { catalogue } from '../../../word/catalogue.ts';

export const verdictWords = catalogue({
  judgeTitle: { zh: '研判事件 {id}', en: 'Judge event {id}' },
  correctTitle: { zh: '更正事件 {id} 的结论', en: 'Correct the verdict on event {id}' },
  choose: { zh: '请选择结论', en: 'Choose a verdict' },
  note: { zh: '说明', en: 'Note' },
  noteNeeded: { zh: '请填写说明', en: 'A note is needed' },
  noteHint: { zh: '误报和更正必须说明原因', en: 'Needed with a false alarm and a correction' },
  into: { zh: '合并到事件编号', en: 'Merged into event number' },
  intoNeeded: { zh: '请填写事件编号', en: 'Say which event' },
  send: { zh: '提交', en: 'Send' },
  sendNext: { zh: '提交并转到下一条', en: 'Send and go on' },
  cancel: { zh: '取消', en: 'Cancel' },
  judge: { zh: '研判', en: 'Judge' },
  correct: { zh: '更正', en: 'Correct' },
  saved: { zh: '已记录：{verdict}', en: 'Recorded: {verdict}' },
  first: {
    zh: '{who} 已于 {at} 研判为“{verdict}”，您的结论尚未记录。',
    en: '{who} was first: “{verdict}” at {at}. Yours is not recorded.',
  },
  firstCorrected: {
    zh: '{who} 已于 {at} 更正为“{verdict}”，您的更正尚未记录。',
    en: '{who} was first, and corrected it to “{verdict}” at {at}. Yours is not recorded.',
  },
  correctIt: { zh: '仍要更正', en: 'Correct it all the same' },
  standsNow: { zh: '现行结论：{verdict}（{who}）', en: 'It stands as {verdict}, by {who}' },
  heard: { zh: '摄像机已收到', en: 'The camera has heard it' },
  notYet: {
    zh: '摄像机尚未收到，系统会继续投递',
    en: 'The camera has not heard it yet; delivery goes on',
  },
  noneLeft: { zh: '没有更多未研判的事件', en: 'No event is left to judge' },
});
