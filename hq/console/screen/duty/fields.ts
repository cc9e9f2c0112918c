// What the dialog of a rota holds, and what the hub takes.
import type { Rota } from './queries.ts';

export interface ShiftFields {
  days: number[];
  begin: string;
  end: string;
  people: string[];
  weekly: boolean;
}
export interface ExceptionFields {
  from: string;
  to: string;
  away?: string | null;
  instead?: string | null;
}
export interface RotaFields {
  name: string;
  operators: boolean;
  tenant: string;
  sites: string[];
  siteGroups: string[];
  from: Rota['from'];
  alarms: Rota['alarms'];
  zone: string;
  firstWeek: string;
  nextAfterMinutes: number;
  enabled: boolean;
  shifts: ShiftFields[];
  exceptions: ExceptionFields[];
}

const WORKDAYS = [1, 2, 3, 4, 5, 6, 7];
export const NEW_SHIFT: ShiftFields = {
  ...{ days: WORKDAYS, begin: '08:00', end: '20:00', people: [], weekly: false },
};

/** The Monday of the week of this day, as YYYY-MM-DD. */
export function mondayOf(now: Date): string {
  const day = new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

/** @param tenant whose a new one is at first @param zone its clock */
export function fieldsOf(rota: Rota | null, tenant: string | null, zone: string): RotaFields {
  if (!rota)
    return {
      ...{
        name: '',
        operators: tenant === null,
        tenant: tenant ?? '',
        sites: [],
        siteGroups: [],
        from: 'high',
      },
      ...{ alarms: 'critical', zone, firstWeek: mondayOf(new Date()), nextAfterMinutes: 5, enabled: true },
      ...{ shifts: [NEW_SHIFT], exceptions: [] },
    };
  const { tenantCode, sites, ...rest } = rota;
  return { ...rest, operators: tenantCode === null, tenant: tenantCode ?? '', sites: sites ?? [] };
}

export const bodyOf = (fields: RotaFields) => ({
  tenant_code: fields.operators ? null : fields.tenant,
  name: fields.name,
  sites: fields.sites.length === 0 ? null : fields.sites,
  site_groups: fields.siteGroups,
  from: fields.from,
  alarms: fields.alarms,
  zone: fields.zone,
  first_week: fields.firstWeek,
  next_after_minutes: fields.nextAfterMinutes,
  enabled: fields.enabled,
  shifts: fields.shifts.map(({ days, begin, end, people, weekly }) => ({ days, begin, end, people, weekly })),
  exceptions: fields.exceptions.map(({ from, to, away, instead }) => ({
    ...{ from, to, away: away ?? null, instead: instead ?? null },
  })),
});
