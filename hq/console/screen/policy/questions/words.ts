import { catalogue } from '../../../word/catalogue.ts';

/** What is said of questions without a certain answer. */
export const words = catalogue({
  about: {
    zh: '检索没有确定结果的问题。为不认识的词添加同义词，或补上缺少的制度，再试一次；不记录提问人。',
    en:
      'Questions to which searches had no certain answer. Add synonyms for words that are not known, or ' +
      'the rule that is missing, and try again. Who asked is not kept.',
  },
  open: { zh: '没有确定答案', en: 'No certain answer' },
  wrong: { zh: '答案有误', en: 'Marked wrong' },
  aboutWrong: {
    zh: '读者标为有误的答案。补上同义词或缺少的制度，再试一次；不显示提问人。',
    en:
      'Answers that their readers marked wrong. Add synonyms, or the rule that is missing, and try again. ' +
      'Who asked is not shown.',
  },
  noneWrong: { zh: '没有被标为有误的答案', en: 'No answer is marked wrong' },
  refused: { zh: '未回答', en: 'Not answered' },
  remark: { zh: '备注', en: 'Remark' },
  marked: { zh: '标记时间', en: 'Marked' },
  addRule: { zh: '上传制度', en: 'Add the rule' },
  sureWrong: {
    zh: '从清单中移除？仍保留在问答记录中，再次标为有误时会重新出现。',
    en: 'Take it off the list? It stays in the log, and comes back when it is marked wrong again.',
  },
  none: { zh: '没有未答的问题', en: 'No question is open' },
  question: { zh: '问题', en: 'Question' },
  nothingFound: { zh: '什么都没有找到', en: 'Nothing was found' },
  little: { zh: '只有相近的条款', en: 'Only clauses that are near it' },
  unknown: { zh: '库中没有的词', en: 'Words that no clause has' },
  times: { zh: '次数', en: 'Asked' },
  last: { zh: '最近提问', en: 'Last asked' },
  addSynonyms: { zh: '添加同义词', en: 'Add synonyms' },
  tryAgain: { zh: '再试', en: 'Try' },
  settle: { zh: '已处理', en: 'Settled' },
  sure: {
    zh: '从清单中移除？再次被问到而仍无确定结果时会重新出现。',
    en: 'Take it off the list? It comes back when it is asked again without a certain answer.',
  },
  settled: { zh: '已从清单中移除', en: 'It is off the list' },
});
