import { siteCommand } from '../context.ts';

const FILE = { value: 'FILE', file: true } as const;

/** Archives: copies of the store, and what support needs. What opens the store is loaded when it is used. */
export const archiveCommands = [
  siteCommand({
    name: 'backup',
    summary: {
      en: 'copy the store and its secrets, also while the site runs',
      zh: '备份数据库和密钥，运行中也可执行',
    },
    positionals: { file: { ...FILE, summary: { en: 'file to make', zh: '要生成的文件' } } },
    options: {
      'without-secrets': {
        summary: { en: 'leave the secrets of cameras and the admin key out', zh: '不含摄像机密钥和管理密钥' },
      },
    },
    run: async (typed, context) => (await import('../archive.ts')).backup(typed, context),
  }),
  siteCommand({
    name: 'restore',
    summary: {
      en: 'put a backup in the place of the store; the site must not run',
      zh: '从备份恢复；站点须先停止',
    },
    description: {
      en: 'The store from before is set aside.',
      zh: '原数据库会另存，不会删除。',
    },
    positionals: { file: { ...FILE, summary: { en: 'backup to take', zh: '备份文件' } } },
    examples: [
      {
        line: 'restore /var/backups/site.tar',
        what: { en: 'behind: systemctl stop fieldline-site', zh: '先执行：systemctl stop fieldline-site' },
      },
    ],
    run: async (typed, context) => (await import('../archive.ts')).restoreBackup(typed, context),
  }),
  siteCommand({
    name: 'bundle',
    summary: { en: 'make an archive for support, without secrets', zh: '生成供技术支持使用的归档，不含密钥' },
    positionals: { file: { ...FILE, summary: { en: 'file to make', zh: '要生成的文件' } } },
    looks: true,
    run: async (typed, context) => (await import('../archive.ts')).bundle(typed, context),
  }),
];
