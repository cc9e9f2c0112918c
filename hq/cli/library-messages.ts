import type { Language } from '../../common/message.ts';

/** What `ingest` and `index` say. */
const en = {
  badWatch: '--watch must be a number of seconds, 1 to 86400',
  counts: (read: number, unread: number) => `${read} files read, ${unread} could not be read.`,
  notWorkedOff: (name: string, why: string) => `${name}: not processed: ${why}`,
  unreadable: (name: string, note: string) => `${name}: ${note}`,
  clauses: (name: string, count: number, note: string) => `${name}: ${count} clauses.${note}`,
  states: {} as Readonly<Record<string, string>>,
  building: ', being made',
  holds: (files: number, chunks: number, vectors: number, size: string, change: number) =>
    `${files} files in force, ${chunks} chunks, ${vectors} vectors, ${size}, change ${change}`,
  built: (at: string, ms: number, reason: string) => `made ${at} in ${ms} ms: ${reason}`,
  lastError: (error: string) => `last error: ${error}`,
};

const zh: typeof en = {
  badWatch: '--watch 必须是 1 到 86400 之间的秒数',
  counts: (read, unread) => `已读取 ${read} 个文件，${unread} 个无法读取。`,
  notWorkedOff: (name, why) => `${name}：未处理：${why}`,
  unreadable: (name, note) => `${name}：${note}`,
  clauses: (name, count, note) => `${name}：${count} 条。${note}`,
  states: { absent: '未生成', building: '生成中', ready: '就绪', failed: '失败' },
  building: '，正在生成',
  holds: (files, chunks, vectors, size, change) =>
    `${files} 个有效文件，${chunks} 个片段，${vectors} 个向量，${size}，变更号 ${change}`,
  built: (at, ms, reason) => `生成于 ${at}，用时 ${ms} 毫秒：${reason}`,
  lastError: (error) => `最近错误：${error}`,
};

export const libraryMessages: Record<Language, typeof en> = { en, zh };
