import { CONSTRUCTION_SYNONYMS } from './construction-synonyms.ts';
import { ENGLISH_SYNONYMS } from './english-synonyms.ts';
import { fold, type SynonymWords, termsOfWord } from './terms.ts';

/** Words of one question that are looked for by their synonyms; further ones count as they stand. */
const MOST = 64;

/** Groups of words that mean the same, made ready to be looked for in questions. */
export class Synonyms implements SynonymWords {
  /** By word: the terms of each word of its groups, its own first. */
  readonly #words = new Map<string, string[][]>();
  /** UTF-16 units of the longest word. */
  #longest = 0;

  constructor(groups: readonly (readonly string[])[]) {
    for (const group of groups) {
      const folded = group.map(fold);
      for (const word of folded) {
        const known = this.#words.get(word) ?? [termsOfWord(word)];
        known.push(...folded.filter((other) => other !== word).map(termsOfWord));
        this.#words.set(word, known);
        this.#longest = Math.max(this.#longest, word.length);
      }
    }
  }

  /** At each place the longest word is taken. */
  take(folded: string, found: (word: string, anyOf: string[][]) => void): string {
    let [rest, at, taken] = ['', 0, 0];
    while (at < folded.length) {
      const { word, length } = (taken < MOST ? this.#wordAt(folded, at) : null) ?? { word: null, length: 1 };
      if (word === null) {
        rest += folded.charAt(at);
        at += 1;
        continue;
      }
      found(word, this.#words.get(word) ?? []);
      rest += ' ';
      at += length;
      taken += 1;
    }
    return rest;
  }

  /** The longest word at a place, and how long it is there: an English one may stand in the plural. */
  #wordAt(folded: string, at: number): { word: string; length: number } | null {
    for (let length = Math.min(this.#longest, folded.length - at); length > 1; length -= 1) {
      const word = folded.slice(at, at + length);
      if (!this.#words.has(word)) continue;
      if (!breaksWord(folded, at, length)) return { word, length };
      const plural = /^[a-z ]+$/.test(word) && folded.charAt(at + length) === 's';
      if (plural && !breaksWord(folded, at, length + 1)) return { word, length: length + 1 };
    }
    return null;
  }
}

/** Latin letters and digits are words as a whole. */
function breaksWord(folded: string, at: number, length: number): boolean {
  const joined = (left: string, right: string): boolean =>
    [left, right].every((one) => /[[\p{L}\p{N}]--\p{Script=Han}]/v.test(one));
  return (
    joined(folded.charAt(at - 1), folded.charAt(at)) ||
    joined(folded.charAt(at + length - 1), folded.charAt(at + length))
  );
}

/** What is shipped; a tenant's own groups come beside it. */
export const SHIPPED_SYNONYMS = [...CONSTRUCTION_SYNONYMS, ...ENGLISH_SYNONYMS];
export const constructionSynonyms = new Synonyms(SHIPPED_SYNONYMS);
