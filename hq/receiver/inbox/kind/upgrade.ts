import type { SiteUpgradePort } from '../../../fleet/upgrade/port.ts';
import type { InboxReader } from '../port.ts';

/** Which version is wanted at the site. */
export const upgradeReader = (upgrades: Pick<SiteUpgradePort, 'open'>): InboxReader => ({
  kind: 'upgrade',
  read: (entries) => upgrades.open(entries),
});
