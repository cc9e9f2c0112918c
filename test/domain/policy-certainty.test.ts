// When the best hits of a search are an answer, and which clauses repeat another.
import { describe, expect, test } from 'vitest';
import { certainNoteOf } from '../../common/policy/search/certainty.ts';
import { repeats, wordingOf } from '../../common/policy/search/twins.ts';

const CHUNKS = 6_000;
/** As rare as a word of one clause is, and as common as one of every second. */
const [RARE, COMMON] = [8.3, 0.7];

const term = (word: string, rarity: number, beside = false) => ({
  term: word,
  weight: rarity,
  rarity,
  beside,
  synonyms: false,
});
const unknown = (count: number) => Array.from({ length: count }, (_, at) => term(`没${at}有`, 0));
const noteOf = (terms: ReturnType<typeof term>[], matched: number[], vector: number | null = null) =>
  certainNoteOf({ terms, chunks: CHUNKS }, [{ matched, vector }]);

describe('certain', () => {
  const little = 'little_in_common';
  test.each([
    ['two rare words of two', [term('防坠', RARE), term('吊篮', RARE)], [0, 1], ''],
    [
      'one rare word of nine, of which no clause has the others',
      [term('手机', 7), ...unknown(8)],
      [0],
      little,
    ],
    ['common words alone, of a long question', [term('单位', COMMON), ...unknown(3)], [0], little],
    ['the number of a clause', [term('第12条', 4)], [0], ''],
    ['characters, whatever they weigh', [term('调', RARE), term('吉他', 0)], [0], little],
    ['how words begin', [term('phone_', RARE), term('phone', 0)], [0], little],
    ['what is said beside another', [term('塔吊', RARE, true), ...unknown(1)], [0], little],
    ['a character that is all of the question', [term('火', 3)], [0], ''],
  ])('%s', (_, terms, matched, note) => {
    expect(noteOf(terms, matched)).toBe(note);
  });

  test('nothing found is said as that', () => {
    expect(certainNoteOf({ terms: [term('吉他', 0)], chunks: CHUNKS }, [])).toBe('nothing_found');
  });

  test('of a small library less is asked for, since less is there by chance', () => {
    const terms = [term('通风', 2), ...unknown(4)];
    const best = [{ matched: [0], vector: null }];
    expect(certainNoteOf({ terms, chunks: 10 }, best)).toBe('');
    expect(certainNoteOf({ terms, chunks: CHUNKS }, best)).toBe(little);
  });

  test('a near vector is an answer without words in common, a far one is none', () => {
    expect(noteOf(unknown(3), [], 0.8)).toBe('');
    expect(noteOf(unknown(3), [], 0.4)).toBe(little);
  });
});

describe('a clause that repeats another', () => {
  const law = '生产经营单位的主要负责人应当组织制定并实施本单位安全生产规章制度和操作规程。';
  const other = '施工单位应当对管理人员和作业人员每年进行安全教育培训。';
  test.each([
    ['in the same words and other signs', law.replace('人', '人，'), true],
    ['with a word added', `本市${law}`, true],
    ['under another number', `第二十三条 ${law}`, true],
    ['with a not', law.replace('应当', '不应当'), false],
    ['with a number', law.replace('应当', '应当在10日内'), false],
    ['with a number in Chinese', law.replace('应当', '应当在三日内'), false],
    ['of another matter', other, false],
    ['that quotes it among much else', `${law}${other}施工现场应当设置消防通道。`, false],
    ['without a word', '。', false],
  ])('%s', (_, text, same) => {
    expect(repeats(wordingOf(law), wordingOf(text))).toBe(same);
    expect(repeats(wordingOf(text), wordingOf(law))).toBe(same);
  });
});
