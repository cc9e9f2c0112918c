import { type SecurityLevel, securityLevels } from '../../../common/policy/level.ts';
import type { Rights, RightsFault, RightsMapping } from './record.ts';

export type Claims = Readonly<Record<string, unknown>>;

const NAME = /^[a-z0-9][a-z0-9._@-]{0,63}$/;

/** What the claims of a person give: the widest role, the one tenant of a customer, the clearances. */
export function decideRights(claims: Claims, mapping: RightsMapping): Rights | { fault: RightsFault } {
  const [name = ''] = valuesOf(claims, mapping.nameClaim);
  if (!NAME.test(name.toLowerCase())) return { fault: 'no_name' };
  const roles = mapped(valuesOf(claims, mapping.roleClaim), mapping.roles);
  if (roles.length === 0) return { fault: 'no_role' };
  const clearances = clearancesOf(claims, mapping);
  const of = { name: name.toLowerCase(), clearances };
  if (roles.includes('operator')) return { ...of, role: 'operator', tenantCode: null };
  const tenants = new Set(mapped(valuesOf(claims, mapping.tenantClaim), mapping.tenants));
  const [tenantCode] = tenants;
  if (tenantCode === undefined) return { fault: 'no_tenant' };
  return tenants.size > 1 ? { fault: 'several_tenants' } : { ...of, role: 'customer', tenantCode };
}

function clearancesOf(claims: Claims, mapping: RightsMapping): Rights['clearances'] {
  if (Object.keys(mapping.clearances).length === 0) return null;
  const highest: Record<string, SecurityLevel> = {};
  for (const levels of mapped(valuesOf(claims, mapping.clearanceClaim), mapping.clearances)) {
    for (const [tenant, level] of Object.entries(levels)) {
      const before = highest[tenant];
      if (before === undefined || securityLevels.indexOf(level) > securityLevels.indexOf(before))
        highest[tenant] = level;
    }
  }
  return highest;
}

const mapped = <T>(values: readonly string[], map: Readonly<Record<string, T>>): T[] =>
  values.flatMap((value) => (Object.hasOwn(map, value) ? [map[value] as T] : []));

/** The texts of a claim, which is one or a list. `a.b` is the claim of that name, or b in the object a. */
function valuesOf(claims: Claims, name: string): string[] {
  const found = Object.hasOwn(claims, name) ? claims[name] : inside(claims, name.split('.'));
  return (Array.isArray(found) ? found : [found]).filter((value) => typeof value === 'string');
}

const inside = (value: unknown, [head, ...rest]: readonly string[]): unknown => {
  if (head === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, head)) return undefined;
  return inside((value as Claims)[head], rest);
};
