import { sentences } from '../../common/message.ts';

/** Alarms of an upgrade that headquarters had wanted. `why` is a message of `upgradeMessages`. */
export const upgradeAlarmMessages = {
  upgrade_taken_back_alarm: sentences(
    'Version {wanted} was tried and taken back: {why}. {runs} runs again.',
    '版本 {wanted} 试运行后已退回：{why}。现运行 {runs}。',
  ),
  upgrade_stuck_alarm: sentences(
    'Version {wanted} does not run here, and the way back is not through yet: {why}. {runs} said this.',
    '版本 {wanted} 无法在本站运行，退回尚未完成：{why}。此消息来自 {runs}。',
  ),
  upgrade_unsaid: sentences('nothing was said of why', '原因未知'),
};
