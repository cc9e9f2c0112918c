import { sentences } from '../../common/message.ts';

/** What `ingest` and `index` say. */
export const libraryMessages = {
  badWatch: sentences(
    '--watch must be a number of seconds, 1 to 86400',
    '--watch 必须是 1 到 86400 之间的秒数',
  ),
  counts: sentences(
    '{read} files read, {unread} could not be read.',
    '已读取 {read} 个文件，{unread} 个无法读取。',
  ),
  notWorkedOff: sentences('{name}: not processed: {why}', '{name}：未处理：{why}'),
  unreadable: sentences('{name}: {note}', '{name}：{note}'),
  clauses: sentences('{name}: {count} clauses.{note}', '{name}：{count} 条。{note}'),
  states_absent: sentences('absent', '未生成'),
  states_building: sentences('building', '生成中'),
  states_ready: sentences('ready', '就绪'),
  states_failed: sentences('failed', '失败'),
  building: sentences(', being made', '，正在生成'),
  holds: sentences(
    '{files} files in force, {chunks} chunks, {vectors} vectors, {size}, change {change}',
    '{files} 个有效文件，{chunks} 个片段，{vectors} 个向量，{size}，变更号 {change}',
  ),
  built: sentences('made {at} in {ms} ms: {reason}', '生成于 {at}，用时 {ms} 毫秒：{reason}'),
  lastError: sentences('last error: {error}', '最近错误：{error}'),
};
