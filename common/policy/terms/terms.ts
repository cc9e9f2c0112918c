// How texts and questions are cut into search terms (spec 3, "Chunk"). The index holds the terms of texts, so
// a change here is a new INDEX_VERSION (index/layout.ts).
import { beginningOf, compoundsOf, isBeginning, stemOf, withoutEnglishFunctionWords } from './english.ts';
import { tellsApart, withoutFunctionWords } from './function-words.ts';
import { NUMERAL_CHARACTERS, parseNumeral } from './numerals.ts';
import { quantities } from './quantities.ts';

/** A term of a question. */
export interface QueryTerm {
  term: string;
  /**
   * Of a word with others that mean the same: what a text must have for one of them, the word itself among
   * them. The term is the word as it was asked then, and counts once, whichever of them a text has.
   */
  anyOf?: readonly (readonly string[])[];
  /** What the term counts for beside others; 1 where it is not said. */
  share?: number;
}

/** Words that mean the same as others. */
export interface SynonymWords {
  /**
   * Takes such words out of a folded question, and tells of each with what a text must have for one of its
   * synonyms, its own terms among them. @returns the question with a space for each
   */
  take(folded: string, found: (word: string, anyOf: string[][]) => void): string;
}

/** What the very word of a question counts for beside that word or any that means the same. */
const LITERAL_SHARE = 0.2;
/** What the words of the name of a file count for, which is a term as a whole. */
const NAME_SHARE = 0.1;

/** Longer words are cut; nobody asks for them whole. UTF-16 units. */
const MAX_WORD = 64;

const HAN = /[\p{Script=Han}〇]+/gu;
/** Words with what joins them: PPR-9087, GB/T, 3.2.1, e_mail. */
const WORD =
  /[[\p{L}\p{N}\p{M}]--[\p{Script=Han}〇]]+(?:[\-_.\/][[\p{L}\p{N}\p{M}]--[\p{Script=Han}〇]]+)*/gv;
/** Letters and then digits, as names of standards have them: JGJ80, T50720; C30 is none. */
const NAMED_NUMBER = /^(?:([\p{L}\p{M}]{2,})(\d{2,})|[\p{L}\p{M}](\d{3,}))$/u;
const CLAUSE = new RegExp(`第 ?([${NUMERAL_CHARACTERS}]{1,9}|\\d{1,4}) ?([条款项章节])`, 'gu');
/** Numbers of several levels as standards have them: 第4.2条, 4.2.6条, 第四点二条. */
const LEVEL = `(?:\\d{1,4}|[${NUMERAL_CHARACTERS}]{1,7})`;
const LEVELS = `${LEVEL}(?: ?[.点] ?${LEVEL})+`;
const LEVELLED = new RegExp(
  `(?<![\\p{N}.点${NUMERAL_CHARACTERS}])(?:第 ?(${LEVELS}) ?[条款项章节]|(${LEVELS}) ?条)`,
  'gu',
);
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
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/**
 * The terms of a text, and how often each stands there. A run of Chinese gives every pair of neighbours, and
 * each character alone: a question in other words than the text has often shares no more with it.
 */
export function termsOf(text: string): Map<string, number> {
  const folded = fold(text);
  const { terms: numbers, rest } = clauseNumbers(folded);
  const terms = new Map<string, number>();
  const count = (term: string): unknown => terms.set(term, (terms.get(term) ?? 0) + 1);
  for (const term of [...numbers, ...quantities(rest).terms]) count(term);
  for (const [run] of folded.matchAll(HAN)) for (const term of [...pairsOf(run), ...run]) count(term);
  for (const [word] of folded.matchAll(WORD)) for (const part of partsOf(word)) count(part);
  for (const term of compoundsOf(folded)) count(term);
  return terms;
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** Whether a term is one character of Chinese. */
export const isCharacter = (term: string): boolean => /^[\p{Script=Han}〇]$/u.test(term);
/** Whether a term is the number of a clause: 第12条, 4.2.6. */
export const isClauseNumber = (term: string): boolean => /^(?:第\d+[条款项章节]|\d+(?:\.\d+)+)$/.test(term);
/** Whether a term is the whole name of a file: 《安全生产法》. */
export const isName = (term: string): boolean => term.startsWith('《');
/** Whether a term is a number, a measure, an identifier or the name of a file: whole, or not at all. */
export const isWhole = (term: string): boolean => /[\p{N}《]/u.test(term);

/** A file is called so in a question: in brackets, or before the number of a clause. */
const NAMED =
  /《([^《》]{2,60})》|([\p{Script=Han}]{2,40}(?:法|条例|规定|办法|规程|规范|标准|细则))(?= ?(?:第|\d|[〇零一二两三四五六七八九十百千]+条))/gu;

/** The whole name of a file as one term, without what is added to it; null for what is no Chinese name. */
export function nameTermOf(title: string): string | null {
  const name = fold(title)
    .replace(/[(\[【][^()\[\]【】]*[)\]】]|[《》\s"]/gu, '')
    .replace(/^中华人民共和国/u, '');
  return /^[\p{Script=Han}〇]{2,60}$/u.test(name) ? `《${name}》` : null;
}

/** The names of files that a folded question has, their words, and the question with a space for each. */
function namesIn(folded: string): { names: QueryTerm[]; words: string[]; rest: string } {
  const [names, words]: [QueryTerm[], string[]] = [[], []];
  const rest = folded.replace(NAMED, (whole, quoted?: string, before = '') => {
    // What stands before a name without brackets may be of the question.
    const name = quoted ?? withoutFunctionWords(before).split(' ').at(-1) ?? '';
    const terms = [name, quoted ?? before].flatMap((one) => nameTermOf(one) ?? []);
    const [term] = terms;
    if (term === undefined) return whole;
    names.push({ term, anyOf: terms.map((one) => [one]) });
    words.push(...plainTerms(name));
    return ' ';
  });
  return { names, words, rest };
}

/**
 * The terms of a question, each once. A clause number counts as that alone: its characters are no terms
 * besides, so that 第十二条 and 第12条 ask the same; so does a measure (5米, 5m), and a word that has
 * synonyms, with a little more where the text has that very word. Function words have no weight, unless
 * there is nothing else. Each character counts beside the
 * pairs that it is in, but for words with synonyms, which are understood as a whole.
 */
export function queryTermsOf(question: string, synonyms: SynonymWords | null = null): QueryTerm[] {
  const folded = fold(question);
  const found = new Map<string, QueryTerm>();
  const { names, words, rest: unnamed } = namesIn(folded);
  const numbers = clauseNumbers(unnamed);
  for (const term of numbers.terms) found.set(term, { term });
  for (const name of names) found.set(name.term, name);
  // Other files have the words of the name too, and other clauses of the file itself.
  for (const term of words) found.set(term, { term, share: NAME_SHARE });
  const measures = quantities(numbers.rest);
  for (const term of measures.terms) found.set(term, measureOf(term, numbers.rest));
  const literal = new Set<string>();
  const take = (word: string, anyOf: string[][]): void => {
    found.set(`${word} and its like`, { term: word, anyOf });
    for (const term of termsOfWord(word)) literal.add(term);
  };
  const rest = synonyms ? synonyms.take(measures.rest, take) : measures.rest;
  const add = (term: string): unknown => found.has(term) || found.set(term, { term });
  const weighty = withoutEnglishFunctionWords(withoutFunctionWords(rest));
  const whole = new Set(Array.from(folded.matchAll(HAN), ([run]) => run));
  // One character that function words leave between them is the rest of one as a rule.
  for (const term of plainTerms(weighty)) if (!isCharacter(term) || whole.has(term)) add(term);
  for (const [run] of weighty.matchAll(HAN))
    if ([...run].length > 1) for (const one of run) if (tellsApart(one)) add(one);
  for (const term of literal) if (!found.has(term)) found.set(term, { term, share: LITERAL_SHARE });
  return found.size > 0 ? [...found.values()] : plainTerms(folded).map((term) => ({ term }));
}

function plainTerms(folded: string): string[] {
  const found = new Set<string>();
  for (const [run] of folded.matchAll(HAN))
    for (const term of [...run].length === 1 ? [run] : pairsOf(run)) found.add(term);
  for (const [word] of folded.matchAll(WORD)) for (const part of partsOf(word)) found.add(part);
  for (const term of compoundsOf(folded)) found.add(term);
  return [...found];
}

/**
 * The terms of a word with synonyms, which must all be there for a text to have it, each once. Two English
 * words stand together, or are written as one.
 */
export function termsOfWord(folded: string): string[] {
  const compounds = compoundsOf(folded);
  return compounds.length > 0 ? compounds : plainTerms(folded).filter((term) => !isBeginning(term));
}

/**
 * 28条 and 二十八条 are what a foreman calls 第28条, whereas 三条 may as well be three of something.
 * @param asked the question, for how the number was written
 */
function measureOf(term: string, asked: string): QueryTerm {
  const article = /^(\d+)条$/.exec(term)?.[1];
  if (article === undefined || (Number(article) < 10 && !asked.includes(article))) return { term };
  const clause = `第${article}条`;
  return { term: clause, anyOf: [[clause], [term]] };
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
    .replace(LEVELLED, (whole, ordinal?: string, plain?: string) => {
      const levels = (ordinal ?? plain ?? '').split(/[.点]/).map((level) => level.trim());
      const numbers = levels.map((level) => (/^\d/.test(level) ? level : parseNumeral(level)));
      if (numbers.includes(null)) return whole;
      // As the text of a clause begins with it; 4.20 is another clause than 4.2.
      terms.push(numbers.join('.'));
      return ' ';
    })
    .replace(CLAUSE, (whole, numeral: string, unit: string) => take(whole, numeral, unit))
    .replace(ITEM, (whole, numeral: string) => take(whole, numeral, '项'))
    .replace(ENGLISH_CLAUSE, (whole, unit: string, numeral: string) =>
      take(whole, numeral, ENGLISH_UNITS[unit] as string),
    );
  return { terms, rest };
}

/** As `piecesOf`, with the stem and the beginning of each plain word. */
function partsOf(word: string): Set<string> {
  const pieces = [...piecesOf(word)];
  return new Set(pieces.flatMap((piece) => [stemOf(piece), ...beginningOf(piece)]));
}

/**
 * A word whole, and its parts where it is an identifier (PPR-9087: ppr-9087, ppr9087, ppr, 9087; JGJ80:
 * jgj80, jgj, 80). A number with points (3.2.1, 1.5), a measure (5m, 12m/s) and a name with a single letter
 * (TN-S) are whole only; the T of a standard's name (GB/T) is no such letter.
 */
function piecesOf(word: string): Set<string> {
  const found = new Set([word.slice(0, MAX_WORD)]);
  if (/^[\d.]+$/.test(word)) return found;
  const parts = word.split(/[-_\/]|\.(?!\d)|(?<!\d)\./);
  if (parts.length > 1 && /\p{L}/u.test(word)) found.add(parts.join('').slice(0, MAX_WORD));
  const named = parts.filter((part, at) => at === 0 || part !== 't');
  if (named.some((part) => /^\p{L}$/u.test(part))) return found;
  for (const part of named) {
    if (parts.length > 1) found.add(part.slice(0, MAX_WORD));
    const [, letters, digits, bare] = NAMED_NUMBER.exec(part) ?? [];
    for (const piece of [letters, digits, bare]) if (piece !== undefined) found.add(piece.slice(0, MAX_WORD));
  }
  return found;
}
