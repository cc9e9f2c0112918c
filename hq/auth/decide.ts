import { guessableLength } from '../../common/core/session/guessable.ts';
import { mayHold, type Permission, permissionsOf, type Role } from '../../common/http/access.ts';
import { type Fault } from '../../common/http/fault/fault.ts';
import type { UserInput } from './schema.ts';
import { faultAt } from './user-fault-messages.ts';

/** Characters. */
const MIN_PASSWORD = 10;
/**
 * Least number of characters when each guessable part counts as one: NIST SP 800-63B asks for at least 8, and
 * common, repeated or name-derived parts must not make up for them.
 */
const MIN_LEFT = 8;

/** @param names of the user and of its tenant, which whoever guesses knows */
export function passwordFaults(password: string, names: readonly string[], path: string): Fault[] {
  if ([...password].length < MIN_PASSWORD) {
    return [faultAt(path, 'password_short', { least: MIN_PASSWORD })];
  }
  if (guessableLength(password, names) >= MIN_LEFT) return [];
  return [faultAt(path, 'password_guessable')];
}

/** Parts of a user's identity that a guesser would try: the name as a whole and in parts, and the tenant. */
export const namesOf = (name: string, tenantCode: string | null | undefined): string[] => [
  name,
  ...name.split(/[._@-]/),
  name.replace(/[._@-]/g, ''),
  ...(tenantCode ? [tenantCode] : []),
];

/** Rules between the fields of a new user. */
export function userFaults(input: UserInput): Fault[] {
  const faults = passwordFaults(input.password, namesOf(input.name, input.tenant_code), 'password');
  if (input.role === 'customer' && input.tenant_code === undefined)
    faults.push(faultAt('tenant_code', 'tenant_needed'));
  if (input.role === 'operator' && input.tenant_code !== undefined)
    faults.push(faultAt('tenant_code', 'tenant_unwanted'));
  return [...faults, ...permissionFaults(input.role, input.permissions ?? null)];
}

export function permissionFaults(role: Role, permissions: readonly Permission[] | null): Fault[] {
  return (permissions ?? []).flatMap((name, index) =>
    mayHold(role, name) ? [] : [faultAt(`permissions[${index}]`, 'operators_only', { name })],
  );
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
  return (
    holds !== null && permissionsOf(wanted.role, wanted.permissions).some((name) => !holds.includes(name))
  );
}
