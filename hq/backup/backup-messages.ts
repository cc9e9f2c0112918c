import { type MessageOf, sentences } from '../../common/message.ts';

/** Why a file cannot be restored. Nothing was changed. */
export const backupMessages = {
  no_backup: sentences('{file} is not a backup of fieldline-hq.', '{file} 不是 fieldline-hq 的备份。'),
  damaged: sentences(
    '{file} is damaged or not whole: {reason}. Take another backup.',
    '{file} 已损坏或不完整：{reason}。请换一份备份。',
  ),
  no_room: sentences(
    'Restoring needs {needed} MB in {dir}, and {free} MB are free; nothing was changed.',
    '恢复需要 {dir} 有 {needed} MB 空间，目前仅剩 {free} MB；未做任何改动。',
  ),
  not_empty: sentences(
    [
      'The database holds tables already ({table}). A backup goes into an empty database alone: make a new ',
      'one and name it in DATABASE_URL, or, where the hub runs its own Postgres, stop the hub and move ',
      '{own} away.',
    ],
    [
      '数据库中已有数据表（{table}）。备份只能恢复到空数据库：请新建数据库并写入 DATABASE_URL；',
      '使用内置 Postgres 时，请先停止总部服务并移走 {own}。',
    ],
  ),
  newer: sentences(
    [
      'The backup was made with the migration {migration}, which this version does not have; install ',
      'version {version} or a newer one first.',
    ],
    '备份含有本版本没有的数据库迁移 {migration}，请先安装 {version} 或更新的版本。',
  ),
  no_tool: sentences(
    [
      'The tables are in it as pg_dump {dump} wrote them, and pg_restore {major} or newer is not here: ',
      'apt install postgresql-client. A backup made with --copy needs no tools.',
    ],
    [
      '其中的数据表由 pg_dump {dump} 写成，而本机没有 pg_restore {major} 或更新的版本：',
      '请执行 apt install postgresql-client。用 --copy 制作的备份不需要这些工具。',
    ],
  ),
  other_tables: sentences(
    'The backup does not go with this version: {table} has other columns here.',
    '备份与本版本不符：{table} 的列不同。',
  ),
  key_missing: sentences(
    [
      'The secrets in the database are sealed with a master key that is not in the backup and not here; put ',
      'it into {file}, or name it in CORE_MASTER_KEY_REF.',
    ],
    '数据库中的密钥由主密钥加密，而备份和本机都没有该主密钥；请将其放到 {file}，或写入 CORE_MASTER_KEY_REF。',
  ),
  other_key: sentences(
    [
      'The secrets in the database are sealed with another master key than the one here; name that one in ',
      'CORE_MASTER_KEY_REF, or move {file} away.',
    ],
    '数据库中的密钥由另一主密钥加密；请在 CORE_MASTER_KEY_REF 中指定该密钥，或移走 {file}。',
  ),
} as const;

/** Why the tables of a backup went by COPY, and not by `pg_dump`. */
export const copyReasons = {
  no_pg_dump: sentences(
    'The tables are in it by COPY: pg_dump is not installed (apt install postgresql-client).',
    '数据表用 COPY 写入：未安装 pg_dump（apt install postgresql-client）。',
  ),
  old_pg_dump: sentences(
    'The tables are in it by COPY: pg_dump {tool} is older than the server, which is {server}.',
    '数据表用 COPY 写入：pg_dump {tool} 比服务器 {server} 旧。',
  ),
  failed_pg_dump: sentences(
    'The tables are in it by COPY, for pg_dump failed: {said}',
    '数据表用 COPY 写入，因为 pg_dump 失败：{said}',
  ),
} as const;

export type CopyReason = MessageOf<typeof copyReasons>;
export type BackupFault = MessageOf<typeof backupMessages>;
