import type { UpgradeItem } from '../../../common/uplink/upgrade/record.ts';

/** Which version headquarters wants at sites; each method is one transaction. */
export interface SiteUpgradePort {
  /** Those of these that wait for their site, by their ids. */
  open(named: readonly { tenantCode: string; id: string }[]): Promise<Map<string, UpgradeItem>>;
}
