import { JSON_OPTION } from '../../../common/terminal/command-table.ts';
import { siteCommand } from '../context.ts';

const BY = { value: 'NAME', required: true, summary: { en: 'who decides so', zh: '决定人' } } as const;
const NOTE = { value: 'TEXT', summary: { en: 'why', zh: '说明' } } as const;

/** The room for data, and the deletion that a person must allow. */
export const diskCommands = [
  siteCommand({
    name: 'disk status',
    summary: {
      en: 'tell what room there is, and what was deleted for lack of it',
      zh: '显示剩余空间和因空间不足删除的数据',
    },
    options: { json: JSON_OPTION },
    exits: {
      1: { en: 'the disk is short', zh: '空间不足' },
      2: { en: 'the disk is full, or the site does not run', zh: '磁盘已满，或站点未运行' },
    },
    looks: true,
    run: async (typed, context) => (await import('../disk.ts')).showDisk(typed, context),
  }),
  siteCommand({
    name: 'disk confirm',
    summary: { en: 'let more be deleted of what headquarters holds', zh: '允许继续删除总部已有的数据' },
    description: {
      en:
        'After a half went and the disk is still short, the site waits for this before a ' +
        'further half goes.',
      zh: '已删除一半而空间仍不足时，站点等待此确认后再删除一半。',
    },
    options: { by: BY, note: NOTE },
    run: async (typed, context) => (await import('../disk.ts')).confirmDisk(typed, context),
  }),
];
