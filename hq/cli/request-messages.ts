import { sentences } from '../../common/message.ts';

export const requestMessages = {
  asked: sentences(
    '{instance} is asked ({id}); the answer comes when it has a link.',
    '已向 {instance} 提出请求（{id}），站点联通后答复。',
  ),
  notYet: sentences(
    'No answer yet. Look later with: fieldline-hq site answer {instance} {id}',
    '尚未答复。稍后查看：fieldline-hq site answer {instance} {id}',
  ),
  saved: sentences('{file} holds {name}, {size} bytes.', '{file} 已写入 {name}，共 {size} 字节。'),
  fileComing: sentences(
    '{name} is coming: {held} of {size} bytes are here.',
    '{name} 正在上传：已收到 {held} / {size} 字节。',
  ),
  fileHere: sentences(
    '{name} is here. Save it with: fieldline-hq site answer {instance} {id} --file FILE',
    '{name} 已收到。保存：fieldline-hq site answer {instance} {id} --file 文件',
  ),
  fileExists: sentences('{file} is there already; it is not overwritten', '{file} 已存在，不会覆盖'),
  noFile: sentences('this answer has no file that is here whole', '该答复没有已完整收到的文件'),
  ended: sentences('{state}: {reason}', '{state}：{reason}'),
  withdrawn: sentences(
    '{id} is withdrawn; it never went to {instance}.',
    '{id} 已撤回，未下发到 {instance}。',
  ),
  withdrawnLate: sentences(
    '{id} is withdrawn. It was sent, so {instance} may have carried it out; an answer that comes is kept.',
    '{id} 已撤回。该请求已下发，{instance} 可能已执行；之后到达的答复会保存。',
  ),
  noReason: sentences('no reason was given', '未说明原因'),
  none: sentences('{instance} was asked nothing.', '尚未向 {instance} 提出请求。'),
  off: sentences(
    'The owner of {instance} has switched looking in off (CORE_REMOTE_CARE=off there).',
    '{instance} 的所有者已关闭远程查看（站点设置 CORE_REMOTE_CARE=off）。',
  ),
  head: sentences('ID | WHAT | STATE | ASKED | BY | REASON', '编号 | 内容 | 状态 | 提出时间 | 提出人 | 原因'),
  states_waiting: sentences('waits here', '在总部等待'),
  states_sent: sentences('sent', '已下发'),
  states_late: sentences('sent, no answer in time', '已下发，逾期未答复'),
  states_done: sentences('answered', '已答复'),
  states_failed: sentences('failed', '失败'),
  states_refused: sentences('refused', '被拒绝'),
  states_expired: sentences('expired', '已过期'),
  states_withdrawn: sentences('withdrawn', '已撤回'),
};
