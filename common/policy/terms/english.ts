// English words as terms: by their stem (scaffolding and scaffolds are `scaffold`), by how they begin
// (anchorages and anchor), and two that stand together as one (guard rail, guardrail).
import { stemmer } from 'stemmer';

/** What has a stem: letters alone. Shorter ones are names and units. */
const PLAIN = /^[a-z]{3,}$/;
/** Letters that words of one kind have in common; a word of fewer has no beginning. */
const BEGINNING = 5;

/** The term of a word: its stem where it has one. */
export const stemOf = (word: string): string => (PLAIN.test(word) ? stemmer(word) : word);

/** Whether a term is how words begin, and says less than one of them. */
export const isBeginning = (term: string): boolean => /^[a-z]+_$/.test(term);

/** How a word begins, as a term; none for short ones and what is no plain word. */
export const beginningOf = (word: string): string[] =>
  PLAIN.test(word) && word.length >= BEGINNING ? [`${word.slice(0, BEGINNING)}_`] : [];

/** Two plain words with one space between them, as the one word that others write. */
export function compoundsOf(folded: string): string[] {
  const pairs = folded.matchAll(/(?<![\p{L}\p{N}])([a-z]{3,})(?= ([a-z]{3,})(?![\p{L}\p{N}]))/gu);
  return Array.from(pairs, ([, one, other]) => stemmer(`${one}${other}`));
}

const FUNCTION_WORDS =
  'a an the of to in on at for from by with and or if is are was were be been am do does did done can ' +
  'could may might must shall should will would how what when where which who whom why many much often ' +
  'long i we you he she they it its my our your their me us them this that these those there here have has ' +
  'had having need needs needed required require allowed permitted any some get let as so than then too ' +
  'also please';
const PATTERN = new RegExp(
  `(?<![\\p{L}\\p{N}]|[\\p{L}\\p{N}][\\-_.\\/'])(?:${FUNCTION_WORDS.replaceAll(' ', '|')}|[a-z]+n't)` +
    `(?![\\p{L}\\p{N}]|[\\-_.\\/'][\\p{L}\\p{N}])`,
  'gu',
);

/** The folded text with a space for each word that says how something is asked. */
export const withoutEnglishFunctionWords = (folded: string): string => folded.replace(PATTERN, ' ');
