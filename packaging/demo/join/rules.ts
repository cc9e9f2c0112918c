import { NAMES_NAME } from '../../../common/core/rule/schema.ts';
import type { ApiClient } from '../../../common/terminal/api.ts';

/** What is done about what the cameras see; the site fetches the rules from headquarters. */
const RULES = [
  {
    name: '人身危险派单',
    body: {
      priority: 10,
      match: { event_types: ['person.fall', 'tunnel.gas_high', 'fire.smoke'] },
      action: {
        kind: 'dispatch',
        severity: 'critical',
        channels: ['inbox'],
        assignee_org: '安全部',
        due_minutes: 15,
        message: '{camera} {type}（{severity}），请 15 分钟内到场处置',
      },
    },
  },
  {
    name: '闯入与超载派单',
    body: {
      priority: 20,
      match: { event_types: ['vehicle.*', 'person.intrusion', 'crane.overload'] },
      action: {
        kind: 'dispatch',
        channels: ['inbox'],
        assignee_org: '工程部',
        due_minutes: 60,
        message: '{camera} {type}（{severity}），请一小时内处理',
      },
    },
  },
  {
    name: '防护与穿戴通知',
    body: {
      priority: 30,
      match: { event_types: ['ppe.no_helmet', 'edge.guardrail_missing', 'material.blocked_exit'] },
      action: { kind: 'notify', channels: ['inbox'], cooldown_s: 600, message: '{camera} {type}，请整改' },
    },
  },
] as const;

/** Names of the types that the shipped table does not know, so that messages need no codes. */
const NAMES = {
  'ppe.no_helmet': '未戴安全帽',
  'tunnel.gas_high': '瓦斯浓度偏高',
  'edge.guardrail_missing': '临边防护缺失',
  'crane.overload': '吊装超载',
  'material.blocked_exit': '通道堆料',
};

/** Registers the rules of the demonstration, unless the tenant has rules. */
export async function joinRules(hub: ApiClient, tenant: string): Promise<void> {
  const { items } = await hub.call<{ items: unknown[] }>(
    'GET',
    `/api/core/objects/rules?tenant_code=${tenant}`,
  );
  if (items.length > 0) return;
  for (const { name, body } of RULES)
    await hub.call('POST', '/api/core/objects/rules', { tenant_code: tenant, kind: 'response', name, body });
  await hub.call('POST', '/api/core/objects/rules', {
    tenant_code: tenant,
    kind: 'prompt',
    name: NAMES_NAME,
    body: { types: NAMES },
  });
}
