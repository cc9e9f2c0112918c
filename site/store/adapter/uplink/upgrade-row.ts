import { eq } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { UpgradeState } from '../../../../common/uplink/change/upgrade.ts';
import { upgradeStateOf } from '../../../upgrade/decide.ts';
import type { KeptUpgrade } from '../../../upgrade/record.ts';
import { meta } from '../../schema/tables.ts';

/** As it is kept; null: headquarters has wanted no version here. */
export const keptUpgradeOf = (text: string | null): KeptUpgrade | null =>
  text === null ? null : (JSON.parse(text) as KeptUpgrade);

/** What goes up of it under a number; null: headquarters has wanted no version here. */
export function readUpgrade(orm: BetterSQLite3Database, changeNo: number): UpgradeState | null {
  const row = orm.select().from(meta).where(eq(meta.key, 'upgrade')).get();
  const kept = keptUpgradeOf(row?.value ?? null);
  return kept && upgradeStateOf(kept, changeNo);
}
