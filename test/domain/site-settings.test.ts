import { describe, expect, test } from 'vitest';
import {
  faultsOfValues,
  formOf,
  settingChange,
  settingNames,
  type SettingValues,
  withChange,
} from '../../common/uplink/settings/record.ts';
import { changed, noted, nothingSet, standing } from '../../hq/fleet/settings/decide.ts';
import { mayLookAfter } from '../../hq/fleet/whose.ts';
import { readSiteConfig } from '../../site/config.ts';
import {
  afterStart,
  atStart,
  inUseOf,
  longer,
  merged,
  NO_SETTINGS,
  offered,
  reached,
  settingsItemOf,
  takenBack,
} from '../../site/settings/decide.ts';
import type { KeptSettings } from '../../site/settings/record.ts';
import { seededRandom } from '../support/random.ts';

const bare = { CORE_UPLINK_URL: 'http://hq', CORE_UPLINK_KEY_REF: 'env:KEY', CORE_INSTANCE: 'site-1' };
const model = { AGENT_LLM_URL: 'http://model', AGENT_LLM_MODEL: 'm' };
/** What of a configuration headquarters may set, as the site reads it. */
const readOf = (env: Record<string, string | undefined>): unknown[] => {
  const read = readSiteConfig({ ...bare, ...model, ...env });
  return [
    ...[read.logLevel, read.uplink?.evidenceKbps ?? 0, read.evidence.total, read.evidence.tenantPercent],
    ...[read.cameraSilentHours, read.backupAlarmDays],
    ...[read.retention.eventsDays, read.retention.auditDays, read.retention.alarmsDays],
    ...[read.agent.model?.timeoutMs, read.agent.model?.callsPerDay, read.agent.model?.callsPerHour],
  ];
};

test('the reader of a site has the standards of the forms, and takes all that they allow', () => {
  expect(readOf({})).toEqual(settingNames.map((name) => formOf(name).standard));
  for (const end of ['least', 'most'] as const) {
    const values = settingNames.map((name) => {
      const form = formOf(name);
      return form.kind === 'number' ? form[end] : form.choices.at(end === 'least' ? 0 : -1);
    });
    const set = Object.fromEntries(settingNames.map((name, at) => [name, String(values[at])]));
    expect(readOf(set)).toEqual(values);
  }
});

test('nothing on the list is a key, an address, a path or a name', () => {
  for (const name of settingNames)
    expect(name).not.toMatch(/URL|_REF|KEY|LISTEN|DIR|SOCKET|NETWORKS|PROXIES|INSTANCE|TLS|TENANTS|FILE/);
});

test('whatever is set where, the environment of the site wins, then headquarters, then the program', () => {
  const random = seededRandom(32);
  for (let round = 0; round < 300; round += 1) {
    const own: Record<string, string> = {};
    const values: Record<string, number | string> = {};
    for (const name of settingNames) {
      const form = formOf(name);
      const any = () =>
        form.kind === 'number'
          ? random.whole(form.least, Math.min(form.most, form.least + 50))
          : random.pick([...form.choices]);
      if (random.chance(0.4)) own[name] = random.chance(0.2) ? '' : String(any());
      if (random.chance(0.5)) values[name] = any();
    }
    expect(faultsOfValues(values)).toEqual([]);
    const read = readOf(merged(own, values));
    const expected = settingNames.map((name) => {
      const text = own[name] || values[name];
      return text === undefined
        ? formOf(name).standard
        : formOf(name).kind === 'number'
          ? Number(text)
          : text;
    });
    expect(read).toEqual(expected);
    const used = inUseOf(own, values);
    expect(used.map(({ value }) => value)).toEqual(expected);
    expect(used.map(({ from }) => from)).toEqual(
      settingNames.map((name) =>
        own[name] ? 'technician' : values[name] === undefined ? 'standard' : 'headquarters',
      ),
    );
  }
});

test('every fault is told, and the form of the API refuses what the site would', () => {
  const values = { CORE_LISTEN: 'x', CORE_RETENTION_EVENTS_DAYS: 1, CORE_LOG_LEVEL: 'loud' };
  expect(faultsOfValues(values).map(({ name, told }) => [name, told.code])).toEqual([
    ['CORE_LISTEN', 'setting_unknown'],
    ['CORE_RETENTION_EVENTS_DAYS', 'setting_number'],
    ['CORE_LOG_LEVEL', 'setting_choice'],
  ]);
  expect(settingChange.safeParse(values).error?.issues).toHaveLength(3);
  expect(settingChange.safeParse({ CORE_LOG_LEVEL: null, CORE_BACKUP_ALARM_DAYS: 0 }).success).toBe(true);
});

const item = (version: number, days: number) => ({
  version,
  values: { CORE_RETENTION_EVENTS_DAYS: days },
  by: 'anna',
  at: 0,
});
const good = () => null;
const take = (kept: KeptSettings, version: number): KeptSettings =>
  offered(kept, item(version, 100 + version), { faults: [], now: version });
const daysOf = ({ inForce }: KeptSettings): unknown => inForce?.values.CORE_RETENTION_EVENTS_DAYS;

describe('at a site', () => {
  test('what was not confirmed is taken back, whatever ended the program, and what was before stays', () => {
    const first = afterStart(atStart(reached(take(NO_SETTINGS, 1), 1), good, 2));
    expect(first).toMatchObject({ stage: 'rest', inForce: { proved: true }, told: { state: 'in_force' } });
    const tried = take(take(first, 2), 3);
    expect(daysOf(tried)).toBe(103);
    const back = atStart(tried, good, 9);
    expect(daysOf(back)).toBe(101);
    expect(back).toMatchObject({ stage: 'rest', told: { version: 3, state: 'taken_back', since: 9 } });
    // However often it is killed from now on.
    expect(atStart(back, good, 10)).toEqual(back);
  });

  test('what does not get through its first start is taken back with the next', () => {
    const one = afterStart(atStart(reached(take(NO_SETTINGS, 1), 1), good, 2));
    const starting = atStart(reached(take(one, 2), 3), good, 4);
    expect(starting).toMatchObject({ stage: 'starting' });
    const back = atStart(starting, good, 5);
    expect([daysOf(back), back.stage]).toEqual([101, 'rest']);
    expect(back.told?.reason).toEqual({ code: 'settings_start', params: {} });
  });

  test('what a new version of the program does not read goes, and the site starts', () => {
    const kept = reached(take(reached(take(NO_SETTINGS, 1), 1), 2), 2);
    const back = atStart(kept, () => 'no such thing', 5);
    expect([back.inForce, back.told?.reason?.code]).toEqual([null, 'settings_unreadable']);
  });

  test('a refused version changes nothing that is in use', () => {
    const kept = take(NO_SETTINGS, 1);
    const faults = [{ name: 'X', told: { code: 'setting_unknown', params: { name: 'X' } } }];
    const next = offered(kept, item(2, 5), { faults, now: 5 });
    expect([daysOf(next), next.told?.state]).toEqual([101, 'refused']);
    expect(settingsItemOf(reached(next, 6), 7)).toMatchObject({
      state: 'refused',
      faults: [{ reason: 'X cannot be set from headquarters at this site' }],
    });
    expect(
      daysOf(takenBack(next, { code: 'settings_no_contact', params: { minutes: 5 } }, 7)),
    ).toBeUndefined();
  });

  test('until it is confirmed nothing is deleted sooner', () => {
    const of = (days: number | null) => ({ eventsDays: days, auditDays: 9, alarmsDays: null });
    expect(longer(of(3), of(8)).eventsDays).toBe(8);
    expect(longer(of(3), of(null)).eventsDays).toBeNull();
  });
});

describe('at headquarters', () => {
  const by = { by: 'anna', change: { CORE_LOG_LEVEL: 'debug' } };
  const told = (
    version: number,
    state: 'in_force' | 'taken_back' | 'refused',
    values: SettingValues,
    holds = values,
  ) => ({
    ...{ change_no: 1, kind: 'settings' as const, version, state, values, by: 'bob', at: 1 },
    ...{ in_use: [], faults: [], reason: null, told: null, holds },
  });

  test('a change goes on from what last worked', () => {
    const one = changed(nothingSet('s'), by, 1);
    const inForce = noted(one, told(1, 'in_force', one.values));
    const two = changed(inForce, { by: 'bob', change: { CORE_BACKUP_ALARM_DAYS: 3 } }, 2);
    expect(two.values).toEqual({ CORE_LOG_LEVEL: 'debug', CORE_BACKUP_ALARM_DAYS: 3 });
    const back = noted(two, told(2, 'taken_back', two.values, one.values));
    expect(standing(back)).toEqual({ CORE_LOG_LEVEL: 'debug' });
    expect(changed(back, { by: 'bob', change: { CORE_LOG_LEVEL: null } }, 3)).toMatchObject({
      ...{ version: 3, values: {}, state: 'waiting' },
    });
  });

  test('an older store of the site hears of it again; a newer version there is never taken for this one', () => {
    const two = { ...changed(nothingSet('s'), by, 1), version: 2, state: 'in_force' as const };
    expect(noted(two, told(1, 'in_force', {}))).toMatchObject({ version: 2, state: 'waiting' });
    expect(noted(two, told(7, 'in_force', {}))).toMatchObject({ version: 7, values: {}, by: 'bob' });
    const waiting = { ...two, state: 'waiting' as const };
    expect(noted(waiting, told(7, 'in_force', {}))).toMatchObject({ version: 8, values: two.values });
  });

  test('null leaves a setting to the program', () => {
    expect(
      withChange({ CORE_LOG_LEVEL: 'warn', CORE_BACKUP_ALARM_DAYS: 0 }, { CORE_LOG_LEVEL: null }),
    ).toEqual({
      CORE_BACKUP_ALARM_DAYS: 0,
    });
  });
});

test('who is bound to a tenant looks after sites of that tenant alone, and of nobody after none', () => {
  expect(mayLookAfter(['acme'], 'acme')).toBe(true);
  for (const tenants of [['acme', 'other'], ['other'], []]) expect(mayLookAfter(tenants, 'acme')).toBe(false);
  for (const tenants of [['acme', 'other'], []]) expect(mayLookAfter(tenants, null)).toBe(true);
});
