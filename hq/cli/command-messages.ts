import type { Language } from '../../common/message.ts';

/** What an error answer of the hub means, by its code. */
type Refusals = Readonly<Record<string, string>>;

/** What all commands say that speak to the running hub. */
const en = {
  silent: (socket: string) =>
    `the hub does not answer at ${socket}; is it running, and with the same CORE_DATA_DIR? ` +
    'See: systemctl status fieldline-hq',
  late: (socket: string) =>
    `the hub is there at ${socket} and does not answer in time: it hangs, or is overwhelmed. What ` +
    'went wrong: fieldline-hq logs',
  forbidden: (socket: string) => `${socket} may not be used by you; run it as root`,
  /** Before the message of the answer; null: the message says it all. */
  refused: null as Refusals | null,
  migrated: 'The database is at this version.',
};

const zh: typeof en = {
  silent: (socket) =>
    `总部服务在 ${socket} 没有应答；请确认服务正在运行，且 CORE_DATA_DIR 与服务一致。查看：systemctl status fieldline-hq`,
  late: (socket) => `总部服务的 ${socket} 存在，但没有及时应答：程序停滞或过载。查看原因：fieldline-hq logs`,
  forbidden: (socket) => `当前用户不能使用 ${socket}；请以 root 运行`,
  refused: {
    validation_failed: '填写有误',
    not_found: '没有这一项，请核对',
    key_exists: '名称已被占用，请换一个',
    site_exists: '站点已登记；请更换其密钥，或先移除',
    user_exists: '用户已存在，请换一个名称',
    unavailable: '暂不可用，请稍后再执行',
  },
  migrated: '数据库已是当前版本。',
};

export const commandMessages: Record<Language, typeof en> = { en, zh };
