/** What a login session may do, by name. The only list of permissions; users and routes name these. */

export const roles = ['operator', 'customer'] as const;
export type Role = (typeof roles)[number];

/** What a customer may hold of it: has it unless limited, may be given it, or never. Operators have every one unless limited. */
type ForCustomers = 'standard' | 'grantable' | 'never';

const permissionTable = {
  'events.view': 'standard',
  'events.judge': 'standard',
  'subscriptions.view': 'standard',
  'subscriptions.acknowledge': 'grantable',
  'tasks.manage': 'standard',
  'incidents.manage': 'standard',
  'stats.view': 'standard',
  'rules.view': 'standard',
  'notifications.view': 'standard',
  'rules.manage': 'standard',
  'knowledge.view': 'standard',
  'policy.view': 'standard',
  'audit.view': 'grantable',
  'knowledge.manage': 'never',
  'policy.manage': 'never',
  'integration.view': 'never',
  'integration.manage': 'never',
  'uplink.view': 'never',
  'channels.manage': 'never',
  'secrets.manage': 'never',
  'operation.view': 'never',
  'users.manage': 'never',
} as const satisfies Record<string, ForCustomers>;

export type Permission = keyof typeof permissionTable;
export const permissionNames = Object.keys(permissionTable) as [Permission, ...Permission[]];

/** Whether a user of this role can be given the permission at all. */
export function mayHold(role: Role, permission: Permission): boolean {
  return role === 'operator' || permissionTable[permission] !== 'never';
}

/**
 * The permissions that a user has.
 * @param limited null: what the role has; a list may name permissions of another version, which give nothing
 */
export function permissionsOf(role: Role, limited: readonly string[] | null): Permission[] {
  if (limited !== null) return permissionNames.filter((name) => limited.includes(name) && mayHold(role, name));
  return permissionNames.filter((name) => role === 'operator' || permissionTable[name] === 'standard');
}
