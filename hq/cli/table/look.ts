import { JSON_OPTION, type Text } from '../../../common/terminal/command-table.ts';
import { hubCommand } from '../context.ts';

const HEALTH: Readonly<Record<number, Text>> = {
  0: { en: 'all is well', zh: '一切正常' },
  1: { en: 'somebody should look at it', zh: '需要查看' },
  2: { en: 'not well, or the hub does not run', zh: '有故障，或总部服务未运行' },
};

/** Those that only look. */
export const lookCommands = [
  hubCommand({
    name: 'status',
    summary: { en: 'tell how the hub and its sites go', zh: '显示总部服务和各站点的状态' },
    options: { json: JSON_OPTION },
    exits: HEALTH,
    looks: true,
    run: async (typed, context) => (await import('../health.ts')).showStatus(typed, context),
  }),
  hubCommand({
    name: 'check',
    summary: { en: 'find what is wrong, and tell what to do', zh: '查找问题并说明处理方法' },
    options: { json: JSON_OPTION },
    exits: HEALTH,
    looks: true,
    run: async (typed, context) => (await import('../health.ts')).check(typed, context),
  }),
  hubCommand({
    name: 'bundle',
    summary: { en: 'make an archive for support, without secrets', zh: '生成供技术支持使用的归档，不含密钥' },
    positionals: { file: { value: 'FILE', file: true, summary: { en: 'file to make', zh: '要生成的文件' } } },
    looks: true,
    run: async (typed, context) => (await import('../bundle.ts')).bundle(typed, context),
  }),
];
