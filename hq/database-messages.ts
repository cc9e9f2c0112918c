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
  evidence_folder_other: sentences(
    [
      'The folder of evidence {folder} is not the one that the other hubs of this database have: mount ',
      'theirs there. Files of sites come in pieces to any hub, and are neither finished nor found ',
      'meanwhile. Is theirs lost for good: fieldline-hq migrate --new-evidence-folder.',
    ],
    [
      '取证目录 {folder} 不是使用同一数据库的其他总部服务所用的目录，请在该处挂载共享目录。',
      '站点文件会分片上传到任一服务，在此之前无法拼完，也无法查到。',
      '若原目录已彻底丢失，请执行 fieldline-hq migrate --new-evidence-folder。',
    ],
  ),
  originals_other: sentences(
    [
      'The originals of policy files lie elsewhere than {folder}, where this hub would have them: give it ',
      'the folder (CORE_DOC_DIR) or bucket of the other hubs, or copy the originals there with ',
      '.fieldline-originals. Until then nothing is uploaded, read or handed out here. Are they lost for ',
      'good: fieldline-hq migrate --new-originals.',
    ],
    [
      '制度原件不在本服务所用的 {folder}：请配置与其他总部服务相同的目录（CORE_DOC_DIR）或存储桶，',
      '或将原件连同 .fieldline-originals 复制到该处。在此之前，本服务无法上传、读取或提供原件。',
      '若原件已彻底丢失，请执行 fieldline-hq migrate --new-originals。',
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
