import { filters, moment, oneOf, text } from '../../list/filter.ts';

/** In the order in which they stand. */
export const adminTabs = [
  'users',
  'permissions',
  'clearance',
  'sessions',
  'channels',
  'secrets',
  'alarms',
  'audit',
  'retention',
] as const;
export type AdminTab = (typeof adminTabs)[number];

/** Of every tab: each takes those that are its own. */
export const adminFilters = filters({
  tab: oneOf(adminTabs),
  q: text,
  tenant: text,
  actor: text,
  action: text,
  subject: text,
  evidence: oneOf(['hidden'] as const),
  since: moment,
  until: moment,
  severity: oneOf(['warning', 'critical'] as const),
  instance: text,
  cleared: oneOf(['shown'] as const),
});
