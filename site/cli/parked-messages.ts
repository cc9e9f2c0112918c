import type { Language } from '../../common/message.ts';

const en = {
  nothing: 'Nothing is parked.',
  more: '… and more',
  head: ['CHANNEL', 'ID', 'STATE', 'TIMES', 'LAST', 'ERROR', 'REASON'],
  refusedHead: ['CHANNEL', 'ID', 'ERROR', 'REASON'],
  states: { parked: 'parked', replayed: 'replayed', discarded: 'discarded' },
  noItem: (id: number, channel: string) => `no item ${id} of ${channel} is or was parked`,
  noId: (word: string) => `${word} is not an id`,
  colon: ': ',
  refused: 'refused',
  reason: 'reason',
  once: (last: string) => `once, ${last}`,
  times: (count: number, first: string, last: string) => `${count} times, first ${first}, last ${last}`,
  replayed: (taken: number, refused: number) => `${taken} taken by headquarters, ${refused} refused again`,
  discarded: (channel: string, id: string) => `Given up: ${channel} ${id}. The audit keeps who decided so.`,
};

const zh: typeof en = {
  nothing: '没有搁置的数据。',
  more: '… 还有更多',
  head: ['通道', '编号', '状态', '次数', '最近', '错误', '原因'],
  refusedHead: ['通道', '编号', '错误', '原因'],
  states: { parked: '搁置', replayed: '已重发', discarded: '已放弃' },
  noItem: (id, channel) => `${channel} 中没有搁置过编号 ${id}`,
  noId: (word) => `${word} 不是编号`,
  colon: '：',
  refused: '拒收',
  reason: '原因',
  once: (last) => `1 次，${last}`,
  times: (count, first, last) => `${count} 次，首次 ${first}，最近 ${last}`,
  replayed: (taken, refused) => `总部接收 ${taken} 条，再次拒收 ${refused} 条`,
  discarded: (channel, id) => `已放弃：${channel} ${id}。审计中留有决定人的记录。`,
};

export type ParkedMessages = typeof en;
export const parkedMessages: Record<Language, ParkedMessages> = { en, zh };
