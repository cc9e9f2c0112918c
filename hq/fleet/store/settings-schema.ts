import { integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { SettingsState } from '../../../common/uplink/change/settings.ts';
import type { SettingValues } from '../../../common/uplink/settings/record.ts';
import { jsonText, long, text } from '../../store/schema/columns.ts';
import type { SiteSettingsState } from '../settings/record.ts';

/** A site is of all its tenants: the rows are of none, and their tenant is empty. */
export const OF_NO_TENANT = '';

/** What headquarters wants set at each site, its newest version alone. */
export const siteSettings = pgTable(
  'site_settings',
  {
    tenantCode: text('tenant_code').notNull().default(OF_NO_TENANT),
    instance: text('instance').notNull(),
    /** Under which it waits in the inbox of the site: another one with each version. */
    id: text('id').notNull(),
    version: integer('version').notNull(),
    values: jsonText<SettingValues>('set_values').notNull(),
    state: text('state').$type<SiteSettingsState>().notNull(),
    by: text('set_by').notNull(),
    at: long('set_at').notNull(),
    told: jsonText<SettingsState | null>('told'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.instance] })],
);
