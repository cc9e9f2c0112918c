import { and, inArray, isNull } from 'drizzle-orm';
import { AppError } from '../../../common/http/error.ts';
import type { Tx } from '../../store/engine/database.ts';
import { sites } from './schema.ts';

/** @throws AppError 403 site_unknown */
export async function requireSites(tx: Tx, instances: readonly string[]): Promise<void> {
  const found = await tx.db
    .select({ instance: sites.instance })
    .from(sites)
    .where(and(inArray(sites.instance, [...instances]), isNull(sites.removedAt)));
  const known = new Set(found.map(({ instance }) => instance));
  const unknown = instances.find((instance) => !known.has(instance));
  if (unknown !== undefined) throw siteUnknown(unknown);
}

export const siteUnknown = (instance: string): AppError =>
  new AppError(403, 'site_unknown', `Headquarters knows no site ${instance}; register it there.`);
