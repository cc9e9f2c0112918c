import { anyOf, filters, oneOf, text } from '../../list/filter.ts';

export const siteStates = ['silent', 'late', 'away', 'current'] as const;

export const siteFilters = filters({
  q: text,
  state: anyOf(siteStates),
  needs: oneOf(['care'] as const),
});
export type SiteFilters = ReturnType<typeof siteFilters>;
