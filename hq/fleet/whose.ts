/**
 * Whether a caller may look after a site. What it answers and what is set there is of all its tenants:
 * whoever is bound to one reaches a site of that tenant alone, and to them all others, and one that brings
 * nothing of any tenant, do not exist. Pure. @param bound null: to none
 */
export const mayLookAfter = (tenants: readonly string[], bound: string | null): boolean =>
  bound === null || (tenants.length > 0 && tenants.every((tenant) => tenant === bound));
