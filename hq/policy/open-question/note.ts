import { createHash } from 'node:crypto';
import type { RankedTerm } from '../../../common/policy/index/rank.ts';
import type { CertainNote } from '../../../common/policy/search/schema.ts';
import { isBeginning } from '../../../common/policy/terms/english.ts';
import { fold, isCharacter } from '../../../common/policy/terms/terms.ts';
import type { NoteQuestion } from './port.ts';

/** Characters of a question that are kept. */
const MAX_QUESTION = 200;
const MAX_WORDS = 8;
const MAX_WORD = 16;

/** What is noted of a question without a certain answer. */
export function noteOf(
  asked: { tenantCode: string; question: string; note: Exclude<CertainNote, ''> },
  terms: readonly RankedTerm[],
): NoteQuestion {
  const question = asked.question.replace(/\s+/gu, ' ').trim().slice(0, MAX_QUESTION);
  const id = createHash('sha256').update(fold(question)).digest('hex').slice(0, 32);
  return { ...asked, id, question, unknown: unknownWords(terms) };
}

/** Words that no clause has; pairs of Chinese that follow each other are one. */
export function unknownWords(terms: readonly RankedTerm[]): string[] {
  const words: string[] = [];
  let follows = false;
  for (const { term, rarity, beside } of terms) {
    if (beside || isCharacter(term) || isBeginning(term)) continue;
    if (rarity > 0) {
      follows = false;
      continue;
    }
    const last = words.at(-1);
    if (follows && last !== undefined && isPair(term) && last.endsWith([...term][0] ?? ''))
      words[words.length - 1] = `${last}${[...term].at(-1)}`;
    else words.push(term);
    follows = isPair(term);
  }
  return [...new Set(words)].slice(0, MAX_WORDS).map((word) => word.slice(0, MAX_WORD));
}

const isPair = (term: string): boolean => /^[\p{Script=Han}〇]{2}$/u.test(term);
