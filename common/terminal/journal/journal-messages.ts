import type { Language } from '../../message.ts';

const en = {
  missing:
    'there is no journalctl here: this machine keeps no journal of systemd. The log is what the program ' +
    'writes on standard error; look where that goes.',
  refused: (said: string) =>
    `the journal could not be read. Try again as root, or join the group systemd-journal.${said}`,
  none: (unit: string) => `The journal has nothing of ${unit} that fits.`,
};

const zh: typeof en = {
  missing: '本机没有 journalctl，即没有 systemd 日志。日志就是程序的标准错误输出，请到其去向处查看。',
  refused: (said) => `无法读取日志。请以 root 身份重试，或加入 systemd-journal 组。${said}`,
  none: (unit) => `日志中没有符合条件的 ${unit} 记录。`,
};

export const journalMessages: Record<Language, typeof en> = { en, zh };
