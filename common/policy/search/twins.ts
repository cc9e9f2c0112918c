// Clauses that repeat another of the answer, as local rules repeat a law. Pure.
import { fold } from '../terms/terms.ts';

/** Share of the pairs of characters of both that two texts have in common for one to repeat the other. */
const SAME = 0.7;
const NUMERALS = '〇零一二三四五六七八九十百千万两';
/** A clause is another one in each file, and may refer to others. */
const REFERENCE = new RegExp(`第[\\d${NUMERALS}]+[章节条款项目]`, 'g');
/** A clause with another number, or with a "not" more, says something else in nearly the same words. */
const TELLING = new RegExp(`\\d+(?:[.,]\\d+)*|[${NUMERALS}]+|[不禁未无勿]|\\b(?:not|no|never)\\b`, 'g');

/** What is compared of a text. */
export interface Wording {
  /** Pairs of neighbours, without signs. */
  pairs: ReadonlySet<string>;
  /** Numbers and negations, in their order. */
  telling: string;
}

export function wordingOf(text: string): Wording {
  const plain = fold(text).replace(REFERENCE, '');
  const characters = [...plain.replace(/[^\p{L}\p{N}]/gu, '')];
  return {
    pairs: new Set(characters.slice(1).map((one, at) => `${characters[at]}${one}`)),
    telling: (plain.match(TELLING) ?? []).join(' '),
  };
}

export function repeats(one: Wording, other: Wording): boolean {
  if (one.telling !== other.telling) return false;
  const [few, many] = one.pairs.size < other.pairs.size ? [one.pairs, other.pairs] : [other.pairs, one.pairs];
  if (few.size === 0 || few.size < SAME * many.size) return false;
  let both = 0;
  for (const pair of few) if (many.has(pair)) both += 1;
  return both >= SAME * (one.pairs.size + other.pairs.size - both);
}
