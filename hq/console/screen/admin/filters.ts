import { filters, moment, oneOf, text } from '../../list/filter.ts';

export const adminTabs = ['users', 'sessions', 'channels', 'alarms', 'audit', 'retention'] as const;
export type AdminTab = (typeof adminTabs)[number];

export const adminFilters = filters({
  tab: oneOf(adminTabs),
  q: text,
  actor: text,
  action: text,
  subject: text,
  since: moment,
  cleared: oneOf(['shown'] as const),
});
export type AdminFilters = ReturnType<typeof adminFilters>;
