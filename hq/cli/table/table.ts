// All commands of fieldline-hq, in the order in which the help shows them.
import { adminKeyCommands } from '../../../common/core/admin-key/command.ts';
import { alarmCommands } from '../../../common/core/alarm/command.ts';
import type { CommandTable } from '../../../common/terminal/command-table.ts';
import { logsCommand } from '../../../common/terminal/journal/command.ts';
import { ownCommands } from '../../../common/terminal/own-commands.ts';
import type { HubContext } from '../context.ts';
import { backupCommands } from './backup.ts';
import { clientCommands } from './client.ts';
import { libraryCommands } from './library.ts';
import { lookCommands } from './look.ts';
import { migrateCommands } from './migrate.ts';
import { requestCommands } from './request.ts';
import { siteCommands } from './site.ts';
import { upgradeCommands } from './upgrade.ts';
import { userCommands } from './user.ts';

const own = ownCommands<HubContext>({
  en: 'run the hub; the service does so',
  zh: '运行总部服务；由系统服务执行',
});

export const hubTable: CommandTable<HubContext> = {
  name: 'fieldline-hq',
  summary: {
    en: 'Receives what all sites bring, and answers for all of them.',
    zh: '接收各站点上传的数据，并统一提供查询。',
  },
  nouns: {
    site: { en: 'the sites that may join', zh: '可以接入的站点' },
    release: { en: 'versions that sites can be upgraded to', zh: '站点可升级到的版本' },
    rollout: { en: 'releases on their way to sites, in waves', zh: '版本的分批升级' },
    user: { en: 'the people who may log in', zh: '可以登录的用户' },
    client: { en: 'the clients of the open interface', zh: '开放接口的客户端' },
    'admin-key': { en: 'named admin keys', zh: '管理密钥' },
    alarms: { en: 'what needs a person, at all sites', zh: '需要人处理的告警，含各站点' },
    index: { en: 'the search index of policies', zh: '制度检索索引' },
  },
  commands: [
    own.run,
    ...lookCommands,
    logsCommand<HubContext>('fieldline-hq.service'),
    ...siteCommands,
    ...requestCommands,
    ...upgradeCommands,
    ...userCommands,
    ...clientCommands,
    ...adminKeyCommands<HubContext>(),
    ...alarmCommands<HubContext>(),
    ...libraryCommands,
    ...backupCommands,
    ...migrateCommands,
    ...own.rest,
  ],
  notes: [
    {
      en:
        'The commands speak to the running hub over its local socket; whoever may write to the ' +
        'socket may use them.',
      zh: '各命令通过本地套接字与运行中的总部服务通信；能写该套接字的用户即可使用。',
    },
  ],
};
