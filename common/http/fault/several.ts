import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { saidOf, saying } from './fault.ts';

/** What a parameter of a list may name one or several of. */
type What = 'what_severities' | 'what_states' | 'what_types' | 'what_kinds';

/** A parameter that names one or several known values, separated by commas; others are refused. */
export function severalOf<T extends string>(known: readonly T[], what: What) {
  const isKnown = (text: string): boolean =>
    text.split(',').every((one) => known.some((value) => value === one));
  const refusal = saying('comma_list', { what: saidOf(what), values: known.join(', ') });
  const longest = known.join(',').length;
  return {
    form: z.string().check(upTo(2 * longest), z.refine(isKnown, refusal)),
    /** Those that are named, in the order in which they are known. */
    read: (text: string): T[] => known.filter((one) => text.split(',').includes(one)),
  };
}
