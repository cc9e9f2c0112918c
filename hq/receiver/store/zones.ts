// The time zones of sites, for whoever shows the times of their events.
import { and, arrayContains, asc, isNotNull, isNull } from 'drizzle-orm';
import type { Db } from '../../store/engine/database.ts';
import type { SiteZone } from '../zone/port.ts';
import { sites } from './schema.ts';

/** @param tenantCode only sites of this tenant; null is every site */
export async function zonesOf(db: Db, tenantCode: string | null): Promise<SiteZone[]> {
  const { zone } = sites;
  const ofTenant = tenantCode === null ? undefined : arrayContains(sites.tenants, [tenantCode]);
  const told = await db
    .select({ instance: sites.instance, continues: sites.continues, zone })
    .from(sites)
    .where(and(isNull(sites.removedAt), isNotNull(zone), ofTenant))
    .orderBy(asc(sites.instance));
  return told.flatMap(({ instance, continues, zone: name }) =>
    name === null ? [] : [instance, ...continues].map((one) => ({ instance: one, zone: name })),
  );
}
