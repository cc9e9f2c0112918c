import { catalogue } from '../../../word/catalogue.ts';

/** What is said of the policies in force at a site. */
export const policyWords = catalogue({
  means: {
    zh: '站点按这些现行制度文件检索，断网时也一样；新的版本取回之前，仍按已有的回答。',
    en:
      'By these policies in force the site answers, also without a link; until a newer version has come, ' +
      'by those that it has.',
  },
  tenant: { zh: '租户', en: 'Tenant' },
  state: { zh: '状态', en: 'State' },
  here: { zh: '已在站点', en: 'There' },
  waiting: { zh: '等待站点取回', en: 'On their way' },
  refused: { zh: '站点未接受', en: 'Not taken' },
  nothing: { zh: '不下发到站点', en: 'None go there' },
  files: { zh: '文件', en: 'Files' },
  of: { zh: '{here} / 应有 {due}', en: '{here} of {due}' },
  clauses: { zh: '条款', en: 'Clauses' },
  since: { zh: '版本下达', en: 'Version told' },
  held: { zh: '站点确认', en: 'Site confirmed' },
  never: { zh: '尚未确认', en: 'not yet' },
  reason: { zh: '原因', en: 'Reason' },
  none: {
    zh: '没有制度文件下发到该站点，或您无权查看其租户的制度库',
    en: 'No policies go to this site, or the library of its tenants is not yours to see',
  },
});
