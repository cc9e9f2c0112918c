// Numbers that are missing between those of the clauses that were read, as where a page was read across its
// columns. Pure.
import { formatNumeral, NUMERAL_CHARACTERS, parseNumeral } from '../../../common/policy/terms/numerals.ts';
import type { Clause } from './clauses.ts';

/** Fewer articles may be some that are quoted, unless they begin with the first and lack few. */
const FEWEST = 5;
/** Gaps that are named. */
const NAMED = 10;

const ARTICLE = new RegExp(`第 ?(\\d{1,4}|[${NUMERAL_CHARACTERS}]{1,9}) ?条(?!之)`, 'u');
/** Between the parts of a path, as they are cut here and as other programs may write them. */
const BETWEEN = /\s[>/]\s/;
const DOTTED = /^\d{1,3}(?:\.\d{1,3})+(?![\d.])/;

/** The gaps as a reviewer is told them: 第五条, 第七条–第九条, 4.2.3. */
export function gapsIn(clauses: readonly Pick<Clause, 'clausePath'>[]): string[] {
  const runs = new Map<string, number[]>();
  for (const { clausePath } of clauses)
    for (const { under, number } of (clausePath ?? '')
      .split(BETWEEN)
      .flatMap((label) => numbersOf(label.trim())))
      runs.get(under)?.push(number) ?? runs.set(under, [number]);
  const gaps = [...runs].flatMap(([under, numbers]) =>
    under === ''
      ? numberingsOf(numbers)
          .filter(isWhole)
          .flatMap((one) => gapsOf(under, one))
      : gapsOf(under, numbers),
  );
  return gaps.length > NAMED ? [...gaps.slice(0, NAMED), '…'] : gaps;
}

/** 4.2.6 is also one of 4.2, and that of 4, whether or not they have a text of their own. */
function numbersOf(label: string): { under: string; number: number }[] {
  const article = ARTICLE.exec(label);
  const value = article ? parseNumeral(article[1] ?? '') : null;
  if (value !== null) return [{ under: '', number: value }];
  const levels = DOTTED.exec(label)?.[0].split('.') ?? [];
  return levels
    .slice(1)
    .map((level, at) => ({ under: levels.slice(0, at + 1).join('.'), number: Number(level) }));
}

/** What is annexed begins with its own first article. */
function numberingsOf(numbers: readonly number[]): number[][] {
  const numberings: number[][] = [[]];
  for (const [at, number] of numbers.entries()) {
    if (number === 1 && (numbers[at - 1] ?? 1) > 1) numberings.push([]);
    numberings.at(-1)?.push(number);
  }
  return numberings;
}

/** Whether what is missing would be missed: of 第一条, 第二条, 第四条, not of 第一条, 第九条. */
function isWhole(numbers: readonly number[]): boolean {
  const there = new Set(numbers);
  return there.size >= FEWEST || (there.has(1) && Math.max(...there) < 2 * there.size);
}

/** Between two numbers that follow each other; a number that comes late has no gap before it. */
function gapsOf(under: string, numbers: readonly number[]): string[] {
  const there = new Set(numbers);
  const named = (number: number): string =>
    under === '' ? `第${formatNumeral(number)}条` : `${under}.${number}`;
  return numbers.flatMap((number, at) => {
    const before = numbers[at - 1] ?? number;
    const missing = Array.from(
      { length: Math.max(0, number - before - 1) },
      (_, step) => before + 1 + step,
    ).filter((one) => !there.has(one));
    const [first, last] = [missing[0], missing.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [first === last ? named(first) : `${named(first)}–${named(last)}`];
  });
}
