import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  none: {
    zh: '尚未配置回调。创建后，业务事件会推送到对方地址。',
    en: 'No callback yet. Create one, and business events are pushed to its address.',
  },
  create: { zh: '新建回调', en: 'New callback' },
  created: { zh: '回调已创建', en: 'The callback is created' },
  edit: { zh: '编辑回调', en: 'Edit the callback' },
  name: { zh: '名称', en: 'Name' },
  url: { zh: '回调地址', en: 'Callback URL' },
  urlHint: {
    zh: '以 https:// 或 http:// 开头；生产环境请用 https。',
    en: 'Begins with https:// or http://; use https in production.',
  },
  urlFault: { zh: '须以 http:// 或 https:// 开头', en: 'Must begin with http:// or https://' },
  unencrypted: { zh: '未加密', en: 'Not encrypted' },
  unencryptedWhy: {
    zh: '地址为 http://，内容在途中可被读取。',
    en: 'The address is http://: what is sent can be read on its way.',
  },
  events: { zh: '订阅事件', en: 'Subscribed events' },
  allWhy: {
    zh: '订阅了全部事件，包括以后新增的类型。若只需一种，请编辑。',
    en: 'It is sent every event, kinds that come later too. Edit it if it needs only one.',
  },
  secret: { zh: '签名密钥', en: 'Signing secret' },
  secretHint: {
    zh: '8 至 256 个可见英文字符；留空则自动生成。接收方用它验证签名。',
    en: '8 to 256 visible ASCII characters; left empty, one is made. The receiver verifies with it.',
  },
  secretFault: { zh: '8 至 256 个可见英文字符，无空格', en: '8 to 256 visible ASCII characters, no blanks' },
  lastDay: { zh: '近 24 小时投递', en: 'Last 24 hours' },
  delivered: { zh: '成功 {count}', en: '{count} delivered' },
  failed: { zh: '失败 {count}', en: '{count} failed' },
  waiting: { zh: '等待 {count}', en: '{count} waiting' },
  noneToday: { zh: '无', en: 'none' },
  failures: { zh: '连续失败 {count} 次', en: '{count} failures in a row' },
  disabledBy: { zh: '{who} 停用：{reason}', en: 'By {who}: {reason}' },
  noReason: { zh: '未写明原因', en: 'no reason given' },
  actions: { zh: '操作', en: 'Actions' },
  test: { zh: '发送测试', en: 'Send a test' },
  tested: { zh: '测试事件已排队发送', en: 'The test is on its way' },
  deliveries: { zh: '投递记录', en: 'Deliveries' },
  recover: { zh: '补发遗漏', en: 'Send what was missed' },
  recoverWhy: {
    zh: '把此时间之后没有成功、也不在等待的事件重新投递。最多 14 天，每次最多 1000 条。',
    en:
      'Delivers again what did not succeed and does not wait since this time: 14 days ' +
      'back at most, 1,000 events at once.',
  },
  since: { zh: '起始时间', en: 'Since' },
  queued: { zh: '已排队 {count} 条', en: '{count} are on their way' },
  queuedMore: {
    zh: '已排队 {count} 条，还有更多：完成后请再补发一次',
    en: '{count} are on their way and there are more: do it again afterwards',
  },
  rotated: { zh: '已更换签名密钥', en: 'The signing secret is new' },
  rotateWhy: {
    zh: '在旧密钥失效之前，每次推送同时带两个签名，接收方可从容更换。',
    en: 'Until the old secret ends every push is signed with both, so that the receiver can change over.',
  },
  disable: { zh: '停用“{name}”？', en: 'Disable “{name}”?' },
  disableWhy: {
    zh: '不再推送任何事件；正在等待的投递以失败结束。重新启用后可用“补发遗漏”找回。',
    en:
      'It is sent nothing more, and what waits ends as failed. Enable it again and ' +
      'send what was missed to bring that back.',
  },
  reason: { zh: '原因', en: 'Why' },
  reasonHint: { zh: '会显示在列表中', en: 'Is shown in the list' },
  disabledDone: { zh: '已停用', en: 'Disabled' },
  enabledDone: { zh: '已启用', en: 'Enabled' },
  remove: { zh: '删除“{name}”？', en: 'Delete “{name}”?' },
  removeWhy: {
    zh: '不可撤销。正在等待的投递以失败结束，投递记录不再可查。',
    en: 'This cannot be undone. What waits ends as failed, and its deliveries can no longer be looked at.',
  },
  removed: { zh: '已删除', en: 'Deleted' },
  back: { zh: '返回回调列表', en: 'Back to the callbacks' },
  id: { zh: '编号', en: 'Id' },
});
