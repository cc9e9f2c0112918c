import * as z from 'zod/mini';
import { type UpgradeItem, upgradeItem } from '../../../../common/uplink/upgrade/record.ts';
import type { InboxDriver } from '../inbox.ts';
import type { Carried } from '../port.ts';

/** What takes the version that headquarters wants here. */
export interface UpgradeTaker {
  take(item: UpgradeItem): Promise<Carried>;
}

/** One after the other; what is older than what was taken changes nothing. */
export const upgradeDriver = (upgrade: UpgradeTaker): InboxDriver => ({
  subjectOf: () => 'site',
  carryOut: (body) => {
    const item = upgradeItem.safeParse(body);
    if (!item.success)
      return Promise.reject(new Error(`the upgrade is not understood: ${z.prettifyError(item.error)}`));
    return upgrade.take(item.data);
  },
});
