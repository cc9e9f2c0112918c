import { catalogue } from '../../word/catalogue.ts';

/** What is said of words that mean the same. */
export const synonymWords = catalogue({
  about: {
    zh: '一组词意思相同：问题中出现其中一个，含任何一个的条款都会找到，计分时只算一次。改动从下一次检索起生效。',
    en:
      'The words of a group mean the same: a question with one of them finds clauses with any of them, and ' +
      'the group counts once in the score. A change holds from the next search on.',
  },
  who: { zh: '有“管理制度”权限的人可以更改。', en: 'Whoever may manage policies may change them.' },
  own: { zh: '本租户的词组', en: 'Groups of this tenant' },
  shippedGroups: { zh: '随系统提供的施工词组', en: 'Groups for construction that are shipped' },
  words: { zh: '同义词', en: 'Words' },
  none: { zh: '还没有本租户的词组', en: 'This tenant has no group of its own' },
  noneFound: { zh: '没有含该词的词组', en: 'No group has this word' },
  find: { zh: '查找词', en: 'Find a word' },
  add: { zh: '添加词组', en: 'Add a group' },
  change: { zh: '修改', en: 'Change' },
  remove: { zh: '删除', en: 'Remove' },
  removeSure: {
    zh: '删除该词组？检索不再把这些词视为相同。',
    en: 'Remove this group? Searches no longer take its words for the same.',
  },
  save: { zh: '保存', en: 'Save' },
  hint: {
    zh: '2 至 20 个词，每个 2 至 32 个字；输入后按回车。同一个词只能在一个词组中。',
    en: '2 to 20 words of 2 to 32 characters each, with Enter after each. A word stands in one group only.',
  },
  two: { zh: '至少需要两个词', en: 'Two words at least' },
  shipped: { zh: '使用随系统提供的词组', en: 'Use the shipped groups' },
  shippedOff: { zh: '本租户未使用', en: 'This tenant does not use them' },
  setBy: { zh: '{who} 最后更改于', en: 'Last changed by {who}' },
  changed: { zh: '已保存，从下一次检索起生效', en: 'Saved; it holds from the next search on' },
  meanwhile: {
    zh: '其他人刚刚更改了词组，已重新载入，请再改一次。',
    en: 'Somebody else has changed the groups meanwhile. They were loaded again; make your change once more.',
  },
});
