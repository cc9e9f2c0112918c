import { anyOf, filters, moment, oneOf, text } from '../../list/filter.ts';

/** Of the statistics of events. */
export const severities = ['critical', 'high', 'medium', 'low'] as const;
export const reportTabs = ['knowledge', 'statistics'] as const;
export const kinds = [
  'false_alarm_case',
  'shift_handover',
  'checklist',
  'weekly_report',
  'monthly_report',
  'postmortem_report',
] as const;

/** Of the address; the period and the tenant hold for both tabs. */
export const reportFilters = filters({
  tab: oneOf(reportTabs),
  since: moment,
  until: moment,
  tenant: text,
  kind: oneOf(kinds),
  system: text,
  event: text,
  severity: anyOf(severities),
  /** Of sites. */
  group: text,
  test: oneOf(['yes']),
  shifts: oneOf(['three']),
});
export type ReportFilters = ReturnType<typeof reportFilters>;

/** Of the address of one object: whose it is, which headquarters has to say. */
export const objectFilters = filters({ tenant: text });
