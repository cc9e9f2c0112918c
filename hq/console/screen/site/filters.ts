import { anyOf, filters, oneOf, text, whole } from '../../list/filter.ts';

export const siteStates = ['silent', 'late', 'away', 'current'] as const;
/** Columns by which the hub orders. */
const orders = ['state', 'name', 'seen', 'oldest', 'parked', 'shed', 'room', 'alarms'] as const;

export const siteFilters = filters({
  q: text,
  state: anyOf(siteStates),
  needs: oneOf(['care'] as const),
  group: text,
  tenant: text,
  order: oneOf(orders),
  direction: oneOf(['descending'] as const),
  page: whole,
});
export type SiteFilters = ReturnType<typeof siteFilters>;

/** Sites of one page of the list. */
export const PAGE_SIZE = 50;

/** What the hub is asked for. */
export const queryOf = ({ q, state, needs, group, tenant, order, direction, page }: SiteFilters) => ({
  limit: PAGE_SIZE,
  offset: PAGE_SIZE * (Math.max(1, page ?? 1) - 1),
  ...(q !== undefined && { q }),
  ...(state !== undefined && { state: state.join(',') }),
  ...(needs !== undefined && { care: 'true' as const }),
  ...(group !== undefined && { group }),
  ...(tenant !== undefined && { tenant_code: tenant }),
  ...(order !== undefined && { order }),
  ...(direction !== undefined && { direction }),
});

/** Another order begins on its first page. @param by undefined: as the hub orders by itself */
export const ordering = (by: string | undefined, descending: boolean): SiteFilters => ({
  order: orders.find((one) => one === by),
  direction: by !== undefined && descending ? 'descending' : undefined,
  page: undefined,
});
