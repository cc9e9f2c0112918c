// Clauses that repeat another of the answer, as local rules repeat a law. Pure.
import { fold } from '../terms/terms.ts';

/** Share of the pairs of characters of both that two texts have in common for one to repeat the other. */
const SAME = 0.7;

/** What is compared of a text: pairs of neighbours, without signs. */
export function pairsOf(text: string): Set<string> {
  const characters = [...fold(text).replace(/[^\p{L}\p{N}]/gu, '')];
  return new Set(characters.slice(1).map((one, at) => `${characters[at]}${one}`));
}

export function repeats(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  if (few.size === 0 || few.size < SAME * many.size) return false;
  let both = 0;
  for (const pair of few) if (many.has(pair)) both += 1;
  return both >= SAME * (one.size + other.size - both);
}
