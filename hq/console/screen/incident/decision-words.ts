import { catalogue } from '../../word/catalogue.ts';

/** What is said when a group is decided on. */
export const decisionWords = catalogue({
  leave: { zh: '不更改', en: 'Leave it as it is' },
  remark: { zh: '说明（可不填）', en: 'Note, if you like' },
  before: { zh: '现在', en: 'Now' },
  after: { zh: '之后', en: 'Then' },
  events: { zh: '{count} 条事件', en: '{count} events' },
  confirmTitle: { zh: '确认归并组 {id}', en: 'Confirm group {id}' },
  confirmMeans: {
    zh: '确认这些事件是同一件事，首次出现时间随之锁定。',
    en: 'These events are one matter. The time of its first appearance is locked.',
  },
  confirmed: { zh: '已确认', en: 'It is confirmed' },
  confirmedFirst: { zh: '{who} 已先行确认', en: '{who} had confirmed it first' },
  splitTitle: { zh: '从归并组 {id} 拆分', en: 'Split group {id}' },
  stays: { zh: '留在归并组 {id}', en: 'Stays in group {id}' },
  leaves: { zh: '成为新的归并组', en: 'Becomes a new group' },
  splitDone: { zh: '已拆分为归并组 {id}', en: 'It was split off as group {id}' },
  mergeTitle: { zh: '合并 {count} 组', en: 'Merge {count} groups' },
  mergeInto: { zh: '合并到哪一组？', en: 'Into which?' },
  staysOpen: { zh: '保留，之后共 {count} 条事件', en: 'stays, with {count} events then' },
  isClosed: { zh: '关闭，事件移入归并组 {id}', en: 'is closed; its events go to group {id}' },
  mergeDone: { zh: '已并入归并组 {id}', en: 'Merged into group {id}' },
  undo: { zh: '撤销合并归并组 {id}', en: 'Undo for group {id}' },
  end: { zh: '关闭', en: 'Close' },
  restored: { zh: '已恢复归并组 {id}', en: 'Group {id} is back' },
  unmergeTitle: { zh: '撤销归并组 {id} 的合并', en: 'Undo the merge of group {id}' },
  comesBack: {
    zh: '恢复归并组 {id}，取回其原有事件',
    en: 'Group {id} comes back with the events that it had',
  },
  givesBack: { zh: '归并组 {id} 交回这些事件', en: 'Group {id} gives them back' },
  mergedMeanwhile: {
    zh: '归并组 {id} 已先被他人并入归并组 {into}',
    en: 'Somebody was first: group {id} was merged into group {into}',
  },
  notMerged: { zh: '他人已先撤销此合并', en: 'Somebody else was first: the merge is undone already' },
  membersGone: {
    zh: '其事件此后已清除或拆分，无法恢复',
    en: 'Some of its events were cleared or split off since; it cannot come back',
  },
  oneKeeper: {
    zh: '由不同站点（或总部）保管的归并组不能合并：事件各自保存',
    en: 'Groups that different sites (or headquarters) keep cannot be merged: each keeps its own events',
  },
  oneLayer: {
    zh: '只能合并同一租户、同一层级的归并组',
    en: 'Only groups of one tenant and one layer can be merged',
  },
  notClosed: { zh: '已并入他组的不能再合并', en: 'A group that was merged away cannot be merged' },
});
