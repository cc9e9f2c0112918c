import type { Permission } from '../../session/session.tsx';
import { catalogue } from '../../word/catalogue.ts';

export const permissionWords = catalogue({
  'events.view': { zh: '查看事件和告警', en: 'See events and alarms' },
  'events.judge': { zh: '研判事件', en: 'Judge events' },
  'subscriptions.view': { zh: '查看订阅', en: 'See subscriptions' },
  'subscriptions.acknowledge': { zh: '拉取和确认订阅', en: 'Pull and confirm subscriptions' },
  'tasks.manage': { zh: '处理任务', en: 'Work on tasks' },
  'incidents.manage': { zh: '确认、拆分、合并归并组', en: 'Confirm, split and merge incidents' },
  'stats.view': { zh: '查看统计', en: 'See statistics' },
  'rules.view': { zh: '查看规则', en: 'See rules' },
  'rules.manage': { zh: '登记规则', en: 'Register rules' },
  'notifications.view': { zh: '查看通知', en: 'See notifications' },
  'knowledge.view': { zh: '查看报告和知识对象', en: 'See reports and knowledge' },
  'knowledge.manage': { zh: '修改报告和知识对象', en: 'Change reports and knowledge' },
  'policy.view': { zh: '检索制度库', en: 'Search the library' },
  'policy.manage': { zh: '管理制度库和密级', en: 'Manage the library and clearance' },
  'audit.view': { zh: '查看审计记录', en: 'See the audit' },
  'integration.view': { zh: '查看集成', en: 'See integration' },
  'integration.manage': { zh: '管理集成', en: 'Manage integration' },
  'uplink.view': { zh: '查看现场', en: 'See sites' },
  'sites.manage': { zh: '登记现场和密钥', en: 'Register sites and their keys' },
  'channels.manage': { zh: '管理通知渠道', en: 'Manage notification channels' },
  'secrets.manage': { zh: '管理保密值', en: 'Manage secrets' },
  'operation.view': { zh: '查看系统运行', en: 'See how the system runs' },
  'alarms.clear': { zh: '解除告警', en: 'Clear alarms' },
  'retention.confirm': { zh: '放行被拦下的清理', en: 'Let held deletions go' },
  'users.manage': { zh: '管理用户和会话', en: 'Manage users and sessions' },
} satisfies Record<Permission, { zh: string; en: string }>);

/** What a customer can be given; the hub refuses the others. */
export const forCustomers: readonly Permission[] = [
  'events.view',
  'events.judge',
  'subscriptions.view',
  'subscriptions.acknowledge',
  'tasks.manage',
  'incidents.manage',
  'stats.view',
  'rules.view',
  'notifications.view',
  'rules.manage',
  'knowledge.view',
  'policy.view',
  'audit.view',
];
