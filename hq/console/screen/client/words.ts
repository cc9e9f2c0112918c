import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  none: {
    zh: '尚无客户端。创建后，第三方可凭 client_id 和密钥读取项目快照。',
    en: 'No client yet. With one, a third party reads snapshots of projects by its client_id and secret.',
  },
  create: { zh: '新建客户端', en: 'New client' },
  created: { zh: '客户端已创建', en: 'The client is created' },
  lastUsed: { zh: '最近使用', en: 'Last used' },
  neverUsed: { zh: '从未使用', en: 'Never' },
  heldUp: {
    zh: '密钥错误过多，拒绝来自 {ip} 的请求，至',
    en: 'Too many wrong secrets from {ip}; refused until',
  },
  lift: { zh: '解除拒绝', en: 'Lift the refusal' },
  liftedDone: { zh: '已解除', en: 'Lifted' },
  edit: { zh: '编辑客户端', en: 'Edit the client' },
  id: { zh: 'client_id', en: 'client_id' },
  secret: { zh: 'client_secret', en: 'client_secret' },
  tokenHint: {
    zh: '换取令牌：POST /open/v1/oauth/token，请求头 X-Tenant-Code: {tenant}',
    en: 'For a token: POST /open/v1/oauth/token with the header X-Tenant-Code: {tenant}',
  },
  rotated: { zh: '已更换密钥', en: 'The secret is new' },
  rotateWhy: {
    zh: '新密钥立即可用。旧密钥在下面选定的时间后失效；已发出的令牌不受影响。',
    en:
      'The new secret works at once. The old one ends after the time below; tokens ' +
      'that were given stay valid.',
  },
  disable: { zh: '停用“{name}”？', en: 'Disable “{name}”?' },
  disableWhy: {
    zh: '它的令牌立即失效，也不能再换取新令牌。重新启用后须重新换取。',
    en:
      'Its tokens end at once, and it gets no new ones. Once it is enabled again it ' +
      'must fetch a new token.',
  },
  disabledDone: { zh: '已停用', en: 'Disabled' },
  enabledDone: { zh: '已启用', en: 'Enabled' },
  remove: { zh: '删除“{name}”？', en: 'Delete “{name}”?' },
  removeWhy: {
    zh: '不可撤销。它的令牌立即失效，使用它的系统将无法读取。',
    en: 'This cannot be undone. Its tokens end at once, and the system that uses it reads nothing more.',
  },
  removed: { zh: '已删除', en: 'Deleted' },
});
