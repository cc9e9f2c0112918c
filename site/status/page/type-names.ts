// What types of events are called: by the names of their tenant, or else by those that everybody has.
import { call } from './call.ts';
import { language } from './language.ts';

interface TypeName {
  type: string;
  nameEn: string;
  nameZh: string;
}

/** Names are asked for anew after so long, ms: a tenant changes its own. */
const KEPT_MS = 300_000;

const known = new Map<string, { at: number; names: ReadonlyMap<string, TypeName> }>();

/**
 * Asks for the names of these tenants, where they are not known; what cannot be had stays a code.
 * @returns whether any came
 */
export async function learnTypes(tenants: Iterable<string>): Promise<boolean> {
  let came = false;
  for (const tenant of new Set(tenants)) {
    const { at = -Infinity } = known.get(tenant) ?? {};
    if (Date.now() - at < KEPT_MS) continue;
    const answer = await call(
      'GET',
      `/api/agent/rules/event-types?tenant_code=${encodeURIComponent(tenant)}`,
    );
    if (!answer.ok) continue;
    const { items } = (await answer.json()) as { items: TypeName[] };
    known.set(tenant, { at: Date.now(), names: new Map(items.map((one) => [one.type, one])) });
    came = true;
  }
  return came;
}

/** The type of an event in the language of the page; its code where it has no name. */
export function typeName({ tenantCode, type }: { tenantCode: string; type: string }): string {
  const found = known.get(tenantCode)?.names.get(type);
  if (!found) return type;
  return language() === 'zh' ? found.nameZh : found.nameEn;
}
