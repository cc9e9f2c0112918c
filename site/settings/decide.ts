// How settings of headquarters come into force at a site, and out of it. Pure.
import type { RetentionLimits } from '../../common/core/retention/record.ts';
import { type Message, translate } from '../../common/message.ts';
import type { SettingsState } from '../../common/uplink/change/settings.ts';
import {
  asVariables,
  formOf,
  type GivenValues,
  type SettingInUse,
  settingNames,
  type SettingsItem,
} from '../../common/uplink/settings/record.ts';
import { settingsMessages } from '../../common/uplink/settings/settings-messages.ts';
import type { Draft, KeptSettings, ShownSettings, ToldSettings, ValueFault } from './record.ts';

export const NO_SETTINGS: KeptSettings = {
  inForce: null,
  before: null,
  stage: 'rest',
  told: null,
  inUse: [],
};

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables of the site's own environment win; an empty one counts as absent. */
export function merged(own: Variables, values: GivenValues): Variables {
  const given = Object.entries(own).filter(([, value]) => value !== undefined && value !== '');
  return { ...asVariables(values), ...Object.fromEntries(given) };
}

/** What is in use of each variable, and whose value it is. */
export function inUseOf(own: Variables, values: GivenValues): SettingInUse[] {
  return settingNames.map((name) => {
    const { kind, standard } = formOf(name);
    const set = own[name];
    if (set !== undefined && set !== '')
      return {
        name,
        value: kind === 'number' && /^\d{1,15}$/.test(set) ? Number(set) : set,
        from: 'technician',
      };
    const value = values[name];
    return value === undefined
      ? { name, value: standard, from: 'standard' }
      : { name, value, from: 'headquarters' };
  });
}

/**
 * As the site begins: what was in use without being confirmed, or did not get through its first start, is
 * taken back, and so is what this version does not read.
 * @param fault what the reader of the configuration says of values; null: it takes them
 */
export function atStart(
  kept: KeptSettings,
  fault: (values: GivenValues) => string | null,
  now: number,
): KeptSettings {
  let next = kept;
  if (next.stage === 'trial') next = takenBack(next, { code: 'settings_stopped', params: {} }, now);
  if (next.stage === 'starting') next = takenBack(next, { code: 'settings_start', params: {} }, now);
  for (let said = saidOf(next, fault); said !== null; said = saidOf(next, fault))
    next = takenBack(next, { code: 'settings_unreadable', params: { said } }, now);
  return next.inForce && !next.inForce.proved ? { ...next, stage: 'starting' } : next;
}

const saidOf = ({ inForce }: KeptSettings, fault: (values: GivenValues) => string | null): string | null =>
  inForce && fault(inForce.values);

/** The site is through its start. */
export function afterStart(kept: KeptSettings): KeptSettings {
  if (kept.stage !== 'starting' || !kept.inForce) return kept;
  return { ...kept, inForce: { ...kept.inForce, proved: true }, before: null, stage: 'rest' };
}

/** Headquarters named a version that is not known here yet. */
export function offered(
  kept: KeptSettings,
  item: SettingsItem,
  { faults, now }: { faults: ValueFault[]; now: number },
): KeptSettings {
  const told: ToldSettings = { ...item, state: 'trying', since: now, faults, reason: null };
  if (faults.length > 0) return { ...kept, told: { ...told, state: 'refused' } };
  const inForce: Draft = { ...item, proved: false };
  // Of two that follow each other fast, what was before the first is what is known to work.
  const before = kept.stage === 'trial' ? kept.before : kept.inForce;
  return { ...kept, inForce, before, stage: 'trial', told };
}

export const isKnown = ({ told }: KeptSettings, { version }: SettingsItem): boolean =>
  told !== null && version <= told.version;

/** Headquarters was reached with what is tried. */
export const reached = (kept: KeptSettings, now: number): KeptSettings =>
  kept.stage === 'trial' ? { ...kept, stage: 'rest', told: toldOf(kept, { state: 'in_force', now }) } : kept;

/** What was before is in use again. */
export const takenBack = (kept: KeptSettings, reason: Message, now: number): KeptSettings => ({
  ...kept,
  inForce: kept.before,
  before: null,
  stage: 'rest',
  told: toldOf(kept, { state: 'taken_back', now, reason }),
});

/** A version that was refused meanwhile is what headquarters waits to hear of. */
function toldOf(
  { told, inForce }: KeptSettings,
  { state, now, reason = null }: { state: ToldSettings['state']; now: number; reason?: Message | null },
): ToldSettings | null {
  if (!told || told.version !== inForce?.version) return told;
  return { ...told, state, since: now, reason };
}

/** What is deleted too early no setting brings back: until they are confirmed the longer time holds. */
export const longer = (one: RetentionLimits, other: RetentionLimits): RetentionLimits => ({
  eventsDays: longest(one.eventsDays, other.eventsDays),
  auditDays: longest(one.auditDays, other.auditDays),
  alarmsDays: longest(one.alarmsDays, other.alarmsDays),
});

const longest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one, other);

/** What a person at the site is shown of them; null: headquarters has named nothing. */
export function shownOf({ told, inUse }: KeptSettings): ShownSettings | null {
  if (!told) return null;
  const { version, by, state, since } = told;
  const held = inUse.filter(({ from }) => from === 'headquarters');
  return { version, by, state, since, inUse: held.map(({ name, value }) => ({ name, value })) };
}

/** How it goes up; null: headquarters has named nothing. */
export function settingsItemOf(
  { told, inForce, inUse }: KeptSettings,
  changeNo: number,
): SettingsState | null {
  if (!told) return null;
  const { version, state, values, by, since, faults, reason } = told;
  return {
    change_no: changeNo,
    kind: 'settings',
    ...{ version, state, values, by, at: since, in_use: inUse },
    holds: inForce?.values ?? {},
    faults: faults.map((fault) => ({ ...fault, reason: english(fault.told) })),
    reason: reason && english(reason),
    told: reason,
  };
}

const english = (message: Message): string => translate(settingsMessages, message, 'en') ?? message.code;
