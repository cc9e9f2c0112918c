import { filters, moment, oneOf, text, whole } from '../../list/filter.ts';
import { eventNames } from '../webhook/event-words.ts';

export const deliveryStates = ['pending', 'success', 'failed'] as const;

/** Of the address; `delivery` is the one that is open. */
export const deliveryFilters = filters({
  status: oneOf(deliveryStates),
  event: oneOf(eventNames),
  code: whole,
  since: moment,
  until: moment,
  delivery: text,
});
export type DeliveryFilters = ReturnType<typeof deliveryFilters>;
