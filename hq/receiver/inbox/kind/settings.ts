import type { SiteSettingsPort } from '../../../fleet/settings/port.ts';
import type { InboxReader } from '../port.ts';

/** What is set at the site from here. */
export const settingsReader = (settings: Pick<SiteSettingsPort, 'open'>): InboxReader => ({
  kind: 'settings',
  read: (entries) => settings.open(entries),
});
