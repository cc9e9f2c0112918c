import { sentences } from '../../message.ts';

export const adminKeyMessages = {
  made: sentences(
    [
      'The admin key {name}, shown this once. It grants full access; keep it where only its ',
      'holder reads it.\n',
      '\n',
      '  {secret}\n',
    ],
    ['管理密钥 {name}，只显示这一次。它拥有全部权限，请仅由持有人保管。\n', '\n', '  {secret}\n'],
  ),
  head: sentences(
    'NAME | SINCE | LAST USED | FROM | OLD SECRET UNTIL',
    '名称 | 创建时间 | 最近使用 | 来源 | 旧密钥有效至',
  ),
  configured: sentences('of the configuration', '来自配置'),
  never: sentences('never', '从未'),
  none: sentences(
    'There is no admin key but that of the configuration, which was not used yet.',
    '除配置中的管理密钥外没有其他管理密钥，且其尚未使用过。',
  ),
  ended: sentences(
    'The old secret is no longer valid, and the sessions opened with it have ended.',
    '旧密钥及用它登录的会话已失效。',
  ),
  overlap: sentences('The old secret stays valid for {hours} hours.', '旧密钥在 {hours} 小时内仍有效。'),
  removed: sentences(
    '{name} is withdrawn; it is no longer valid, and its sessions have ended.\n',
    '{name} 已撤销，不再有效，其会话已结束。\n',
  ),
};
