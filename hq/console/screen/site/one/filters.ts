import { filters, oneOf } from '../../../list/filter.ts';

export const siteTabs = [
  ...(['flow', 'parked', 'cameras', 'day'] as const),
  ...(['policies', 'settings', 'keys', 'care'] as const),
] as const;

export const siteTab = filters({ tab: oneOf(siteTabs) });
