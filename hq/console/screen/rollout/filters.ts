import { filters, oneOf, text, whole } from '../../list/filter.ts';

/** As the hub names how far a site is. */
export const steps = [
  'planned',
  'waiting',
  'fetching',
  'fetched',
  'installing',
  'installed',
  'taken_back',
  'refused',
  'stuck',
  'silent',
  'stopping',
  'stopped',
  'already',
  'unable',
  'left_out',
  'gone',
] as const;

export const rolloutSiteFilters = filters({
  wave: whole,
  step: oneOf(steps),
  failed: oneOf(['yes'] as const),
  q: text,
});
export type RolloutSiteFilters = ReturnType<typeof rolloutSiteFilters>;
