// How far sites say that they are with the version that is wanted.
import type { UpgradeState } from '../../../../common/uplink/change/upgrade.ts';
import { noteSiteUpgrade } from '../../../fleet/store/upgrade.ts';
import type { Tx } from '../../../store/engine/database.ts';
import type { WorkSource } from './context.ts';

/** A site speaks for itself alone, not for what it continues. @returns whether it was taken */
export const noteUpgrade = (tx: Tx, { instance }: WorkSource, item: UpgradeState): Promise<boolean> =>
  noteSiteUpgrade(tx, instance, item);
