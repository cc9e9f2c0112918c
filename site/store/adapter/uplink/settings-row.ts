import { eq } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { SettingsState } from '../../../../common/uplink/change/settings.ts';
import { NO_SETTINGS, settingsItemOf } from '../../../settings/decide.ts';
import type { KeptSettings } from '../../../settings/record.ts';
import { meta } from '../../schema/tables.ts';

/** Settings as they are kept; null: headquarters has set none. */
export const keptOf = (text: string | null): KeptSettings =>
  text === null ? NO_SETTINGS : (JSON.parse(text) as KeptSettings);

/** What goes up of them under a number; null: headquarters has named none. */
export function readSettings(orm: BetterSQLite3Database, changeNo: number): SettingsState | null {
  const kept = orm.select().from(meta).where(eq(meta.key, 'settings')).get();
  return settingsItemOf(keptOf(kept?.value ?? null), changeNo);
}
