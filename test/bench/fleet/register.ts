// Makes many sites known to a hub.
import type { Program } from '../program.ts';
import type { FleetSite } from './site.ts';

const TENANTS = 20;
/** Registrations that are under way at once. */
const REGISTERING = 8;

export async function register(hub: Program, size: number): Promise<FleetSite[]> {
  const sites: FleetSite[] = [];
  const one = async (index: number): Promise<FleetSite> => {
    const instance = `fleet-${String(index).padStart(5, '0')}`;
    const tenant = `T-${index % TENANTS}`;
    const key = await hub.call<{ keyId: string; secret: string }>('POST', '/api/core/sites', {
      instance,
      tenants: [tenant],
    });
    return { instance, tenant, keyId: key.keyId, secret: key.secret };
  };
  for (let from = 0; from < size; from += REGISTERING) {
    const some = Array.from({ length: Math.min(REGISTERING, size - from) }, (_, index) => one(from + index));
    sites.push(...(await Promise.all(some)));
  }
  return sites;
}
