import * as z from 'zod/mini';
import { described } from '../../../common/http/described.ts';
import {
  settingChange,
  settingNames,
  settingOrigins,
  settingUnits,
} from '../../../common/uplink/settings/record.ts';
import { groupName } from '../../receiver/fleet/schema.ts';
import { siteSettingsStates } from './record.ts';

const value = z.union([z.int(), z.string()]);
const messages = { reason: z.string(), reasonZh: z.string() };

/** How one setting is shown. */
const settingView = z
  .object({
    name: z.enum(settingNames),
    /** What headquarters has set; null: nothing. */
    set: z.nullable(value),
    inUse: z.nullable(z.object({ value: z.nullable(value), from: z.enum(settingOrigins) })),
    overruled: z.boolean(),
  })
  .register(described, { id: 'Setting' });

export const settingFormView = z
  .object({
    name: z.enum(settingNames),
    kind: z.enum(['number', 'choice']),
    unit: z.nullable(z.enum(settingUnits)),
    least: z.nullable(z.int()),
    most: z.nullable(z.int()),
    choices: z.array(z.string()),
    standard: z.nullable(value),
  })
  .register(described, { id: 'SettingForm' });

export const siteSettingsView = z
  .object({
    instance: z.string(),
    version: z.int(),
    state: z.enum(siteSettingsStates),
    by: z.nullable(z.string()),
    at: z.nullable(z.string()),
    toldAt: z.nullable(z.string()),
    reason: z.nullable(z.string()),
    reasonZh: z.nullable(z.string()),
    faults: z.array(z.object({ name: z.string(), ...messages })),
    settings: z.array(settingView),
  })
  .register(described, { id: 'SiteSettings' });
export type SiteSettingsView = z.infer<typeof siteSettingsView>;

export const siteSettingsChange = z
  .strictObject({
    values: settingChange,
    expected_version: z.optional(z.int().check(z.minimum(0))),
  })
  .register(described, { id: 'SiteSettingsChange' });

export const groupSettingsChange = z
  .strictObject({ group: groupName, values: settingChange })
  .register(described, { id: 'GroupSettingsChange' });
