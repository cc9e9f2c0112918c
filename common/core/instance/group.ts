import type { Actor } from '../../http/actor.ts';
import { tenantFor } from '../../http/caller.ts';
import { notFound } from '../../http/error.ts';
import type { GroupSites } from './record.ts';

interface Asked {
  site_group?: string | undefined;
  tenant_code?: string | undefined;
}

/**
 * What a list is narrowed to by a group of sites.
 * @throws AppError 404 where there is no such group for whoever asks, 403 for the tenant of somebody else
 */
export async function inSiteGroup(
  sitesOf: GroupSites,
  actor: Actor,
  { site_group: name, tenant_code }: Asked,
): Promise<{ instances?: ReadonlySet<string> }> {
  if (name === undefined) return {};
  const tenantCode = tenantFor(actor, tenant_code);
  const instances = await sitesOf(name, { tenantCode, bound: actor.tenantCode !== null });
  if (instances.length === 0) throw notFound(`The group ${name} of sites`);
  return { instances: new Set(instances) };
}
