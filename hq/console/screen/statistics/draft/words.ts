import { catalogue } from '../../../word/catalogue.ts';

export const draftWords = catalogue({
  draft: { zh: '起草报告', en: 'Draft a report' },
  lastShift: { zh: '交接班：上一班', en: 'Handover of the last shift' },
  lastWeek: { zh: '周报：上一周', en: 'Report of the last week' },
  lastMonth: { zh: '月报：上个月', en: 'Report of the last month' },
  shift_handover: { zh: '交接班', en: 'Shift handover' },
  weekly_report: { zh: '周报', en: 'Weekly report' },
  monthly_report: { zh: '月报', en: 'Monthly report' },
  title: { zh: '{kind} {since} 至 {until}', en: '{kind} {since} to {until}' },
  titleOfGroup: {
    zh: '{kind}（{group}） {since} 至 {until}',
    en: '{kind} of {group}, {since} to {until}',
  },
  drafted: { zh: '已起草，请补充并签发', en: 'Drafted: add to it, and sign it off' },
  known: { zh: '这一时段的报告已有，已打开', en: 'There is a report of this period already: here it is' },
  figures: { zh: '数据', en: 'Figures' },
  asOf: { zh: '统计截至 {at}。', en: 'As counted at {at}.' },
  events: {
    zh: '事件 {count} 条（上期 {before} 条）。',
    en: '{count} events ({before} in the period before).',
  },
  standing: {
    zh: '确认属实 {confirmed}，误报 {wrong}，已合并 {merged}，未研判 {open}。',
    en: '{confirmed} confirmed, {wrong} false alarms, {merged} merged, {open} not judged.',
  },
  share: { zh: '误报率 {share}。', en: 'False alarms: {share}.' },
  wait: {
    zh: '{what}：中位数 {median}，九成不超过 {ninetieth}，共 {count} 次。',
    en: '{what}: median {median}, 90 % within {ninetieth}, of {count}.',
  },
  noWait: { zh: '{what}：本期没有。', en: '{what}: none in this period.' },
  tasks: {
    zh: '任务 {count} 项：已完成 {done}，未完成 {open}，其中逾期 {overdue}、已升级 {escalated}。',
    en: '{count} tasks: {done} completed, {open} not, of which {overdue} overdue and {escalated} escalated.',
  },
  byType: { zh: '事件类型', en: 'Events by type' },
  line: { zh: '{name}：{count} 条，误报率 {share}', en: '{name}: {count}, false alarms {share}' },
  more: { zh: '另有 {count} 项未列出', en: '{count} more are not listed' },
  cameras: { zh: '误报最多的摄像机', en: 'Cameras with most false alarms' },
  noCameras: { zh: '本期没有误报。', en: 'There was no false alarm.' },
  remarks: { zh: '情况说明', en: 'What happened' },
  measures: { zh: '措施与遗留事项', en: 'Measures, and what is left to do' },
  signOff: { zh: '签发', en: 'Signed off' },
});
