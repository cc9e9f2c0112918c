// How much a term says for a chunk: more where it stands several times and where the chunk is short, as BM25
// has it, and never more than its weight (spec 3, search step 3: weighted coverage, 0 to 1). Pure. The
// numbers were chosen on one half of 776 questions of citizens over 1,445 articles of laws and tried on the
// other, of which 46 % have the right article first and 73 % among six (BM25 over pairs, of all, 41 % and
// 66 %), and on questions of foremen, for which `npm run bench -- policy` prints the same beside it.

import { isBeginning } from '../terms/english.ts';
import { isCharacter, isClauseNumber, isName, nameTermOf, termsOf } from '../terms/terms.ts';
import type { IndexChunk } from './change.ts';

/** How soon a term that stands there again says nothing more. */
const SATURATION = 1.2;
/** How much more a rare term says than a common one, beyond its inverse document frequency. */
const RARITY_POWER = 1.7;
/** What words begin with says less than a word, but it is also there in another form of it. */
const BEGINNING_WEIGHT = 0.5;
/** Who names a clause by its number, or a file by its name, asks for that one. */
const NAMED_WEIGHT = 3;
/** What the number in the path of a clause counts for: more than any mention of it elsewhere. Times. */
const PATH_TIMES = 4;
/** What a word of the title of its file counts for in each clause of it. Times. */
const TITLE_TIMES = 2;
/** What the best chunks of the same file say for a chunk, and how many they are. */
const FILE_SHARE = 0.3;
const FILE_BEST = 10;
/** Makes the score of a chunk that has some terms once about the share of their weight. */
const SHARPNESS = 4;

/** Times that are told apart. */
export const TIMES = [1, 2, 3, 5] as const;

/** What is looked for in a chunk: its text, where it stands, and what its file is called. */
export function termsOfChunk({ title, path, text }: Pick<IndexChunk, 'title' | 'path' | 'text'>): {
  terms: Map<string, number>;
  length: number;
} {
  const terms = termsOf(`${path ?? ''}\n${text}`);
  let length = 0;
  for (const times of terms.values()) length += times;
  const add = (term: string, times: number): unknown => terms.set(term, (terms.get(term) ?? 0) + times);
  for (const term of termsOf(path ?? '').keys()) if (isClauseNumber(term)) add(term, PATH_TIMES);
  for (const term of termsOf(title).keys()) if (!isCharacter(term)) add(term, TITLE_TIMES);
  const name = nameTermOf(title);
  if (name !== null) add(name, 1);
  return { terms, length };
}

/** Inverse document frequency of a term that so many of the chunks have; 0 for one that none has. */
export const rarityOf = (having: number, chunks: number): number =>
  having === 0 ? 0 : Math.log(1 + (chunks - having + 0.5) / (having + 0.5));

/**
 * What a term counts for. One that occurs nowhere says nothing of the library and weighs nothing: otherwise
 * the pieces of a long question that straddle words would outweigh those that answer it.
 */
export function weightOf(term: string, rarity: number): number {
  const weight = rarity ** RARITY_POWER;
  if (isBeginning(term)) return BEGINNING_WEIGHT * weight;
  return isClauseNumber(term) || isName(term) ? NAMED_WEIGHT * weight : weight;
}

/**
 * Share of the weight of a term that a chunk has, 0 to 1.
 * @param level how often it stands there: position in `TIMES`
 * @param length of the chunk, as a share of the average
 */
export function coverage(level: number, length: number): number {
  const times = TIMES[level] as number;
  return times / (times + SATURATION * length);
}

/** The best sums of the chunks of one file, of which there are fewer than that many as a rule. */
export class FileBest {
  readonly #best: number[] = [];

  add(sum: number): void {
    const best = this.#best;
    if (best.length === FILE_BEST && sum <= (best[FILE_BEST - 1] as number)) return;
    let at = Math.min(best.length, FILE_BEST - 1);
    for (; at > 0 && (best[at - 1] as number) < sum; at -= 1) best[at] = best[at - 1] as number;
    best[at] = sum;
  }

  get average(): number {
    return this.#best.reduce((sum, one) => sum + one, 0) / FILE_BEST;
  }
}

/**
 * The keyword score. A chunk of average length that has every term once has about 0.8, and more where they
 * stand several times or its file says more of the question.
 * @param sum of the covered weights @param file average of the best sums of its file
 * @param total of all weights
 */
export function scoreOf(sum: number, file: number, total: number): number {
  const share = (sum + FILE_SHARE * file) / ((1 + FILE_SHARE) * total);
  return 1 - (1 - share) ** SHARPNESS;
}
