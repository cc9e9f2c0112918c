import { filters, moment, oneOf, text, whole } from '../../list/filter.ts';

/** States as people see them: what waits for its day is one of its own. */
export const documentStates = [
  'uploaded',
  'parsing',
  'review',
  'scheduled',
  'effective',
  'superseded',
  'withdrawn',
] as const;
export type FileStateName = (typeof documentStates)[number];
export const levels = ['public', 'internal', 'confidential', 'secret'] as const;

/** Whose library is looked at, and with whose clearance; every page of the library has them. */
const eyes = { tenant: text, as: text, all: oneOf(['1'] as const) };

export const eyesFilters = filters(eyes);
export type EyesFilters = ReturnType<typeof eyesFilters>;
/** One clause of a file, to be shown before the others. */
export const fileClause = filters({ ...eyes, clause: whole });
export const searchFilters = filters({ ...eyes, q: text, chunk: whole });
export const fileFilters = filters({ ...eyes, q: text, status: oneOf(documentStates) });
/** Questions without a certain answer, or answers that were marked wrong. */
export const questionFilters = filters({ ...eyes, kind: oneOf(['wrong'] as const) });
export const answerFilters = filters({
  ...eyes,
  asker: text,
  feedback: oneOf(['useful', 'wrong'] as const),
  since: moment,
  until: moment,
  qa: whole,
});
