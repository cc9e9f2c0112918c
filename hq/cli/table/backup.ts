import { hubCommand } from '../context.ts';

/** The database as one file. */
export const backupCommands = [
  hubCommand({
    name: 'backup',
    summary: {
      en: 'copy the database and the keys of the hub into one file, also while it runs',
      zh: '将数据库和总部服务的密钥备份为一个文件，运行中也可执行',
    },
    description: {
      en:
        'All tables are copied in one snapshot, by pg_dump where it is installed and not older than the ' +
        'server, else by COPY. Pictures of events and originals of policy files are not in it; the command ' +
        'says where they lie.',
      zh: '所有数据表取自同一快照：已安装且不旧于服务器的 pg_dump 时用它，否则用 COPY。事件图片和制度文件原件不在其中，命令会显示其位置。',
    },
    positionals: { file: { value: 'FILE', file: true, summary: { en: 'file to make', zh: '要生成的文件' } } },
    options: {
      copy: {
        summary: {
          en: 'by COPY, so that no tools of Postgres are needed to restore it',
          zh: '用 COPY 复制，恢复时不需要 Postgres 的工具',
        },
      },
      'without-secrets': {
        summary: { en: 'leave the keys of the hub out', zh: '不含总部服务的密钥' },
      },
    },
    run: async (typed, context) => (await import('../backup.ts')).backup(typed, context),
  }),
  hubCommand({
    name: 'restore',
    summary: { en: 'put a backup into an empty database', zh: '将备份恢复到空数据库' },
    description: {
      en:
        'In one transaction: the whole backup, or nothing. A file that is not whole, a database that is ' +
        'not empty, and another master key are refused. The sites then send again what headquarters no ' +
        'longer has.',
      zh: '在一个事务内完成：要么全部恢复，要么不变。文件不完整、数据库非空或主密钥不同时拒绝。之后各站点会重新上传总部缺少的数据。',
    },
    positionals: { file: { value: 'FILE', file: true, summary: { en: 'the backup', zh: '备份文件' } } },
    run: async (typed, context) => (await import('../backup.ts')).restore(typed, context),
  }),
];
