import { filters, oneOf, text } from '../../list/filter.ts';

export const alarmFilters = filters({
  severity: oneOf(['warning', 'critical'] as const),
  instance: text,
  tenant: text,
  cleared: oneOf(['shown'] as const),
});
