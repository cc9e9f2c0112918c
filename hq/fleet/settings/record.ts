import { settingsOutcomes } from '../../../common/uplink/settings/record.ts';

/** `waiting`: the site has not told yet what became of it. */
export const siteSettingsStates = ['waiting', ...settingsOutcomes] as const;
export type SiteSettingsState = (typeof siteSettingsStates)[number];
