import { catalogue } from '../../word/catalogue.ts';

export const decisionWords = catalogue({
  markEffective: { zh: '标为有效', en: 'Mark effective' },
  withdraw: { zh: '废止', en: 'Withdraw' },
  supersede: { zh: '标为已被取代', en: 'Mark superseded' },
  cancel: { zh: '取消', en: 'Cancel' },
  means: { zh: '这意味着', en: 'What this means' },
  thisFile: { zh: '本文件', en: 'This file' },
  fileBefore: { zh: '现行版本', en: 'The version in force' },
  noneBefore: { zh: '没有现行版本会被取代。', en: 'No version in force is replaced.' },
  becomesEffective: {
    zh: '{count} 条条款可被检索和引用，有效期：{validity}。',
    en: '{count} clauses are found and may be cited. Valid: {validity}.',
  },
  becomesSuperseded: {
    zh: '变为“已被取代”：不再被检索到，旧引用核验为“已被取代”。',
    en: 'Becomes superseded: it is found no more, and what cites it is told so.',
  },
  becomesWithdrawn: {
    zh: '{count} 条条款不再被检索到，旧引用核验为“已废止”。没有新版本接替，也不能恢复为有效。',
    en: 'Its {count} clauses are found no more and must not be cited. It cannot be undone.',
  },
  becomesSupersededByHand: {
    zh: '{count} 条条款不再被检索到，旧引用核验为“已被取代”。不能恢复为有效。',
    en: 'Its {count} clauses are found no more and must not be cited. It cannot be undone.',
  },
  reviewed: { zh: '我已核对 {count} 条条款', en: 'I have read the {count} clauses' },
  missing: {
    zh: '条款之间缺少编号：{numbers}。可能有内容没有读到，或读进了其他条款。',
    en: 'Numbers missing between its clauses: {numbers}. They may not have been read, or stand in others.',
  },
  acceptMissing: {
    zh: '我已对照原件，原件中也没有这些编号',
    en: 'I have compared it with the original, which has none of these either',
  },
  reason: { zh: '原因', en: 'Reason' },
  reasonNeeded: { zh: '请填写废止原因', en: 'Say why it is withdrawn' },
  nowEffective: { zh: '已标为有效', en: 'It is effective now' },
  nowWithdrawn: { zh: '已废止', en: 'It is withdrawn' },
  nowSuperseded: { zh: '已标为被取代', en: 'It is marked superseded' },
  stale: {
    zh: '审核期间条款被重新提交，请重新核对',
    en: 'The clauses were submitted again meanwhile; read them anew',
  },
  moved: {
    zh: '文件状态已被他人改变，已刷新',
    en: 'Somebody changed its state first; you see it as it is now',
  },
});
