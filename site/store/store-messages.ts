import { type MessageOf, sentences } from '../../common/message.ts';

/** Why a store cannot be opened, or not be put in the place of the one that is there. */
export const storeMessages = {
  site_runs: sentences(
    [
      'the store is in use by another process, which holds {file}: fieldline-site is running. ',
      'Stop it first: systemctl stop fieldline-site',
    ],
    '站点正在运行（占用 {file}），请先停止：systemctl stop fieldline-site',
  ),
  no_backup: sentences(
    '{file} is neither a backup of fieldline-site nor a copy of its store.',
    '{file} 既不是 fieldline-site 的备份，也不是其数据库副本。',
  ),
  not_restorable: sentences(
    '{file} cannot be restored: {reason}.',
    '{file} 不完整或不是 fieldline-site 的备份，无法恢复：{reason}。',
  ),
  no_room: sentences(
    'Restoring needs {needed} MB in the data folder, and {free} MB are free; nothing was changed.',
    '恢复需要数据目录有 {needed} MB 空间，目前仅剩 {free} MB；未做任何改动。',
  ),
  no_store: sentences('This is not a store of fieldline-site.', '这不是 fieldline-site 的数据库。'),
  store_newer: sentences(
    [
      'This store was written by a newer version of this program (schema {version}, this program knows ',
      '{known}); ',
      'install that version first.',
    ],
    '数据库由更新的版本写入（版本 {version}，本程序最高支持 {known}），请先安装该版本。',
  ),
  store_of_trial: sentences(
    [
      'This store was made by 0.1.0 or another trial version of fieldline-site (its first migration is ',
      '{theirs}, not {ours}), and stores of those are not taken over. Nothing was changed. Go on with the ',
      'version that made it; or stop fieldline-site, move site.db and the files whose names begin with ',
      'site.db out of the data folder, and start it again: it begins an empty store.',
    ],
    [
      '该数据库由 0.1.0 或其他试用版 fieldline-site 创建（其首个迁移为 {theirs}，而非 {ours}），不予接管。',
      '未做任何改动。请继续使用创建它的版本；或停止 fieldline-site，将 site.db 及以 site.db 开头的文件移出数据目录，',
      '再重新启动，程序将建立空数据库。',
    ],
  ),
  store_too_new: sentences(
    [
      'The store was written by a newer version of this program (schema {version}, which needs at least ',
      '{needed}; this program knows {known}). ',
      'Install the newer version again, or restore a backup made before the upgrade.',
    ],
    '数据库由更新的版本写入（版本 {version}，至少需要 {needed}，本程序最高支持 {known}）。请重新安装该新版本，或恢复升级前的备份。',
  ),
  not_openable: sentences(
    [
      '{file} cannot be opened. It must be a file that the user of fieldline-site may read and write: ',
      'move away what is there now, or put its owner right.',
    ],
    '无法打开 {file}。它必须是 fieldline-site 的用户可读写的文件：请移走现有内容，或改正其属主。',
  ),
  copy_damaged: sentences('This copy is damaged: {reason}.', '该副本已损坏，请换一个备份：{reason}。'),
};

export type StoreFault = MessageOf<typeof storeMessages>;
