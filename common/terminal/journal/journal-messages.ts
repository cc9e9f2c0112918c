import { sentences } from '../../message.ts';

export const journalMessages = {
  missing: sentences(
    [
      'there is no journalctl here: this machine keeps no journal of systemd. The log is what the ',
      'program writes on standard error; look where that goes.',
    ],
    '本机没有 journalctl，即没有 systemd 日志。日志就是程序的标准错误输出，请到其去向处查看。',
  ),
  refused: sentences(
    'the journal could not be read. Try again as root, or join the group systemd-journal.{said}',
    '无法读取日志。请以 root 身份重试，或加入 systemd-journal 组。{said}',
  ),
  none: sentences('The journal has nothing of {unit} that fits.', '日志中没有符合条件的 {unit} 记录。'),
};
