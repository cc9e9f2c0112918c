import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  title: { zh: '发布版本', en: 'Releases' },
  none: { zh: '还没有上传版本', en: 'No release was uploaded yet' },
  add: { zh: '上传版本', en: 'Add a release' },
  save: { zh: '上传', en: 'Upload' },
  version: { zh: '版本', en: 'Version' },
  packages: { zh: '安装包', en: 'Packages' },
  signed: { zh: '签名', en: 'Signature' },
  added: { zh: '上传时间', en: 'Added' },
  actions: { zh: '操作', en: 'Actions' },
  missing: { zh: '{architecture}：尚未上传', en: '{architecture}: not uploaded yet' },
  checked: { zh: '已用密钥 {key} 验证', en: 'checked with the key {key}' },
  unchecked: {
    zh: '总部未配置公钥，未验证（站点安装前会验证）；签名密钥 {key}',
    en: 'not checked here, as no public key is configured (each site checks it); signed with {key}',
  },
  inUse: { zh: '升级计划正在使用', en: 'a rollout needs it' },
  remove: { zh: '删除', en: 'Remove' },
  removeTitle: { zh: '删除版本 {version}', en: 'Remove the release {version}' },
  removeWhy: {
    zh: '安装包从总部删除，已安装的站点不受影响；以后需要时重新上传。',
    en: 'Its packages are deleted here. Sites that run it are not touched; to use it again, upload it again.',
  },
  removed: { zh: '已删除', en: 'Removed' },
  files: { zh: '签名文件和安装包', en: 'Signed document and packages' },
  drop: { zh: '点击或拖入 .release 和 .deb 文件', en: 'Click, or drop the .release and the .deb files' },
  filesHint: {
    zh: '一个 .release 文件，以及其中列出的 .deb 安装包；安装包也可以之后补传（再次选择同一个 .release）。',
    en:
      'One .release file, and the .deb packages that it names. Packages may follow later: choose the same ' +
      '.release again.',
  },
  documentNeeded: { zh: '请选择一个 .release 文件', en: 'Choose one .release file' },
  documentUnreadable: {
    zh: '{name} 不是 fieldline-release 生成的签名文件',
    en: '{name} is no signed document of fieldline-release',
  },
  strangePackage: {
    zh: '{name} 不在该版本的安装包之列：{known}',
    en: '{name} is none of the packages of this release: {known}',
  },
  sending: { zh: '正在上传 {name}', en: 'Uploading {name}' },
  whole: { zh: '版本 {version} 已完整上传', en: 'The release {version} is here whole' },
  partly: {
    zh: '版本 {version} 已登记，安装包尚不完整，补齐后才能升级',
    en: 'The release {version} is here, but not all of its packages: add them before it can be rolled out',
  },
});
