// What a reviewer is told of numbers that are missing between those of the clauses.
import { expect, test } from 'vitest';
import { gapsIn } from '../../hq/policy/ingest/gaps.ts';

const articles = (numbers: readonly number[]) =>
  numbers.map((number) => ({ clausePath: `第一章 总则 / 第${number}条` }));
const labelled = (labels: readonly string[]) => labels.map((clausePath) => ({ clausePath }));

test.each([
  ['no gap', articles([1, 2, 3, 4, 5, 6]), []],
  ['one number', articles([1, 2, 3, 5, 6, 7]), ['第四条']],
  ['several, in two places', articles([1, 2, 6, 7, 9, 10]), ['第三条–第五条', '第八条']],
  ['numbers out of order, all there', articles([1, 2, 5, 3, 4, 6]), []],
  ['a numbering that begins anew', articles([1, 2, 3, 4, 5, 1, 2, 3]), []],
  ['one that is annexed, with a gap of its own', articles([1, 2, 3, 4, 5, 1, 2, 4]), ['第三条']],
  ['a short numbering', articles([1, 2, 4]), ['第三条']],
  ['a short one whose articles have several clauses', articles([1, 1, 1, 3, 3]), ['第二条']],
  ['a short one that is whole', articles([1, 2, 3]), []],
  ['a few articles that are quoted', articles([1, 9]), []],
  ['others that are quoted', articles([21, 23, 24]), []],
  ['a list, and one that lacks a number', labelled(['一、', '二、', '四、', '1', '2', '4']), []],
  ['Chinese numerals', labelled(['第一条', '第二条', '第三条', '第五条', '第六条']), ['第四条']],
  [
    'levels',
    labelled(['4 / 4.1 / 4.1.1', '4 / 4.1 / 4.1.2', '4 / 4.1 / 4.1.4', '4 / 4.2 / 4.2.1']),
    ['4.1.3'],
  ],
  ['a section without a text of its own', labelled(['4.1', '4.2.1', '4.2.2', '4.3']), []],
  ['a section that is missing', labelled(['4.1.1', '4.3.1', '4.4.1']), ['4.2']],
  ['a date and a version are no clauses', labelled(['2026.1.5', 'V1.3', '第一章']), []],
])('%s', (_, clauses, gaps) => {
  expect(gapsIn(clauses)).toEqual(gaps);
});

test('of many gaps the first are named', () => {
  const every = articles(Array.from({ length: 30 }, (_, at) => 2 * at + 1));
  expect(gapsIn(every)).toHaveLength(11);
  expect(gapsIn(every).at(-1)).toBe('…');
});
