// How much a term says for a chunk: more where it stands several times and where the chunk is short, as BM25
// has it, and never more than its weight (spec 3, search step 3: weighted coverage, 0 to 1). Pure. The
// numbers were chosen on 776 questions of citizens over 1,445 articles of laws, of which 44 % have the right
// article first and 69 % among six (BM25 over pairs 41 % and 66 %), and on questions of foremen, for which
// `npm run bench -- policy` prints the same beside it.

import { isCharacter, isClauseNumber, termsOf } from '../terms/terms.ts';
import type { IndexChunk } from './change.ts';

/** How soon a term that stands there again says nothing more. */
const SATURATION = 1.5;
/** How much the length of a chunk counts, 0 to 1. */
const LENGTH_SHARE = 0.9;
/** A character says less than a pair, but it is also there where the text has another word. */
const CHARACTER_WEIGHT = 0.7;
/** Who names a clause by its number asks for that one. */
const NUMBER_WEIGHT = 3;
/** What the number in the path of a clause counts for: more than any mention of it elsewhere. Times. */
const PATH_TIMES = 4;
/** What a word of the title of its file counts for in each clause of it. Times. */
const TITLE_TIMES = 2;
/** What the best chunks of the same file say for a chunk, and how many they are. */
const FILE_SHARE = 0.3;
const FILE_BEST = 3;
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
  return { terms, length };
}

/**
 * Inverse document frequency. A term that occurs nowhere says nothing of the library and weighs nothing:
 * otherwise the pieces of a long question that straddle words would outweigh those that answer it.
 */
export function weightOf(term: string, having: number, chunks: number): number {
  if (having === 0) return 0;
  const rarity = Math.log(1 + (chunks - having + 0.5) / (having + 0.5));
  if (isCharacter(term)) return CHARACTER_WEIGHT * rarity;
  return isClauseNumber(term) ? NUMBER_WEIGHT * rarity : rarity;
}

/**
 * Share of the weight of a term that a chunk has, 0 to 1.
 * @param level how often it stands there: position in `TIMES`
 * @param length of the chunk, as a share of the average
 */
export function coverage(level: number, length: number): number {
  const times = TIMES[level] as number;
  return times / (times + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length));
}

/** The best sums of the chunks of one file, of which there are fewer than that many as a rule. */
export class FileBest {
  readonly #best: number[] = [];

  add(sum: number): void {
    if (this.#best.length === FILE_BEST && sum <= (this.#best[FILE_BEST - 1] as number)) return;
    this.#best.push(sum);
    this.#best.sort((a, b) => b - a);
    if (this.#best.length > FILE_BEST) this.#best.pop();
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
