// Search by keywords as foremen ask: synonyms, words without weight, clause numbers.
import { describe, expect, test } from 'vitest';
import { foremanClauses, foremanFigures, foremanSearch } from '../../bench/policy/foreman.ts';
import { englishClauses, englishQuestions } from '../../bench/policy/foreman-english.ts';
import {
  foremanQuestions,
  freshQuestions,
  heldBackQuestions,
  spokenQuestions,
} from '../../bench/policy/foreman-questions.ts';
import { foremanRegulations } from '../../bench/policy/foreman-regulations.ts';
import { certaintyOf, type Clause, indexOf } from '../../bench/policy/index-of.ts';
import { unanswerableFresh } from '../../bench/policy/unanswerable.ts';

describe('the questions of foremen', () => {
  test('of forty, 85 % have their clause first, and 95 % among the first three', () => {
    expect(foremanQuestions).toHaveLength(40);
    const { first, three, wrong } = foremanFigures(foremanQuestions);
    expect(first, wrong.join('\n')).toBeGreaterThanOrEqual(0.85);
    expect(three, wrong.join('\n')).toBeGreaterThanOrEqual(0.95);
  });

  test('of those that nothing was tuned to, not many fewer', () => {
    const { first, three, wrong } = foremanFigures(heldBackQuestions);
    expect(first, wrong.join('\n')).toBeGreaterThanOrEqual(0.8);
    expect(three, wrong.join('\n')).toBeGreaterThanOrEqual(0.9);
  });

  test.each([
    ['in regional words, fragments and with typos', spokenQuestions, 0.8, 0.9],
    ['like these, for which nothing was changed', freshQuestions, 0.6, 0.8],
  ])('those %s find their clause as often as before', (_, questions, least, among) => {
    expect(questions.length).toBeGreaterThanOrEqual(25);
    const { first, three, wrong } = foremanFigures(questions);
    expect(first, wrong.join('\n')).toBeGreaterThanOrEqual(least);
    expect(three, wrong.join('\n')).toBeGreaterThanOrEqual(among);
  });

  test('a clause number finds its clause, in either numerals, with and without what is around it', () => {
    const search = foremanSearch();
    for (const [path] of foremanRegulations.lifting ?? []) {
      const number = path.split('/').at(-1) ?? '';
      const bare = number.slice(1);
      for (const asked of [number, `${number}怎么说`, ...(bare.length > 2 ? [bare] : [])])
        expect([asked, search(asked)[0]?.clause]).toEqual([asked, `lifting ${number}`]);
    }
    for (const [path] of [...(foremanRegulations.confined ?? []), ...(foremanRegulations.site ?? [])]) {
      const number = path.split('/').at(-1) ?? '';
      const hits = search(number);
      const best = hits.filter(({ clause }) => clause.endsWith(` ${number}`));
      // Both regulations have one of that number as a rule; nothing that only names it comes before them.
      expect([number, hits.slice(0, best.length)]).toEqual([number, best]);
    }
    expect(search('28条')[0]?.clause).toBe('lifting 第二十八条');
  });

  test('in English 85 % have their clause among the first three, whatever form of a word it has', () => {
    const { first, three, wrong } = foremanFigures(englishQuestions, indexOf(englishClauses));
    expect(first, wrong.join('\n')).toBeGreaterThanOrEqual(0.7);
    expect(three, wrong.join('\n')).toBeGreaterThanOrEqual(0.85);
  });

  test('of questions without an answer most are told so, and of those with one hardly any', () => {
    const certain = certaintyOf(foremanClauses);
    const told = (questions: readonly string[]) => questions.filter((one) => !certain(one)).length;
    expect(told(unanswerableFresh)).toBeGreaterThanOrEqual(12);
    const asked = [...foremanQuestions, ...heldBackQuestions, ...spokenQuestions, ...freshQuestions];
    expect(told(asked.map(([question]) => question))).toBeLessThanOrEqual(4);
  });

  test('a clause of a file that is named comes first, before others of that number and those that name it', () => {
    const law = (title: string, clauses: readonly string[]): Clause[] =>
      clauses.map((text, at) => ({ name: `${title} ${at + 1}`, title, path: `第${at + 1}条`, text }));
    const search = indexOf([
      ...law('中华人民共和国安全生产法(2021修正)', [
        '为了加强安全生产工作，防止和减少生产安全事故，保障人民群众生命和财产安全，制定本法。',
        '主要负责人组织制定并实施本单位安全生产规章制度和操作规程。',
      ]),
      ...law('北京市安全生产条例', [
        '违反安全生产法第二条的，处罚款。',
        '安全生产工作应当遵守安全生产法第二条。',
        '安全生产法第二条另有规定的，从其规定。',
      ]),
    ]);
    const own = '中华人民共和国安全生产法(2021修正) 2';
    for (const asked of ['安全生产法第二条', '《安全生产法》第2条怎么说', '请问安全生产法二条'])
      expect([asked, search(asked)[0]?.clause]).toEqual([asked, own]);
    expect(search('北京市安全生产条例第二条')[0]?.clause).toBe('北京市安全生产条例 2');
  });

  test('measures and names are whole: 5m is no 第5条, TN-S is no m/s', () => {
    const search = foremanSearch();
    const texts = Object.entries(foremanRegulations).flatMap(([name, clauses]) =>
      clauses.map(([path, text]) => [`${name} ${path.split('/').at(-1)}`, text] as const),
    );
    const having = (pattern: RegExp) => texts.flatMap(([name, text]) => (pattern.test(text) ? [name] : []));
    const found = (asked: string) => search(asked).map(({ clause }) => clause);
    for (const asked of ['5m', '5米', '五米', '５ｍ'])
      expect(found(asked).sort()).toEqual(having(/(?<![\d.])5(\.0)?m(?![m/²³])/).sort());
    expect(found('TN-S')).toEqual(['site 2.1.1']);
    expect(found('36伏')).toEqual(['site 2.1.6']);
  });
});
