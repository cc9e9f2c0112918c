import { translate } from '../../../common/message.ts';
import { formatTime } from '../../../common/time.ts';
import type { SettingsState } from '../../../common/uplink/change/settings.ts';
import { formOf, settingNames } from '../../../common/uplink/settings/record.ts';
import { settingsMessages } from '../../../common/uplink/settings/settings-messages.ts';
import { standing } from './decide.ts';
import type { SiteSettings } from './port.ts';
import type { SiteSettingsView } from './schema.ts';

/** What can be set, as callers are shown it. */
export const forms = settingNames.map((name) => {
  const form = formOf(name);
  const none = { unit: null, least: null, most: null, choices: [] };
  return form.kind === 'number'
    ? { ...none, name, ...form }
    : { ...none, name, ...form, choices: [...form.choices] };
});

export function viewOf(one: SiteSettings): SiteSettingsView {
  const { instance, version, state, told } = one;
  // What a version before came to is not told of this one.
  const own = told?.version === version ? told : null;
  const reason = own && reasonOf(own);
  return {
    instance,
    version,
    state,
    by: version === 0 ? null : one.by,
    at: version === 0 ? null : formatTime(one.at),
    toldAt: told && formatTime(told.at),
    reason: reason?.reason ?? null,
    reasonZh: reason?.reasonZh ?? null,
    faults: (own?.faults ?? []).map((fault) => ({ name: fault.name, ...inBoth(fault.told, fault.reason) })),
    settings: settingsOf(one),
  };
}

function settingsOf(one: SiteSettings): SiteSettingsView['settings'] {
  const values = standing(one);
  const inUse = new Map(one.told?.in_use.map((used) => [used.name, used]));
  return settingNames.map((name) => {
    const [set, used] = [values[name] ?? null, inUse.get(name)];
    return {
      name,
      set,
      inUse: used === undefined ? null : { value: used.value, from: used.from },
      overruled: set !== null && used?.from === 'technician' && used.value !== set,
    };
  });
}

const reasonOf = ({ reason, told }: SettingsState): { reason: string; reasonZh: string } | null =>
  reason === null ? null : inBoth(told, reason);

/** What a site of another version says is shown as it says it, in English. */
const inBoth = (told: unknown, reason: string): { reason: string; reasonZh: string } => ({
  reason: translate(settingsMessages, told, 'en') ?? reason,
  reasonZh: translate(settingsMessages, told, 'zh') ?? reason,
});
