// What sites say of the settings that headquarters gave them.
import type { SettingsState } from '../../../../common/uplink/change/settings.ts';
import { noteSiteSettings } from '../../../fleet/store/settings.ts';
import type { Tx } from '../../../store/engine/database.ts';
import type { WorkSource } from './context.ts';

/** A site speaks for itself alone, not for what it continues. @returns whether it was taken */
export async function noteSettings(tx: Tx, { instance }: WorkSource, item: SettingsState): Promise<boolean> {
  await noteSiteSettings(tx, instance, item);
  return true;
}
