import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { UpgradeState } from '../../../common/uplink/change/upgrade.ts';
import type { SignedManifest } from '../../../common/uplink/upgrade/manifest.ts';
import type { UpgradeHours } from '../../../common/uplink/upgrade/record.ts';
import { jsonText, long, text } from '../../store/schema/columns.ts';
import type { DirectiveState } from '../upgrade/record.ts';
import { OF_NO_TENANT } from './settings-schema.ts';

/** Which version headquarters wants at each site, the newest directive alone. */
export const siteUpgrades = pgTable(
  'site_upgrades',
  {
    tenantCode: text('tenant_code').notNull().default(OF_NO_TENANT),
    instance: text('instance').notNull(),
    /** Under which it waits in the inbox of the site: another one with each directive. */
    id: text('id').notNull(),
    no: integer('no').notNull(),
    version: text('version'),
    document: jsonText<SignedManifest | null>('document'),
    hours: jsonText<UpgradeHours>('hours').notNull(),
    state: text('state').$type<DirectiveState>().notNull(),
    by: text('given_by').notNull(),
    at: long('given_at').notNull(),
    rolloutId: text('rollout_id'),
    told: jsonText<UpgradeState | null>('told'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.instance] }),
    index('site_upgrades_id').on(t.id),
    index('site_upgrades_version').on(t.version),
  ],
);
