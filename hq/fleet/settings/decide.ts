// How what is set from headquarters stands. Pure.
import type { SettingsState } from '../../../common/uplink/change/settings.ts';
import { type GivenValues, type SettingValues, withChange } from '../../../common/uplink/settings/record.ts';
import type { SettingsChange, SiteSettings } from './port.ts';

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
const asKept = (values: GivenValues): SettingValues => values as SettingValues;

/** The next version of a site. A change goes on from what stands, or from what last worked there. */
export function changed(
  before: SiteSettings,
  { change, by }: Pick<SettingsChange, 'change' | 'by'>,
  at: number,
): SiteSettings {
  return {
    ...before,
    version: Math.max(before.version, before.told?.version ?? 0) + 1,
    values: withChange(standing(before), change),
    state: 'waiting',
    by: by.replace(ADDRESS, ''),
    at,
  };
}

/** The address that somebody called from is for the audit alone. */
const ADDRESS = / from (?:\S+|local socket)$/;

/** What is to hold at the site. */
export const standing = ({ state, values, told }: SiteSettings): SiteSettings['values'] =>
  state === 'refused' || state === 'taken_back' ? asKept(told?.holds ?? {}) : values;

/** What a site told. It may have a version that this database, put back from a copy, does not know. */
export function noted(before: SiteSettings, told: SettingsState): SiteSettings {
  if (told.version === before.version) return { ...before, state: told.state, told };
  // An older store of the site, or the word on the version before: it is to hear of this one again.
  if (told.version < before.version) return { ...before, state: 'waiting', told };
  if (before.state === 'waiting') return { ...before, version: told.version + 1, told };
  const { version, state, by, at } = told;
  return { ...before, version, state, by, at, values: asKept(told.values), told };
}
