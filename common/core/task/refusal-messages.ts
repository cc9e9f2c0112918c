import { sentences } from '../../message.ts';

/** Why a site did not carry out what headquarters ordered on a task of it. */
export const orderRefusalMessages = {
  order_wrong_state: sentences(
    'the task is {state} there, from where it does not go to {to}',
    '任务在站点处于“{state}”，不能转为“{to}”',
  ),
  order_task_refused: sentences('the task refused it', '任务不接受该指令'),
  order_body_refused: sentences('the body was refused: {fault}', '任务内容被拒绝：{fault}'),
  order_too_many: sentences('the task holds as many of them as it can', '任务中的此类记录已达上限'),
  order_not_pushed: sentences(
    'only disposal and rectification tasks are pushed to the field',
    '只有处置和整改任务会下发现场',
  ),
  order_no_task: sentences('the site has no such task', '站点没有该任务'),
  order_event_gone: sentences('the event is not kept at the site any more', '站点已不再保存该事件'),
  order_not_understood: sentences(
    'this version of the site does not understand it ({where})',
    '站点的版本不支持该指令（{where}）',
  ),
  body_protected: sentences(
    '{path} is disposition evidence, which only the service writes',
    '{path} 是处置证据，只能由服务写入',
  ),
  body_deep: sentences('must not be nested more than {most} levels deep', '嵌套不能超过 {most} 层'),
  body_large: sentences(
    'must be at most {most} bytes as JSON; it is {bytes}',
    '作为 JSON 不能超过 {most} 字节，现为 {bytes} 字节',
  ),
  task_state_open: sentences('open', '待处理'),
  task_state_taken_over: sentences('taken_over', '已接管'),
  task_state_completed: sentences('completed', '已完成'),
  task_state_closed: sentences('closed', '已关闭'),
  task_state_cancelled: sentences('cancelled', '已取消'),
};
