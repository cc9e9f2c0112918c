import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatNumeral, parseNumeral } from '../../common/policy/terms/numerals.ts';
import { queryTermsOf, termsOf } from '../../common/policy/terms/terms.ts';

const asked = (question: string): string[] => queryTermsOf(question).map(({ term }) => term);

describe('numerals', () => {
  test('every number up to 9999 is read as it is written', () => {
    const wrong = Array.from({ length: 9_999 }, (_, at) => at + 1).filter((value) => {
      const written = formatNumeral(value);
      return [
        written,
        written.replaceAll('零', '〇'),
        written.replace(/^二(?=[百千])/, '两'),
        String(value),
      ].some((form) => parseNumeral(form) !== value);
    });
    expect(wrong).toEqual([]);
  });

  test.each([
    ['一百五', 150],
    ['二〇二', 202],
    ['一千零十二', 1012],
    ['两百', 200],
    ['零', 0],
    ['百', null],
    ['十十', null],
    ['十百', null],
    ['一万', null],
    ['', null],
    ['10000', null],
  ])('%s is %s', (text, value) => expect(parseNumeral(text)).toBe(value));
});

describe('terms', () => {
  test('Chinese in pairs, words whole, identifiers whole and in parts, full-width forms as plain ones', () => {
    expect([...termsOf('严禁烟火烟')]).toEqual([
      ...([
        ['严禁', 1],
        ['禁烟', 1],
        ['烟火', 1],
        ['火烟', 1],
      ] as const),
      ...([
        ['严', 1],
        ['禁', 1],
        ['烟', 2],
        ['火', 1],
      ] as const),
    ]);
    expect([...termsOf('使用ＰＰＲ－９０８７管').keys()]).toEqual([
      '使用',
      '使',
      '用',
      '管',
      'ppr-9087',
      'ppr9087',
      'ppr',
      '9087',
    ]);
    expect([...termsOf('Hot WORK permits').keys()]).toEqual([
      ...['hot', 'work', 'permit', 'permi_'],
      ...['hotwork', 'workpermit'],
    ]);
    expect([...termsOf('3.2.1 高1.5').keys()]).toEqual(['高', '3.2.1', '1.5']);
  });

  test('clause numbers are a term of their own, equal in both numerals and in English', () => {
    for (const form of ['第十二条', '第12条', '第１２条', '第 12 条', 'Article 12'])
      expect([form, termsOf(`见${form}的规定`).has('第12条')]).toEqual([form, true]);
    expect(asked('第一百零三条第二款第（三）项')).toEqual(['第103条', '第2款', '第3项', '项']);
    expect(asked('第3章第4节第5项')).toEqual(['第3章', '第4节', '第5项']);
    expect(asked('section 3.2')).toEqual(['section', 'secti_', '3.2']);
    expect([...termsOf('（一）临边').keys()]).toContain('第1项');
  });

  test('a number of several levels is one term, and 4.20 is another clause than 4.2', () => {
    for (const form of ['第4.2条', '第 4.2 条', '第４．２条', '第四点二条', '第4.2款', '4.2条'])
      expect([form, asked(form), termsOf(`见${form}的规定`).has('4.2')]).toEqual([form, ['4.2'], true]);
    expect(asked('第4.2.6条')).toEqual(['4.2.6']);
    expect(asked('第4.20条')).toEqual(['4.20']);
    expect(asked('4.20米')).toEqual(asked('4.2米'));
    expect(asked('第12.5条和3条')).toEqual(['12.5', '第3条']);
  });

  test('a question of a clause number asks the same in both numerals', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999 }),
        fc.constantFrom('条', '款', '项', '章', '节'),
        (number, unit) => {
          expect(asked(`第${number}${unit}`)).toEqual(asked(`第${formatNumeral(number)}${unit}`));
          expect([...termsOf(`第${formatNumeral(number)}${unit}`).keys()]).toContain(`第${number}${unit}`);
        },
      ),
    );
  });

  test('every part of a text is found by asking for it', () => {
    const alphabet = fc.constantFrom(...'火灾安全作业第十条〇，。 ab9-/（一）');
    fc.assert(
      fc.property(
        fc.array(alphabet, { minLength: 1, maxLength: 30 }).map((all) => all.join('')),
        (text) => {
          const terms = [...termsOf(text).keys()];
          for (const [character] of text.matchAll(/\p{Script=Han}/gu))
            expect(terms.includes(character), `${character} in ${text}`).toBe(true);
          for (const { term, anyOf = [[term]] } of queryTermsOf(text))
            expect(
              anyOf.some((all) => all.every((one) => terms.includes(one))),
              `${term} of ${text}`,
            ).toBe(true);
        },
      ),
    );
  });

  test('any text at all is cut, and no term is empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const term of [...termsOf(text).keys(), ...asked(text)]) expect(term).not.toBe('');
      }),
    );
  });
});
