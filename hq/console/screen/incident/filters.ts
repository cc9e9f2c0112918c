import { filters, oneOf, text, whole } from '../../list/filter.ts';

export const incidentStates = ['auto', 'confirmed', 'split', 'closed'] as const;
export const layers = ['L1', 'L2', 'L3'] as const;

/** Of the address; each acts at the hub. Groups that were merged away are shown only when asked for. */
export const incidentFilters = filters({
  state: oneOf(incidentStates),
  layer: oneOf(layers),
  place: text,
  site: text,
  tenant: text,
  event: whole,
  test: oneOf(['yes']),
});
export type IncidentFilters = ReturnType<typeof incidentFilters>;
