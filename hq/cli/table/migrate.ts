import { hubCommand } from '../context.ts';

export const migrateCommands = [
  hubCommand({
    name: 'migrate',
    summary: { en: 'bring the database up to this version, and end', zh: '将数据库升级到当前版本后结束' },
    description: { en: 'The hub does so itself when it starts.', zh: '总部服务启动时会自动执行。' },
    run: async (_, context) => (await import('../migrate.ts')).migrate(context),
  }),
];
