import type { SettingsState } from '../../../common/uplink/change/settings.ts';
import {
  type GivenValues,
  settingsOutcomes,
  type SettingValues,
} from '../../../common/uplink/settings/record.ts';

/** `waiting`: the site has not told yet what became of it. */
export const siteSettingsStates = ['waiting', ...settingsOutcomes] as const;
export type SiteSettingsState = (typeof siteSettingsStates)[number];

/** What headquarters wants set at a site. */
export interface SiteSettings {
  instance: string;
  /** 0: nothing was set from here yet. */
  version: number;
  values: SettingValues;
  state: SiteSettingsState;
  /** Who set it, and when, epoch ms. */
  by: string;
  at: number;
  /** What the site told last; null: nothing yet. */
  told: SettingsState | null;
}

export const nothingSet = (instance: string): SiteSettings => ({
  instance,
  version: 0,
  values: {},
  state: 'in_force',
  by: '',
  at: 0,
  told: null,
});

/** Values that a site of another version brings are kept as they are; what is sent again is checked again. */
export const asKept = (values: GivenValues): SettingValues => values as SettingValues;
