import { type Say, sentences } from '../../common/message.ts';

export const parkedMessages = {
  nothing: sentences('Nothing is parked.', '没有搁置的数据。'),
  more: sentences('… and more', '… 还有更多'),
  head: sentences(
    'CHANNEL | ID | STATE | TIMES | LAST | ERROR | REASON',
    '通道 | 编号 | 状态 | 次数 | 最近 | 错误 | 原因',
  ),
  refusedHead: sentences('CHANNEL | ID | ERROR | REASON', '通道 | 编号 | 错误 | 原因'),
  states_parked: sentences('parked', '搁置'),
  states_replayed: sentences('replayed', '已重发'),
  states_discarded: sentences('discarded', '已放弃'),
  noItem: sentences('no item {id} of {channel} is or was parked', '{channel} 中没有搁置过编号 {id}'),
  noId: sentences('{word} is not an id', '{word} 不是编号'),
  colon: sentences(': ', '：'),
  refused: sentences('refused', '拒收'),
  reason: sentences('reason', '原因'),
  once: sentences('once, {last}', '1 次，{last}'),
  times: sentences('{count} times, first {first}, last {last}', '{count} 次，首次 {first}，最近 {last}'),
  replayed: sentences(
    '{taken} taken by headquarters, {refused} refused again',
    '总部接收 {taken} 条，再次拒收 {refused} 条',
  ),
  discarded: sentences(
    'Given up: {channel} {id}. The audit keeps who decided so.',
    '已放弃：{channel} {id}。审计中留有决定人的记录。',
  ),
};

export type ParkedMessages = Say<typeof parkedMessages>;
