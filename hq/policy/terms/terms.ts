// How texts and questions are cut into search terms (spec 3, "Chunk"). The index holds the terms of texts, so
// a change here is a new INDEX_VERSION (index/layout.ts).
import { NUMERAL_CHARACTERS, parseNumeral } from './numerals.ts';

/** A term of a question. A prefix stands for every term that begins with it. */
export interface QueryTerm {
  term: string;
  prefix: boolean;
}

/** Longer words are cut; nobody asks for them whole. UTF-16 units. */
const MAX_WORD = 64;

const HAN = /[\p{Script=Han}〇]+/gu;
/** Words with what joins them: PPR-9087, GB/T, 3.2.1, e_mail. */
const WORD =
  /[[\p{L}\p{N}\p{M}]--[\p{Script=Han}〇]]+(?:[\-_.\/][[\p{L}\p{N}\p{M}]--[\p{Script=Han}〇]]+)*/gv;
const PART = /\p{N}+|[\p{L}\p{M}]+/gu;
const CLAUSE = new RegExp(`第 ?([${NUMERAL_CHARACTERS}]{1,9}|\\d{1,4}) ?([条款项章节])`, 'gu');
const ITEM = new RegExp(`\\(([${NUMERAL_CHARACTERS}]{1,7})\\)`, 'gu');
const ENGLISH_CLAUSE = /\b(article|chapter|section|clause|paragraph|item) (\d{1,4})(?![\d.]*\d)/g;
const ENGLISH_UNITS: Readonly<Record<string, string>> = {
  article: '条',
  chapter: '章',
  section: '节',
  clause: '款',
  paragraph: '款',
  item: '项',
};

/** Full-width and compatibility forms become plain ones, capitals small. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/**
 * The terms of a text. A run of Chinese gives every pair of neighbours, and its last character alone: so a
 * character is always the beginning of some term, and a question of one character finds it by that.
 */
export function termsOf(text: string): Set<string> {
  const folded = fold(text);
  const terms = new Set<string>(clauseNumbers(folded).terms);
  for (const [run] of folded.matchAll(HAN)) {
    const characters = [...run];
    for (let at = 0; at + 1 < characters.length; at += 1) terms.add(`${characters[at]}${characters[at + 1]}`);
    terms.add(characters.at(-1) as string);
  }
  for (const [word] of folded.matchAll(WORD)) addWord(word, terms);
  return terms;
}

/**
 * The terms of a question, each once, in the order in which they stand. A clause number counts as that alone:
 * its characters are no terms besides, so that 第十二条 and 第12条 ask the same.
 */
export function queryTermsOf(question: string): QueryTerm[] {
  const { terms, rest } = clauseNumbers(fold(question));
  const found = new Map<string, QueryTerm>(terms.map((term) => [term, { term, prefix: false }]));
  const add = (term: string, prefix = false): void => {
    const key = prefix ? `${term}*` : term;
    if (!found.has(key)) found.set(key, { term, prefix });
  };
  for (const [run] of rest.matchAll(HAN)) {
    const characters = [...run];
    if (characters.length === 1) add(run, true);
    for (let at = 0; at + 1 < characters.length; at += 1) add(`${characters[at]}${characters[at + 1]}`);
  }
  for (const [word] of rest.matchAll(WORD)) {
    const parts = new Set<string>();
    addWord(word, parts);
    for (const part of parts) add(part);
  }
  return [...found.values()];
}

/** Clause numbers as terms of their own, equal in Arabic and Chinese numerals, and the text without them. */
function clauseNumbers(folded: string): { terms: string[]; rest: string } {
  const terms: string[] = [];
  const take = (whole: string, numeral: string, unit: string): string => {
    const number = parseNumeral(numeral);
    if (number === null) return whole;
    terms.push(`第${number}${unit}`);
    return ' ';
  };
  const rest = folded
    .replace(CLAUSE, (whole, numeral: string, unit: string) => take(whole, numeral, unit))
    .replace(ITEM, (whole, numeral: string) => take(whole, numeral, '项'))
    .replace(ENGLISH_CLAUSE, (whole, unit: string, numeral: string) =>
      take(whole, numeral, ENGLISH_UNITS[unit] as string),
    );
  return { terms, rest };
}

/**
 * A word whole, and its parts where it is an identifier (PPR-9087: ppr-9087, ppr9087, ppr, 9087). A number
 * with points (3.2.1, 1.5) is whole only.
 */
function addWord(word: string, into: Set<string>): void {
  into.add(word.slice(0, MAX_WORD));
  if (/^[\d.]+$/.test(word)) return;
  const parts = word.match(PART) ?? [];
  if (parts.length < 2) return;
  if (/\p{L}/u.test(word)) into.add(word.replace(/[-_./]/g, '').slice(0, MAX_WORD));
  for (const part of parts) into.add(part.slice(0, MAX_WORD));
}
