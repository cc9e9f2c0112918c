// Who may call, as credentials and routes name it: kinds of keys, admin keys, scopes of consumers,
// permissions of people.

/** What a signing key may be used for; it opens nothing else (DESIGN.md, "The API"). */
export type KeyPurpose = 'node' | 'site' | 'consumer';

/** Name of the key of the configuration, which is told from keys that are made here by having no digest. */
export const CONFIGURED = 'admin';

/**
 * Who acts, for the audit and as the user of a session: `admin` for the key of the configuration,
 * `admin:<name>` for another.
 */
export const adminActor = (name: string): string => (name === CONFIGURED ? CONFIGURED : `admin:${name}`);

/** What a consumer's key may be given. The only list of scopes; keys and routes name these. */
export const scopes = [
  'events.pull',
  'events.read',
  'evidence.read',
  'timeline.read',
  'stats.read',
  'verdicts.write',
  'tasks.read',
  'tasks.write',
  'incidents.read',
  'incidents.write',
  'datasets.read',
  'policy.search',
  'policy.cite',
  'policy.log',
] as const;
export type Scope = (typeof scopes)[number];

/** What a consumer's key is given where no scopes are named. */
export const STANDARD_SCOPES: readonly Scope[] = ['events.pull', 'datasets.read'];

/** Scopes of the policy library, whose key must be bound to a tenant. */
export const POLICY_SCOPES = [
  'policy.search',
  'policy.cite',
  'policy.log',
] as const satisfies readonly Scope[];

/** Scopes whose key pulls under the name of its consumer. */
export const PULL_SCOPES = ['events.pull', 'events.read'] as const satisfies readonly Scope[];

/**
 * Whether a key with these scopes may make a call that any of `wanted` opens. A list may name scopes of
 * another version, which open nothing here.
 */
export const opens = (held: readonly string[], wanted: readonly Scope[]): boolean =>
  wanted.some((scope) => held.includes(scope));

export const roles = ['operator', 'customer'] as const;
export type Role = (typeof roles)[number];

/**
 * What a customer may hold of it: has it unless limited, may be given it, or never. Operators have every one
 * unless limited.
 */
export const forCustomers = ['standard', 'grantable', 'never'] as const;
type ForCustomers = (typeof forCustomers)[number];

/** What a login session may do, by name. The only list of permissions; users and routes name these. */
const permissionTable = {
  'events.view': 'standard',
  'events.judge': 'standard',
  'subscriptions.view': 'standard',
  'subscriptions.acknowledge': 'grantable',
  'subscriptions.manage': 'grantable',
  'tasks.manage': 'standard',
  'incidents.manage': 'standard',
  'stats.view': 'standard',
  'rules.view': 'standard',
  'notifications.view': 'standard',
  'duty.view': 'standard',
  'duty.manage': 'grantable',
  'rules.manage': 'standard',
  'knowledge.view': 'standard',
  'policy.view': 'standard',
  'audit.view': 'grantable',
  'knowledge.manage': 'never',
  'policy.manage': 'never',
  'integration.view': 'grantable',
  'integration.manage': 'grantable',
  'sites.configure': 'grantable',
  'uplink.view': 'never',
  'sites.manage': 'never',
  'sites.look_in': 'grantable',
  'releases.manage': 'grantable',
  'consumers.manage': 'never',
  'channels.manage': 'never',
  'secrets.manage': 'never',
  'operation.view': 'never',
  'alarms.clear': 'never',
  'retention.confirm': 'never',
  'users.manage': 'never',
} as const satisfies Record<string, ForCustomers>;

export type Permission = keyof typeof permissionTable;
export const permissionNames = Object.keys(permissionTable) as [Permission, ...Permission[]];

/** What customers may hold of each. */
export const permissionList = permissionNames.map((name) => ({ name, customers: permissionTable[name] }));

/** Whether a user of this role can be given the permission at all. */
export function mayHold(role: Role, permission: Permission): boolean {
  return role === 'operator' || permissionTable[permission] !== 'never';
}

/**
 * The permissions that a user has.
 * @param limited null: what the role has; a list may name permissions of another version, which give nothing
 */
export function permissionsOf(role: Role, limited: readonly string[] | null): Permission[] {
  if (limited !== null)
    return permissionNames.filter((name) => limited.includes(name) && mayHold(role, name));
  return permissionNames.filter((name) => role === 'operator' || permissionTable[name] === 'standard');
}
