import { sentences } from '../../common/message.ts';

export const careMessages = {
  upAgain: sentences(
    'The service was restarted and is up, version {version}.',
    '服务已重启并正常运行，版本 {version}。',
  ),
};
