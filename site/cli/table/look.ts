import { JSON_OPTION, type Text } from '../../../common/terminal/command-table.ts';
import { siteCommand } from '../context.ts';

const HEALTH: Readonly<Record<number, Text>> = {
  0: { en: 'all is well', zh: '一切正常' },
  1: { en: 'somebody should look at it', zh: '需要查看' },
  2: { en: 'not well, or the site does not run', zh: '有故障，或站点未运行' },
};

/** Commands that only look. */
export const lookCommands = [
  siteCommand({
    name: 'status',
    summary: { en: 'tell how the site goes, on one screen', zh: '用一屏显示站点的状态' },
    options: {
      json: JSON_OPTION,
      watch: { summary: { en: 'again every 2 s, until Ctrl-C', zh: '每 2 秒刷新，按 Ctrl-C 结束' } },
    },
    exits: HEALTH,
    looks: true,
    run: async (typed, context) => (await import('../status/status.ts')).showStatus(typed, context),
  }),
  siteCommand({
    name: 'check',
    summary: { en: 'find what is wrong, and tell what to do', zh: '查找问题并说明处理方法' },
    description: {
      en:
        'Looks at the service, its data, disk, clock and store, and tries the way to headquarters. ' +
        'Where the site runs it is asked; otherwise its files are looked at.',
      zh: '检查服务、数据、磁盘、时钟和数据库，并测试到总部的链路。站点运行时询问站点，否则直接检查文件。',
    },
    options: { json: JSON_OPTION },
    exits: HEALTH,
    looks: true,
    run: async (typed, context) => (await import('../check.ts')).check(typed, context),
  }),
];
