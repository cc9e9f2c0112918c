import { mayHold, permissionsOf, type Permission, type Role } from '../../common/core/session/permissions.ts';
import type { Fault } from '../../common/http/error.ts';
import type { UserInput } from './schema.ts';

/** Characters. */
const MIN_PASSWORD = 10;

export function passwordFaults(password: string, name: string, path: string): Fault[] {
  const faults: Fault[] = [];
  if ([...password].length < MIN_PASSWORD) faults.push({ path, message: `must have at least ${MIN_PASSWORD} characters` });
  if (password.toLowerCase() === name.toLowerCase()) faults.push({ path, message: 'must not be the name' });
  return faults;
}

/** Rules between the fields of a new user. */
export function userFaults(input: UserInput): Fault[] {
  const faults = passwordFaults(input.password, input.name, 'password');
  if (input.role === 'customer' && input.tenant_code === undefined) faults.push({ path: 'tenant_code', message: 'is required for a customer' });
  if (input.role === 'operator' && input.tenant_code !== undefined) faults.push({ path: 'tenant_code', message: 'is only for a customer' });
  return [...faults, ...permissionFaults(input.role, input.permissions ?? null)];
}

export function permissionFaults(role: Role, permissions: readonly Permission[] | null): Fault[] {
  return (permissions ?? []).flatMap((name, index) =>
    (mayHold(role, name) ? [] : [{ path: `permissions[${index}]`, message: `${name} is only for operators` }]));
}

export interface Powers {
  role: Role;
  permissions: readonly Permission[] | null;
}

/**
 * Nobody hands out more than they hold, nor takes over a user who holds more.
 * @param holds null: everything (the admin key)
 */
export function exceeds(holds: readonly Permission[] | null, wanted: Powers): boolean {
  return holds !== null && permissionsOf(wanted.role, wanted.permissions).some((name) => !holds.includes(name));
}
