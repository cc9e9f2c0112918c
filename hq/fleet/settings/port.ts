import type { Stamp } from '../../../common/clock.ts';
import type { SettingsState } from '../../../common/uplink/change/settings.ts';
import type { SettingChange, SettingsItem, SettingValues } from '../../../common/uplink/settings/record.ts';
import type { SiteSettingsState } from './record.ts';

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

export interface SettingsChange {
  change: SettingChange;
  /** The version that the change was made on; null: whichever stands. */
  expected: number | null;
  by: string;
}

/** What is set at sites from here; each method is one transaction. */
export interface SiteSettingsPort {
  /** Of sites for which anything was ever set, by their names. */
  of(instances: readonly string[]): Promise<Map<string, SiteSettings>>;
  /**
   * A new version for each of the sites, with its audit entry.
   * @returns them in the order of their names; null where one stands at another version than expected
   */
  change(instances: readonly string[], change: SettingsChange, stamp: Stamp): Promise<SiteSettings[] | null>;
  /** Those of these that wait for their site, by their ids. */
  open(named: readonly { tenantCode: string; id: string }[]): Promise<Map<string, SettingsItem>>;
}
