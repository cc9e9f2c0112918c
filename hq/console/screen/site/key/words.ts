import { catalogue } from '../../../word/catalogue.ts';

export const words = catalogue({
  add: { zh: '登记站点', en: 'Register a site' },
  name: { zh: '站点名称', en: 'Name of the site' },
  nameHint: {
    zh: '网关用它来标识自己，以后不再改变，例如 tunnel-8',
    en: 'The gateway calls itself by it and it does not change later, such as tunnel-8',
  },
  displayName: { zh: '显示名称（可选）', en: 'Display name, if any' },
  displayNameHint: {
    zh: '各处代替编号显示，可随时更改',
    en: 'Shown in place of the name; may change at any time',
  },
  tenants: { zh: '租户', en: 'Tenants' },
  tenantsHint: { zh: '该站点可以上传这些租户的事件', en: 'Whose events the site may bring' },
  wanted: { zh: '必填', en: 'This is needed' },
  cancel: { zh: '取消', en: 'Cancel' },
  close: { zh: '已保存，关闭', en: 'I have it; close' },
  keys: { zh: '密钥', en: 'Keys' },
  keyId: { zh: '密钥编号', en: 'Key' },
  made: { zh: '生成时间', en: 'Made' },
  former: { zh: '旧密钥有效至', en: 'Former secret valid until' },
  none: {
    zh: '没有密钥：该站点不能连接总部',
    en: 'There is no key: the site cannot reach headquarters',
  },
  issue: { zh: '新增密钥', en: 'Make another key' },
  issueMeans: {
    zh: '现有密钥继续有效。适合先换新、再作废旧密钥。',
    en: 'The present keys go on working. Set the new one up at the site, then withdraw the old one.',
  },
  code: { zh: '生成接入码', en: 'Make a joining code' },
  codeMeans: {
    zh: '十分钟内有效的短码：网关用它自己取得新密钥，无需转交密文。',
    en: 'A short code for ten minutes: the gateway fetches a new key with it, and nobody carries a secret.',
  },
  codeTitle: { zh: '{site} 的接入码', en: 'The joining code of {site}' },
  codeOnce: {
    zh: '接入码只显示这一次，只能用一次。新的接入码会使之前的失效。',
    en: 'It is shown this once and is good once. A new code ends the one before.',
  },
  codeUntil: { zh: '有效至', en: 'It holds until' },
  codeFetches: {
    zh: '网关随即取得密钥、测试链路并保存。已有的密钥继续有效。',
    en: 'The gateway then fetches its key, tries the link and saves both. Keys that it has go on working.',
  },
  codeClose: { zh: '已告知站点人员，关闭', en: 'I passed it on; close' },
  rotate: { zh: '更换', en: 'Rotate' },
  rotateTitle: { zh: '更换密钥 {key}', en: 'Rotate the key {key}' },
  rotateMeans: {
    zh: '生成新的密文；旧密文在下面的时间内仍有效，请在此之前到现场设置新密文。',
    en:
      'A new secret is made. The present one works for the time below: set the new one up at the ' +
      'site before it ends.',
  },
  overlap: { zh: '旧密文继续有效（小时）', en: 'The present secret works on for (hours)' },
  withdraw: { zh: '作废', en: 'Withdraw' },
  withdrawTitle: { zh: '作废密钥 {key}？', en: 'Withdraw the key {key}?' },
  withdrawMeans: {
    zh: '立即生效。用它签名的数据从现在起被拒收；站点继续存储，换上其他密钥后补传。',
    en:
      'At once: what is signed with it is refused. The site goes on storing, and sends all of it ' +
      'when it has another key.',
  },
  lastKey: { zh: '这是该站点唯一的密钥。', en: 'It is the only key of this site.' },
  remove: { zh: '移除站点', en: 'Remove the site' },
  removeTitle: { zh: '移除站点 {site}？', en: 'Remove the site {site}?' },
  removeMeans: {
    zh: '它的密钥全部作废，从列表中消失。已上传的数据保留。',
    en: 'All of its keys are withdrawn and it leaves the list. What it brought stays.',
  },
  done: { zh: '已更新', en: 'Done' },
  secretTitle: { zh: '{site} 的密钥', en: 'The key of {site}' },
  once: {
    zh: '密文只显示这一次。请现在复制并通过安全渠道交给现场人员。',
    en: 'It is shown this once. Copy it now, and give it to the technician by a safe way.',
  },
  atSite: { zh: '现场人员在网关上输入', en: 'What the technician types at the gateway' },
  asks: { zh: '命令会询问密钥，粘贴：', en: 'It asks for the key; paste:' },
  address: {
    zh: '地址是您打开本页所用的地址；网关若走其他地址，请改为该地址。',
    en:
      'The address is the one at which you opened this page; change it where the gateway reaches ' +
      'headquarters by another.',
  },
});
