import { filters, text } from '../../list/filter.ts';

export const channelFilters = filters({ tenant: text });
