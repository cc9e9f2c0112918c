import { catalogue } from '../../word/catalogue.ts';

/** What keys of consumers and tokens of clients open. */
export const scopeWords = catalogue({
  scopes: { zh: '可以做什么', en: 'What it opens' },
  'events.pull': { zh: '拉取并确认事件', en: 'Pull and confirm events' },
  'events.read': { zh: '查询事件', en: 'Read events' },
  'evidence.read': { zh: '读取证据图片', en: 'Read evidence' },
  'timeline.read': { zh: '读取时间线', en: 'Read timelines' },
  'stats.read': { zh: '读取统计', en: 'Read statistics' },
  'verdicts.write': { zh: '提交研判和更正', en: 'Write verdicts and corrections' },
  'tasks.read': { zh: '读取任务', en: 'Read tasks' },
  'tasks.write': { zh: '处理任务', en: 'Work on tasks' },
  'incidents.read': { zh: '读取事件组', en: 'Read incident groups' },
  'incidents.write': { zh: '写入事件组', en: 'Write incident groups' },
  'datasets.read': { zh: '读取数据集', en: 'Read datasets' },
  'policy.search': { zh: '检索制度库', en: 'Search the policy library' },
  'policy.cite': { zh: '核对引用', en: 'Check citations' },
  'policy.log': { zh: '记录问答', en: 'Log answers' },
});
