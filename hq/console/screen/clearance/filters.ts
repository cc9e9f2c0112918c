import { filters, text } from '../../list/filter.ts';

export const clearanceFilters = filters({ tenant: text });
