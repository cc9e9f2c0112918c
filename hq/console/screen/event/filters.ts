import { anyOf, filters, moment, oneOf, text } from '../../list/filter.ts';

export const severities = ['critical', 'high', 'medium', 'low'] as const;
export const verdicts = ['confirmed', 'false_alarm', 'merged'] as const;
export const sources = ['video', 'quick_photo'] as const;

/** Of the address; each acts at the hub. */
export const eventFilters = filters({
  /** Words that the events say. */
  q: text,
  since: moment,
  until: moment,
  severity: anyOf(severities),
  type: text,
  camera: text,
  source: oneOf(sources),
  place: text,
  /** The instance that the events arose at. */
  site: text,
  /** Of sites. */
  group: text,
  tenant: text,
  /** The first verdict, what it was corrected to, and what stands after that. */
  verdict: oneOf([...verdicts, 'none']),
  corrected: oneOf([...verdicts, 'none']),
  standing: oneOf([...verdicts, 'none']),
  test: oneOf(['yes']),
});
export type EventFilters = ReturnType<typeof eventFilters>;
