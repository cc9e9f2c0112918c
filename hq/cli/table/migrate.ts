import { hubCommand } from '../context.ts';

export const migrateCommands = [
  hubCommand({
    name: 'migrate',
    summary: { en: 'bring the database up to this version, and end', zh: '将数据库升级到当前版本后结束' },
    description: { en: 'The hub does so itself when it starts.', zh: '总部服务启动时会自动执行。' },
    options: {
      'new-master-key': {
        summary: {
          en: 'take the master key of this hub for the database; the one before is lost for good',
          zh: '将本机主密钥作为数据库的主密钥；原主密钥已彻底丢失',
        },
      },
      'new-evidence-folder': {
        summary: {
          en: 'take the folder of evidence of this hub for that of all; the one before is lost for good',
          zh: '将本机取证目录作为共享取证目录；原目录已彻底丢失',
        },
      },
      'new-originals': {
        summary: {
          en: 'take the place of originals of this hub for that of all; the one before is lost for good',
          zh: '将本机制度原件的存放处作为共享的存放处；原存放处已彻底丢失',
        },
      },
    },
    run: async (typed, context) => (await import('../migrate.ts')).migrate(typed, context),
  }),
];
