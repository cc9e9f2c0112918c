import { catalogue } from '../../word/catalogue.ts';

/** What is said of orders to the site that keeps a group. */
export const orderWords = catalogue({
  orders: { zh: '对站点 {site} 的下达', en: 'Orders to the site {site}' },
  none: {
    zh: '此组由该站点保管：在这里确认、拆分或合并，由站点执行，结果显示于此。',
    en: 'The site keeps this group: what you decide here is carried out there, and shown here.',
  },
  confirm: { zh: '确认归并', en: 'Confirm' },
  split: { zh: '拆分', en: 'Split' },
  merge: { zh: '合并', en: 'Merge' },
  unmerge: { zh: '撤销合并', en: 'Undo the merge' },
  pending: { zh: '等待站点执行', en: 'Waiting for the site' },
  done: { zh: '站点已执行', en: 'Done' },
  refused: { zh: '站点未执行', en: 'Refused' },
  unclear: { zh: '站点的答复无法读取', en: 'The answer cannot be read' },
  waits: {
    zh: '{by} 下达的“{what}”等待站点 {site} 执行；在此之前不能再更改此组。',
    en: '“{what}”, ordered by {by}, waits for the site {site}. Until then nothing else can be decided.',
  },
  wasRefused: {
    zh: '站点 {site} 未执行 {by} 下达的“{what}”。此组以站点为准，现状如下。',
    en: 'The site {site} refused “{what}”, ordered by {by}. You see the group as the site has it.',
  },
  isUnclear: {
    zh: '站点 {site} 对 {by} 下达的“{what}”的答复无法读取；是否已执行请看此组现状。',
    en: 'What {site} answered to “{what}”, ordered by {by}, cannot be read. See whether it was done.',
  },
  again: { zh: '按现状再次下达“{what}”', en: 'Order “{what}” again, as it is now' },
  leaveAsThere: { zh: '以站点为准，不再更改', en: 'Leave it as the site has it' },
  ordered: {
    zh: '已下达，等待站点 {site} 执行',
    en: 'Ordered: the site {site} carries it out once it is reached',
  },
  orderedFirst: {
    zh: '{who} 已先下达“{what}”，等待站点执行；请待其结果',
    en: '{who} was first: “{what}” is ordered and waits for the site',
  },
  changedMeanwhile: {
    zh: '您打开之后已有人更改此组，您的决定未执行。请看现状后再决定。',
    en: 'Somebody decided on it since you opened this. Nothing was changed; look at it as it is now.',
  },
});
