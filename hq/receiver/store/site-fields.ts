import { sites } from './schema.ts';

/** What is read of a site in the registry. */
export const siteFields = {
  instance: sites.instance,
  tenants: sites.tenants,
  continues: sites.continues,
  displayName: sites.displayName,
  groups: sites.groups,
  createdAt: sites.createdAt,
  removedAt: sites.removedAt,
  silentAfterMinutes: sites.silentAfterMinutes,
  away: sites.away,
};
