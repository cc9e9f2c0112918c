import { sentences } from '../../common/message.ts';

/** What `backup` and `restore` say. */
export const backupTexts = {
  fileExists: sentences(
    '{file} exists already; name a file that does not.',
    '{file} 已存在，请换一个文件名。',
  ),
  partsExist: sentences(
    [
      '{folder} is there: a backup to this file is being made, or one was broken off. Where ',
      'none runs, remove it and try again.',
    ],
    '{folder} 已存在：正在向该文件备份，或上次备份中断。确认没有备份在运行后，请将其删除再试。',
  ),
  noFolder: sentences('There is no folder {dir}.', '没有文件夹 {dir}。'),
  noFile: sentences('There is no file {file}.', '没有文件 {file}。'),
  made: sentences(
    '{file} holds the database as it was at one moment, {size}, with {events} events.',
    '{file} 含有某一时刻的完整数据库，{size}，共 {events} 条事件。',
  ),
  notNoted: sentences('It is not shown as the last backup: {reason}', '未能记为最近一次备份：{reason}'),
  byDump: sentences(
    [
      'The tables are in it as pg_dump {tool} wrote them; restore needs pg_restore of that ',
      'version or newer.',
    ],
    '数据表由 pg_dump {tool} 写成，恢复时需要该版本或更新的 pg_restore。',
  ),
  withSecrets: sentences(
    [
      'The keys of this hub are in it: whoever reads the file can act as the hub. Keep it ',
      'as you keep those.',
    ],
    '其中含有总部服务的密钥，得到该文件的人可以冒充总部；请像密钥一样保管。',
  ),
  keyElsewhere: sentences(
    [
      'The master key that CORE_MASTER_KEY_REF names is not in it, and nothing can be ',
      'restored without it.',
    ],
    'CORE_MASTER_KEY_REF 指定的主密钥不在其中，没有它无法恢复。',
  ),
  withoutSecrets: sentences(
    'The keys of this hub are not in it, and nothing can be restored without the master key.',
    '其中不含总部服务的密钥，没有主密钥无法恢复。',
  ),
  notIn: sentences(
    [
      'Not in it, to be copied too: the pictures of events in {evidence}, and the originals ',
      'of policy files in {originals}.',
    ],
    '以下不在其中，请另行复制：{evidence} 中的事件图片，{originals} 中的制度文件原件。',
  ),
  restored: sentences(
    'The database holds {events} events of {instance} again, as of {at}.',
    '数据库已恢复 {instance} 截至 {at} 的数据，共 {events} 条事件。',
  ),
  after: sentences(
    [
      'Start the hub: systemctl start fieldline-hq. It goes under a new epoch. Each site ',
      'compares its position, sends again what it still keeps and raises an alarm; what a ',
      'site has deleted since is told as a gap.\n',
      'Consumers that pull are told ',
      'cursor_epoch_changed and read anew. What was sent to cameras, channels and webhooks ',
      'after the backup may go out again, under the same keys.\n',
      'Look through what was ',
      'changed after the backup: keys and users that were withdrawn since are valid again, ',
      'and what was done here since (verdicts, tasks, rules, files) is gone.',
    ],
    [
      '请启动总部服务：systemctl start fieldline-hq。数据库换用新的标识（epoch）；各站点核对位置，重新上传仍保留的数据并告警，站点已删除的部分会作为缺口告警。\n',
      '拉取数据的使用方会收到 cursor_epoch_changed，须重新读取。备份之后发给摄像机、通知通道和 webhook 的内容可能再次发出，幂等键不变。\n',
      '请检查备份之后的改动：其后作废的密钥和停用的用户重新有效；其后在总部所做的研判、任务、规则和文件已不存在。',
    ],
  ),
};
