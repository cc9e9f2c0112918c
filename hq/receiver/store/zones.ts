// The time zones of sites, for whoever shows the times of their events.
import { and, arrayContains, asc, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../store/engine/database.ts';
import type { SiteZone } from '../zone/port.ts';
import { sites } from './schema.ts';

/** @param tenantCode only sites of this tenant; null is every site */
export async function zonesOf(db: Db, tenantCode: string | null): Promise<SiteZone[]> {
  // The reports of a thousand sites are megabytes: they stay in the database.
  const zone = sql<string>`${sites.report}::json ->> 'zone'`;
  const ofTenant = tenantCode === null ? undefined : arrayContains(sites.tenants, [tenantCode]);
  const told = await db
    .select({ instance: sites.instance, continues: sites.continues, zone })
    .from(sites)
    .where(and(isNull(sites.removedAt), isNotNull(zone), ofTenant))
    .orderBy(asc(sites.instance));
  return told.flatMap(({ instance, continues, zone: name }) =>
    [instance, ...continues].map((one) => ({ instance: one, zone: name })),
  );
}
