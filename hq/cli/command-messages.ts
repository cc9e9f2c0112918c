import type { Language } from '../../common/message.ts';

/** What all commands say that speak to the running hub. */
const en = {
  silent: (at: string) => `the hub does not answer at ${at}; is it running, and with the same CORE_LISTEN?`,
  migrated: 'The database is at this version.',
};

const zh: typeof en = {
  silent: (at) => `总部服务在 ${at} 没有应答；请确认服务正在运行，且 CORE_LISTEN 与服务一致`,
  migrated: '数据库已是当前版本。',
};

export const commandMessages: Record<Language, typeof en> = { en, zh };
