// Whether the best hits are an answer, or only the nearest of what the library has. Pure. A question that the
// library knows nothing of shares a word or two with some clause all the same, and the larger the library the
// more so: what a hit shares is held against how rare a word of it can be. `npm run bench -- policy` prints
// how many questions without an answer are told so, and how many with one.
import type { Candidate, RankedTerm, Ranking } from '../index/rank.ts';
import { isBeginning } from '../terms/english.ts';
import { isCharacter } from '../terms/terms.ts';
import type { CertainNote } from './schema.ts';

/** What the share of the question that a hit has counts for, beside how rare it is. */
const SHARE = 2;
/** Found over three libraries of 100 to 6,400 clauses, with and without answers to what was asked. */
const LEAST = 0.18;
/** A cosine that texts about the same have in the usual models, whatever words they have in common. */
const NEAR = 0.7;

export function certainNoteOf(
  { terms, chunks }: Pick<Ranking, 'terms' | 'chunks'>,
  best: readonly Pick<Candidate, 'matched' | 'vector'>[],
): CertainNote {
  if (best.length === 0) return 'nothing_found';
  const most = Math.log(1 + chunks);
  const told = terms.map((term) => (tells(term) ? term.rarity : null));
  // A word that no clause has is as rare as can be: the question is about something else.
  const asked = told.reduce<number>((sum, one) => sum + (one === 0 ? most : (one ?? 0)), 0);
  const certain = best.some(({ matched, vector }) => {
    if (vector !== null && vector >= NEAR) return true;
    const shared = matched.reduce((sum, at) => sum + (told[at] ?? 0), 0);
    return asked === 0 || (shared / most + (SHARE * shared) / asked) / most >= LEAST;
  });
  return certain ? '' : 'little_in_common';
}

/** A character, or how words begin, is there by chance; what stands beside another says it again. */
const tells = ({ term, beside }: RankedTerm): boolean => !beside && !isCharacter(term) && !isBeginning(term);
