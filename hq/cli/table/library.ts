import { JSON_OPTION, type Text } from '../../../common/terminal/command-table.ts';
import { hubCommand } from '../context.ts';

const FAILED: Readonly<Record<number, Text>> = {
  1: { en: 'the index failed, or its last making did', zh: '索引失败，或最近一次生成失败' },
};

/** The policy library: its files, and the index that searches them. */
export const libraryCommands = [
  hubCommand({
    name: 'ingest',
    summary: { en: 'cut the policy files that wait for it into clauses', zh: '将待处理的制度文件切分为条款' },
    options: {
      tenant: { value: 'TENANT', summary: { en: 'only files of this tenant', zh: '只处理该租户的文件' } },
      watch: {
        value: 'SECONDS',
        number: true,
        summary: { en: 'go on, and look for files so often', zh: '持续运行，每隔多少秒查看一次' },
      },
    },
    exits: {
      1: { en: 'a file could not be read; its parse note says why', zh: '有文件无法读取，原因见其解析说明' },
    },
    run: async (typed, context) => (await import('../ingest.ts')).ingestFiles(typed, context),
  }),
  hubCommand({
    name: 'index status',
    summary: { en: 'tell of the search index of the running hub', zh: '显示检索索引的状态' },
    options: { json: JSON_OPTION },
    exits: FAILED,
    looks: true,
    run: async (typed, context) => (await import('../index.ts')).showIndex(typed, context),
  }),
  hubCommand({
    name: 'index rebuild',
    summary: { en: 'make the search index anew, and wait for it', zh: '重新生成检索索引，并等待完成' },
    options: { json: JSON_OPTION },
    exits: FAILED,
    run: async (typed, context) => (await import('../index.ts')).rebuildIndex(typed, context),
  }),
];
