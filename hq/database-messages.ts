import { sentences } from '../common/message.ts';

/** Alarms of headquarters about its database as a whole. */
export const databaseMessages = {
  database_damaged: sentences(
    [
      'PostgreSQL cannot read a part of what it holds: {fault}. What lies there is neither shown nor ',
      'worked on; the rest goes on. Look at its log and at the disk, restore a backup or have the table ',
      'mended; then clear this alarm.',
    ],
    [
      'PostgreSQL 无法读取部分数据：{fault}。其中的内容无法显示和处理，其余照常。',
      '请检查其日志和磁盘，恢复备份或修复该表，然后清除本告警。',
    ],
  ),
  hub_restored: sentences(
    [
      'This database was put back at {at} from the backup of {made}. What was done here in between ',
      '(verdicts, tasks, users, settings) is not in it; sites send again what they still keep, and ',
      'what they ',
      'had deleted since is gone. Look through what matters, then clear this alarm.',
    ],
    [
      '本数据库已于 {at} 从 {made} 的备份恢复。其间在总部的操作（研判、任务、用户、设置）不在其中；',
      '站点会补传仍保留的数据，已删除的无法找回。请核对重要内容，然后清除此告警。',
    ],
  ),
  hub_database_other: sentences(
    [
      'This hub was started on another database than before; this one knows of {sites} ',
      '{sites|site|sites}. Where that was not intended, look at DATABASE_URL and at what became of the ',
      'database: sites that it does not know are refused, and keep what they have. Where it was, clear ',
      'this alarm.',
    ],
    [
      '总部改用了另一个数据库，其中登记了 {sites} 个站点。如非有意，请核对 DATABASE_URL，并查明原数据库的去向：',
      '未登记的站点会被拒绝，其数据留在站点。如系有意，请清除此告警。',
    ],
  ),
};
