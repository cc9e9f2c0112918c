import { catalogue } from '../../word/catalogue.ts';

export const rehearsalWords = catalogue({
  about: {
    zh: '用已记录的事件试一试：登记后会有什么不同。不会登记，也不会通知任何人。',
    en: 'Try it on recorded events: what would be otherwise. Nothing is registered, and nobody is told.',
  },
  period: { zh: '时段', en: 'Period' },
  lastDay: { zh: '最近 24 小时', en: 'Last 24 hours' },
  lastWeek: { zh: '最近 7 天', en: 'Last 7 days' },
  lastMonth: { zh: '最近 30 天', en: 'Last 30 days' },
  run: { zh: '演练', en: 'Rehearse' },
  faulty: { zh: '规则有误，改正后才能演练', en: 'The rule has faults; mend them first' },
  changedSince: {
    zh: '演练之后规则又有改动，请再次演练',
    en: 'The rule was changed since; rehearse it again',
  },
  noEvents: { zh: '此时段没有事件', en: 'There is no event in this period' },
  changed: {
    zh: '{events} 个事件中，{changed} 个的处置会不同',
    en: 'Of {events} events, {changed} would be treated otherwise',
  },
  incomplete: {
    zh: '事件过多，只演练了其中较新的一部分',
    en: 'There are more events in the period; these are the newest',
  },
  shadowed: {
    zh: '“{name}”将永远轮不到：被“{by}”挡住',
    en: '“{name}” would never decide: “{by}” takes all that it matches',
  },
  outcome: { zh: '处置', en: 'What is done' },
  now: { zh: '现在', en: 'Now' },
  then: { zh: '登记后', en: 'With the draft' },
  difference: { zh: '相差', en: 'Difference' },
  notify: { zh: '通知', en: 'Notify' },
  dispatch: { zh: '派单', en: 'Dispatch' },
  review: { zh: '人工复核', en: 'Review by a person' },
  suppressed: { zh: '冷却中，不通知', en: 'Within a cooldown, nobody told' },
  observed: { zh: '仅记录，不建任务', en: 'Only recorded, no task' },
  told: { zh: '其中会通知到人', en: 'Of these, somebody is told' },
  byRule: { zh: '由哪条规则决定', en: 'By rule' },
  noRule: { zh: '没有规则适用', en: 'No rule applies' },
  draft: { zh: '草稿', en: 'Draft' },
  example: { zh: '事件举例', en: 'Examples' },
  same: { zh: '不变', en: 'The same' },
  within: { zh: '{minutes} 分钟内接管', en: 'within {minutes} min' },
  judgedBelow: { zh: '机器研判置信度过低', en: 'judged below the threshold' },
});
