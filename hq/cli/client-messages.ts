import type { Language } from '../../common/message.ts';

const en = {
  none: 'There is no client; one is made with POST /api/integration/clients, or in the console.',
  head: ['CLIENT', 'NAME', 'TENANT', 'STATUS', 'LAST USED', 'REFUSED FROM'],
  status: { enabled: 'enabled', disabled: 'disabled' },
  never: 'never',
  until: (ip: string, time: string) => `${ip} until ${time}`,
  enabled: (name: string) => `${name} is enabled, and refused from nowhere.`,
};

const zh: typeof en = {
  none: '没有客户端；可用 POST /api/integration/clients 或在控制台创建。',
  head: ['客户端', '名称', '租户', '状态', '最近使用', '被拒来源'],
  status: { enabled: '启用', disabled: '停用' },
  never: '从未',
  until: (ip, time) => `${ip} 至 ${time}`,
  enabled: (name) => `${name} 已启用，不再拒绝任何来源。`,
};

export const clientMessages: Record<Language, typeof en> = { en, zh };
