import { filters, oneOf } from '../../../list/filter.ts';

export const siteTabs = ['flow', 'parked', 'cameras', 'day', 'policies', 'settings', 'keys'] as const;

export const siteTab = filters({ tab: oneOf(siteTabs) });
