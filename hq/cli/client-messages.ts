import { sentences } from '../../common/message.ts';

export const clientMessages = {
  none: sentences(
    'There is no client; one is made with POST /api/integration/clients, or in the console.',
    '没有客户端；可用 POST /api/integration/clients 或在控制台创建。',
  ),
  head: sentences(
    'CLIENT | NAME | TENANT | STATUS | LAST USED | REFUSED FROM',
    '客户端 | 名称 | 租户 | 状态 | 最近使用 | 被拒来源',
  ),
  status_enabled: sentences('enabled', '启用'),
  status_disabled: sentences('disabled', '停用'),
  never: sentences('never', '从未'),
  until: sentences('{ip} until {time}', '{ip} 至 {time}'),
  enabled: sentences('{name} is enabled, and refused from nowhere.', '{name} 已启用，不再拒绝任何来源。'),
};
