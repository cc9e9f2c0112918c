import { sentences } from './message.ts';

/** What the system refuses of what a person asked for. `path` is the file, or what the system says of it. */
export const systemRefusals = {
  EACCES: sentences(
    [
      '{path} may not be used by the user {user}, as which this runs ({code}); give that user the right to ',
      'it, or name another place',
    ],
    '此命令以用户 {user} 运行，无权使用 {path}（{code}）；请为该用户授权，或换一个位置',
  ),
  EPERM: sentences(
    'the user {user}, as which this runs, may not do that with {path} ({code}); run it as root',
    '此命令以用户 {user} 运行，不允许对 {path} 这样做（{code}）；请以 root 身份执行',
  ),
  ENOENT: sentences('there is no {path} ({code})', '{path} 不存在（{code}）'),
  EEXIST: sentences(
    '{path} exists already ({code}); name another one, or move it away',
    '{path} 已存在（{code}）；请换一个名称，或先将其移走',
  ),
  EISDIR: sentences('{path} is a folder, not a file ({code})', '{path} 是文件夹，不是文件（{code}）'),
  ENOTDIR: sentences(
    'a part of {path} is a file, not a folder ({code})',
    '{path} 的路径中有一部分是文件，不是文件夹（{code}）',
  ),
  EROFS: sentences(
    [
      '{path} lies on a file system that takes no writes ({code}); dmesg says why: put another disk in its ',
      'place, or mount it for writing again',
    ],
    '{path} 所在的文件系统不可写（{code}）；原因见 dmesg：请更换磁盘，或重新以可写方式挂载',
  ),
  ENOSPC: sentences('there is no room left for {path} ({code})', '磁盘空间不足，无法写入 {path}（{code}）'),
  EADDRNOTAVAIL: sentences(
    'this machine does not have the address {path} ({code})',
    '本机没有地址 {path}（{code}）',
  ),
};

/** What `status` and `check` of either program say of the disk. */
export const diskRefusal = {
  diskRefuses: sentences(
    [
      'the disk under {dir} takes no writes ({code}): a worn-out or damaged one turns read-only; dmesg says ',
      'why. Put another in its place and restore a backup, or mount it for writing again, then restart the ',
      'service',
    ],
    [
      '{dir} 所在的磁盘不可写（{code}）：磨损或损坏的磁盘会变为只读，原因见 dmesg。请更换磁盘并从备份恢复，',
      '或重新以可写方式挂载，然后重启服务',
    ],
  ),
};
