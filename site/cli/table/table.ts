// All commands of fieldline-site, in the order in which the help shows them.
import { adminKeyCommands } from '../../../common/core/admin-key/command.ts';
import { alarmCommands } from '../../../common/core/alarm/command.ts';
import type { CommandTable } from '../../../common/terminal/command-table.ts';
import { logsCommand } from '../../../common/terminal/journal/command.ts';
import { ownCommands } from '../../../common/terminal/own-commands.ts';
import type { SiteContext } from '../context.ts';
import { archiveCommands } from './archive.ts';
import { diskCommands } from './disk.ts';
import { loginCommands } from './login.ts';
import { lookCommands } from './look.ts';
import { nodeCommands } from './node.ts';
import { parkedCommands } from './parked.ts';
import { rulesCommands } from './rules.ts';
import { setupCommands } from './setup.ts';

const own = ownCommands<SiteContext>({
  en: 'run the site; the service does so',
  zh: '运行站点；由系统服务执行',
});

export const siteTable: CommandTable<SiteContext> = {
  name: 'fieldline-site',
  summary: {
    en: 'Takes in the events of the cameras of a site and brings them to headquarters.',
    zh: '接收本站摄像机的事件，并上传到总部。',
  },
  nouns: {
    node: { en: 'the cameras that may send', zh: '可以上报的摄像机' },
    'admin-key': { en: 'named admin keys', zh: '管理密钥' },
    parked: { en: 'what headquarters refused', zh: '总部拒收的数据' },
    alarms: { en: 'what needs a person', zh: '需要人处理的告警' },
    disk: { en: 'room for data', zh: '存储空间' },
    rules: { en: 'response rules', zh: '响应规则' },
  },
  commands: [
    own.run,
    ...setupCommands,
    ...lookCommands,
    logsCommand<SiteContext>('fieldline-site.service'),
    ...loginCommands,
    ...nodeCommands,
    ...adminKeyCommands<SiteContext>(),
    ...parkedCommands,
    ...alarmCommands<SiteContext>(),
    ...diskCommands,
    ...rulesCommands,
    ...archiveCommands,
    ...own.rest,
  ],
  notes: [
    {
      en:
        'The commands speak to the running site over its local socket; whoever may write to the ' +
        'socket may use them.',
      zh: '各命令通过本地套接字与运行中的站点通信；能写该套接字的用户即可使用。',
    },
  ],
};
