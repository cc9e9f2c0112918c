import * as z from 'zod/mini';
import { type SettingsItem, settingsItem } from '../../../../common/uplink/settings/record.ts';
import type { InboxDriver } from '../inbox.ts';
import type { Carried } from '../port.ts';

/** What takes settings that headquarters wants in force. */
export interface SettingsTaker {
  take(item: SettingsItem): Promise<Carried>;
}

/** One after the other; those of an older version than was taken change nothing. */
export const settingsDriver = (settings: SettingsTaker): InboxDriver => ({
  subjectOf: () => 'site',
  carryOut: (body) => {
    const item = settingsItem.safeParse(body);
    if (!item.success)
      return Promise.reject(new Error(`settings are not understood: ${z.prettifyError(item.error)}`));
    return settings.take(item.data);
  },
});
