import { filters, oneOf, text } from '../../list/filter.ts';

export const integrationTabs = ['webhooks', 'clients'] as const;

/** Of the address: which tab is shown, and of which tenant. */
export const integrationFilters = filters({ tab: oneOf(integrationTabs), tenant: text });
