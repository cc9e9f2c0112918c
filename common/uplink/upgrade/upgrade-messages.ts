import { sentences } from '../../message.ts';

/** Why a site does not install a version that headquarters wants, took it back, or is stuck. */
export const upgradeMessages = {
  upgrade_no_package: sentences(
    'the site did not come as a package of its system, so that nothing can exchange it',
    '站点不是以系统软件包安装的，无法由总部升级',
  ),
  upgrade_no_keys: sentences(
    'the site has no key of releases: {folder} holds none that root alone can change',
    '站点没有发布密钥：{folder} 中没有仅 root 可改的密钥',
  ),
  upgrade_signature: sentences(
    'none of the keys of the site has signed the release; it names the key {key}',
    '该发布不是由站点持有的密钥签名的；它声明的密钥为 {key}',
  ),
  upgrade_manifest: sentences(
    'what was signed is no release that this version reads',
    '签名内容不是本版本可读的发布',
  ),
  upgrade_architecture: sentences(
    'the release has no package for {architecture}',
    '该发布没有适用于 {architecture} 的软件包',
  ),
  upgrade_older: sentences('{wanted} is older than {runs}, which runs', '{wanted} 比正在运行的 {runs} 旧'),
  upgrade_no_room: sentences(
    'the disk is short: {needed} MB are needed and {free} MB are free',
    '磁盘空间不足：需要 {needed} MB，可用 {free} MB',
  ),
  upgrade_bytes: sentences(
    'what headquarters gave was {times} times not the package that was signed',
    '总部提供的内容有 {times} 次与签名的软件包不符',
  ),
  upgrade_nobody: sentences(
    [
      'the part of the system that installs did not begin within {minutes} minutes: ',
      'see fieldline-site-upgrade.path',
    ],
    '系统的安装部分在 {minutes} 分钟内没有开始：请查看 fieldline-site-upgrade.path',
  ),
  upgrade_handed: sentences(
    'the part of the system that installs does not take it: {said}',
    '系统的安装部分不接受：{said}',
  ),
  upgrade_not_installed: sentences('it could not be installed: {said}', '无法安装：{said}'),
  upgrade_not_ready: sentences(
    'it was not ready within {minutes} minutes: {said}',
    '{minutes} 分钟内未就绪：{said}',
  ),
  upgrade_no_write: sentences(
    'it was ready and wrote nothing within {minutes} minutes',
    '已就绪，但 {minutes} 分钟内没有写入数据',
  ),
  upgrade_no_contact: sentences(
    'it did not reach headquarters within {minutes} minutes',
    '{minutes} 分钟内未能联系上总部',
  ),
  upgrade_ended: sentences(
    'the machine stopped {times} times while it was tried',
    '试运行期间机器停止了 {times} 次',
  ),
  upgrade_stuck: sentences(
    'neither {wanted} nor {before} runs: {said}. The site goes on trying',
    '{wanted} 与 {before} 均无法运行：{said}。站点仍在重试',
  ),
  upgrade_saved_over: sentences(
    [
      '{why}. The data that it had changed were read over for the version before, ',
      'which names what it could not read',
    ],
    '{why}。被改动的数据已转存给原版本；未能读出的部分另有告警说明',
  ),
  upgrade_kept: sentences(
    '{why}. The data that it had changed were not read over, for want of room',
    '{why}。因空间不足，被改动的数据未能转存',
  ),
};
