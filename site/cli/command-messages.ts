import { sentences } from '../../common/message.ts';

/** What all commands say that speak to the running site, and `disk`. */
export const commandMessages = {
  missing: sentences('{option} is missing', '缺少 {option}'),
  silent: sentences(
    'the site does not answer at {socket}; is it running, and with the same CORE_DATA_DIR?',
    '站点在 {socket} 没有应答；请确认服务正在运行，且 CORE_DATA_DIR 与服务一致',
  ),
  late: sentences(
    [
      'the site is there at {socket} and does not answer in time: it hangs, or is overwhelmed. ',
      'What went wrong: fieldline-site logs',
    ],
    '站点的 {socket} 存在，但没有及时应答：程序停滞或过载。查看原因：fieldline-site logs',
  ),
  forbidden: sentences(
    '{socket} may not be used by you; run it as root',
    '当前用户不能使用 {socket}；请以 root 运行',
  ),
  // What an error answer means, by its code: its own message says it all in English.
  refused_validation_failed: sentences('{said}', '填写有误（{said}）'),
  refused_not_found: sentences('{said}', '没有这一项，请核对（{said}）'),
  refused_key_exists: sentences('{said}', '密钥 ID 已被占用，请换一个（{said}）'),
  refused_nothing_to_confirm: sentences('{said}', '没有待确认的删除（{said}）'),
  refused_uplink_disabled: sentences('{said}', '未配置总部，请用 fieldline-site setup 配置（{said}）'),
  refused_uplink_out_of_step: sentences('{said}', '正在与总部核对位置，请稍后再执行（{said}）'),
  refused_hub_unavailable: sentences('{said}', '总部没有应答，未作任何处理，请稍后再执行（{said}）'),
  refused_storage_full: sentences('{said}', '磁盘已满，没有保存（{said}）'),
  state: sentences('state', '状态'),
  level_ok: sentences('room enough', '空间充足'),
  level_short: sentences('short of room', '空间不足'),
  level_full: sentences('full: events are refused', '已满：拒绝新事件'),
  room: sentences('left of all', '剩余/总量'),
  store: sentences('store', '数据库'),
  reserve: sentences('reserve', '预留'),
  told: sentences('more', '详情'),
  waits: sentences('waits for you', '等待确认'),
  confirmed: sentences(
    'Confirmed. A further half of what headquarters holds may be deleted here; it begins at once.',
    '已确认。可再删除一半总部已有的数据，立即开始。',
  ),
};
