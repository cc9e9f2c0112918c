import { sentences } from '../../../common/message.ts';

export const releaseMessages = {
  notRead: sentences('{file} cannot be read: {reason}', '无法读取 {file}：{reason}'),
  noDocument: sentences(
    '{file} is no signed document of a release, as fieldline-release makes it',
    '{file} 不是 fieldline-release 生成的已签名版本文件',
  ),
  added: sentences('The release {version} is here.', '版本 {version} 已添加。'),
  sent: sentences('{name}: sent, {size} bytes.', '{name}：已上传，{size} 字节。'),
  there: sentences('{name}: it is here already.', '{name}：已存在。'),
  missing: sentences(
    '{name} is not beside the document; put it there and run this again.',
    '同一目录中没有 {name}；请放入后重新执行。',
  ),
  checked: sentences('Its signature was checked with the key {key}.', '签名已用公钥 {key} 核对。'),
  unchecked: sentences(
    'Its signature was not checked here (CORE_RELEASE_KEYS); each site checks it.',
    '总部未核对签名（CORE_RELEASE_KEYS）；各站点会自行核对。',
  ),
  removed: sentences('The release {version} is deleted.', '版本 {version} 已删除。'),
  none: sentences('There are no releases.', '没有版本包。'),
  head: sentences(
    'VERSION | ADDED | BY | SIGNATURE | PACKAGES | USE',
    '版本 | 添加时间 | 添加人 | 签名 | 安装包 | 使用',
  ),
  signedBy: sentences('checked ({key})', '已核对（{key}）'),
  notChecked: sentences('not checked ({key})', '未核对（{key}）'),
  whole: sentences('{names}', '{names}'),
  partly: sentences('{names}; missing: {missing}', '{names}；缺 {missing}'),
  inUse: sentences('in a rollout', '升级中'),
};
