import { anyOf, filters, text } from '../../list/filter.ts';
import { severities } from '../event/filters.ts';

/** Of the address; each acts at the hub. */
export const reviewFilters = filters({
  severity: anyOf(severities),
  type: text,
  site: text,
  group: text,
  tenant: text,
});
export type ReviewFilters = ReturnType<typeof reviewFilters>;
