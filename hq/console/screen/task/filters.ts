import { anyOf, filters, oneOf, text, whole } from '../../list/filter.ts';

export const taskStates = ['open', 'taken_over', 'completed', 'closed', 'cancelled'] as const;
/** What somebody has to do something about: shown unless states are chosen. */
export const unfinished = ['open', 'taken_over', 'completed'] as const;
export const taskTypes = ['disposal', 'review', 'rectification', 'postmortem_request'] as const;
/** What somebody has to go and do: shown unless types are chosen. Reviews stand in a queue of their own. */
export const errandTypes = ['disposal', 'rectification', 'postmortem_request'] as const;
export const resultCodes = ['eliminated', 'controlled', 'false_alarm', 'to_hazard', 'other'] as const;
export const stepKinds = ['arrive', 'measure', 'result', 'handover', 'note'] as const;

/** Of the address; each acts at the hub. */
export const taskFilters = filters({
  state: anyOf(taskStates),
  type: anyOf(taskTypes),
  organisation: text,
  site: text,
  tenant: text,
  event: whole,
  mine: oneOf(['yes']),
  overdue: oneOf(['yes']),
});
export type TaskFilters = ReturnType<typeof taskFilters>;
