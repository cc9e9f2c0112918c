import type { Language } from '../../common/message.ts';

/** Codes of the answers of the site that a command may get. */
type Refusals = Readonly<
  Record<
    | 'validation_failed'
    | 'not_found'
    | 'key_exists'
    | 'nothing_to_confirm'
    | 'uplink_disabled'
    | 'uplink_out_of_step'
    | 'hub_unavailable'
    | 'storage_full',
    string
  >
>;

/** What all commands say that speak to the running site, and `disk`. */
const en = {
  missing: (option: string) => `${option} is missing`,
  silent: (socket: string) =>
    `the site does not answer at ${socket}; is it running, and with the same CORE_DATA_DIR?`,
  late: (socket: string) =>
    `the site is there at ${socket} and does not answer in time: it hangs, or is overwhelmed. What ` +
    'went wrong: fieldline-site logs',
  forbidden: (socket: string) => `${socket} may not be used by you; run it as root`,
  /**
   * What an error answer of the site means, by its code, before its message; null: the message says it all.
   */
  refused: null as Refusals | null,
  disk: {
    state: 'state',
    levels: { ok: 'room enough', short: 'short of room', full: 'full: events are refused' },
    room: 'left of all',
    store: 'store',
    reserve: 'reserve',
    told: 'more',
    waits: 'waits for you',
  },
  confirmed: 'Confirmed. A further half of what headquarters holds may be deleted here; it begins at once.',
};

const zh: typeof en = {
  missing: (option) => `缺少 ${option}`,
  silent: (socket) => `站点在 ${socket} 没有应答；请确认服务正在运行，且 CORE_DATA_DIR 与服务一致`,
  late: (socket) => `站点的 ${socket} 存在，但没有及时应答：程序停滞或过载。查看原因：fieldline-site logs`,
  forbidden: (socket) => `当前用户不能使用 ${socket}；请以 root 运行`,
  refused: {
    validation_failed: '填写有误',
    not_found: '没有这一项，请核对',
    key_exists: '密钥 ID 已被占用，请换一个',
    nothing_to_confirm: '没有待确认的删除',
    uplink_disabled: '未配置总部，请用 fieldline-site setup 配置',
    uplink_out_of_step: '正在与总部核对位置，请稍后再执行',
    hub_unavailable: '总部没有应答，未作任何处理，请稍后再执行',
    storage_full: '磁盘已满，没有保存',
  },
  disk: {
    state: '状态',
    levels: { ok: '空间充足', short: '空间不足', full: '已满：拒绝新事件' },
    room: '剩余/总量',
    store: '数据库',
    reserve: '预留',
    told: '详情',
    waits: '等待确认',
  },
  confirmed: '已确认。可再删除一半总部已有的数据，立即开始。',
};

export type CommandMessages = typeof en;
export const commandMessages: Record<Language, CommandMessages> = { en, zh };
