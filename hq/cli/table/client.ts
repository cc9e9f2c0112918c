import { JSON_OPTION } from '../../../common/terminal/command-table.ts';
import { hubCommand } from '../context.ts';

/** The clients of the open interface. */
export const clientCommands = [
  hubCommand({
    name: 'client list',
    summary: {
      en: 'list the clients of the open interface, when they were last used, and who is refused',
      zh: '列出开放接口的客户端、最近使用时间和被拒来源',
    },
    options: {
      tenant: { value: 'TENANT', summary: { en: 'only clients of this tenant', zh: '只列出该租户的客户端' } },
      json: JSON_OPTION,
    },
    looks: true,
    run: async (typed, context) => (await import('../client.ts')).listClients(typed, context),
  }),
  hubCommand({
    name: 'client enable',
    summary: {
      en: 'enable a client, and lift what is refused after wrong secrets',
      zh: '启用客户端，并解除因密钥错误产生的拒绝',
    },
    positionals: { client: { value: 'CLIENT', summary: { en: 'its client_id', zh: '其 client_id' } } },
    run: async (typed, context) => (await import('../client.ts')).enableClient(typed, context),
  }),
];
