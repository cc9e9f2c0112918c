import { filters, oneOf, text } from '../../list/filter.ts';

export const ruleKinds = ['response', 'threshold', 'prompt', 'model_ledger'] as const;

/** `rule` is the one that is open: tenant, kind and name as its row has them. */
export const ruleFilters = filters({ q: text, kind: oneOf(ruleKinds), tenant: text, rule: text });

/** Of the types of events: `own` are those that the tenant has set. */
export const typeFilters = filters({ q: text, tenant: text, own: oneOf(['yes']) });

/** Ways in which a rule tells somebody. */
export const channels = ['inbox', 'chat', 'sms'] as const;
