import { filters, text } from '../../list/filter.ts';

/** Of the address: the site, and which of its plans. */
export const planFilters = filters({ site: text, plan: text });
