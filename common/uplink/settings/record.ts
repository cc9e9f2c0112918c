/**
 * What of a site can be set from headquarters, in the one form that both ends go by: an allow-list of
 * variables (CONFIGURATION.md), each with its bounds. Never on it: keys and references to secrets, addresses,
 * ports, paths and networks, the name of the site, and whatever could cut the link, stop the intake or hand
 * out data. All of them are put to use while the site runs, so that no change stops its intake. The bounds
 * are those of the site's own reader or narrower, as what was deleted too early comes back with no setting.
 */
import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { described } from '../../http/described.ts';
import type { Message } from '../../message.ts';

export const settingUnits = ['kbps', 'bytes', 'percent', 'hours', 'days', 'ms', 'calls'] as const;
export type SettingUnit = (typeof settingUnits)[number];

export interface NumberForm {
  kind: 'number';
  unit: SettingUnit;
  least: number;
  most: number;
  /** What holds where nobody has set it; null: nothing is bounded. */
  standard: number | null;
}

export interface ChoiceForm {
  kind: 'choice';
  choices: readonly [string, ...string[]];
  standard: string;
}

const number = (unit: SettingUnit, [least, most]: [number, number], standard: number | null): NumberForm => ({
  kind: 'number',
  unit,
  least,
  most,
  standard,
});

const GIB = 1024 ** 3;

export const settingForms = {
  CORE_LOG_LEVEL: {
    kind: 'choice',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
    standard: 'info',
  },
  CORE_UPLINK_EVIDENCE_KBPS: number('kbps', [0, 10_000_000], 0),
  CORE_EVIDENCE_LIMIT: number('bytes', [GIB, 100_000 * GIB], 10 * GIB),
  CORE_EVIDENCE_TENANT_PERCENT: number('percent', [0, 100], 0),
  CORE_CAMERA_SILENT_HOURS: number('hours', [1, 8_760], 24),
  CORE_BACKUP_ALARM_DAYS: number('days', [0, 3_650], 8),
  CORE_RETENTION_EVENTS_DAYS: number('days', [7, 36_500], null),
  CORE_RETENTION_AUDIT_DAYS: number('days', [90, 36_500], null),
  CORE_RETENTION_ALARMS_DAYS: number('days', [7, 36_500], null),
  AGENT_LLM_TIMEOUT_MS: number('ms', [1_000, 120_000], 20_000),
  AGENT_LLM_CALLS_PER_DAY: number('calls', [1, 10_000_000], 2_000),
  AGENT_LLM_CALLS_PER_HOUR: number('calls', [1, 1_000_000], 120),
} as const satisfies Record<string, NumberForm | ChoiceForm>;

export type SettingName = keyof typeof settingForms;
export type SettingForm = NumberForm | ChoiceForm;
export const settingNames = Object.keys(settingForms) as [SettingName, ...SettingName[]];
export const formOf = (name: SettingName): SettingForm => settingForms[name];
const isName = (name: string): name is SettingName => Object.hasOwn(settingForms, name);

export type SettingValue = number | string;
/** Values by the name of their variable; one that is not there is as the site's program has it. */
export type SettingValues = Readonly<Partial<Record<SettingName, SettingValue>>>;

/** Of another version it may have names and values that are not known here. */
export type GivenValues = Readonly<Record<string, SettingValue>>;

const valueOf = (form: SettingForm) =>
  form.kind === 'number' ? z.int().check(z.minimum(form.least), z.maximum(form.most)) : z.enum(form.choices);

const shapeOf = <T>(of: (form: SettingForm) => T): Record<SettingName, T> =>
  Object.fromEntries(settingNames.map((name) => [name, of(formOf(name))])) as Record<SettingName, T>;

/** null: as the program has it. */
export const settingChange = z
  .strictObject(shapeOf((form) => z.optional(z.nullable(valueOf(form)))))
  .register(described, { id: 'SettingChange' });
export type SettingChange = Readonly<Partial<Record<SettingName, SettingValue | null>>>;

/** Whether anything can be wrong with them, all of it. @returns by name, in their order */
export function faultsOfValues(values: GivenValues): { name: string; told: Message }[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (!isName(name)) return [{ name, told: { code: 'setting_unknown', params: { name } } }];
    const form = formOf(name);
    if (valueOf(form).safeParse(value).success) return [];
    const told =
      form.kind === 'number'
        ? { code: 'setting_number', params: { name, least: form.least, most: form.most } }
        : { code: 'setting_choice', params: { name, choices: form.choices.join(', ') } };
    return [{ name, told }];
  });
}

/** `values` after a change. */
export function withChange(values: SettingValues, change: SettingChange): SettingValues {
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = change[name] === undefined ? values[name] : change[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

/** Values as variables of the environment. */
export const asVariables = (values: GivenValues): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

const givenValue = z.union([z.int(), z.string().check(upTo(256))]);
const MOST_VALUES = 100;
export const givenValues = z
  .record(z.string().check(upTo(64)), givenValue)
  .check(z.refine((values) => Object.keys(values).length <= MOST_VALUES));

/** Body of an item of the inbox: all that headquarters sets, whole. */
export const settingsItem = z.object({
  /** Ascending at a site. */
  version: z.int().check(z.minimum(1)),
  values: givenValues,
  by: z.string().check(upTo(256)),
  /** When it was set, epoch ms by the clock of headquarters. */
  at: z.int().check(z.minimum(0)),
});
export type SettingsItem = z.infer<typeof settingsItem>;

/**
 * What became of a version at its site. `trying`: it is in use, and the site has not reached headquarters
 * since. `taken_back`: what was before is in use again. `refused`: it was never in use.
 */
export const settingsOutcomes = ['trying', 'in_force', 'taken_back', 'refused'] as const;
export type SettingsOutcome = (typeof settingsOutcomes)[number];

/** Whose value is in use: the program's, headquarters', or that of the site's own environment, which wins. */
export const settingOrigins = ['standard', 'headquarters', 'technician'] as const;
export type SettingOrigin = (typeof settingOrigins)[number];

/** What is in use of one variable; null: nothing is bounded. */
export interface SettingInUse {
  name: string;
  value: SettingValue | null;
  from: SettingOrigin;
}
