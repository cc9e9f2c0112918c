import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutClauses, type Line } from '../../hq/policy/ingest/clauses.ts';
import { decodeText, readMarkdown, readPlain } from '../../hq/policy/ingest/plain.ts';

const plain = (text: string): Line[] => readPlain(Buffer.from(text));
const cut = (text: string, wrapped = false) => cutClauses(plain(text), { wrapped }).map(({ clausePath, text: words }) => [clausePath, words]);

describe('numbering', () => {
  test('chapters, sections and clauses', () => {
    expect(cut('第三章 动火作业\n第一节 一般规定\n第十二条 应当办理许可证。\n作业前检查。\n第十三条 严禁烟火。\n第四章 附则\n第十四条 自发布之日起施行。')).toEqual([
      ['第三章 动火作业 > 第一节 一般规定 > 第十二条', '第十二条 应当办理许可证。\n作业前检查。'], ['第三章 动火作业 > 第一节 一般规定 > 第十三条', '第十三条 严禁烟火。'],
      ['第四章 附则 > 第十四条', '第十四条 自发布之日起施行。'],
    ]);
  });

  test('numbers with points, their titles in the path', () => {
    expect(cut('3.2 防护\n3.2.1 系安全带。\n3.2.2 设安全网。\n3.3 高度在1.5米以上的，应当设栏杆。')).toEqual([
      ['3.2 防护 > 3.2.1', '3.2.1 系安全带。'], ['3.2 防护 > 3.2.2', '3.2.2 设安全网。'], ['3.3', '3.3 高度在1.5米以上的，应当设栏杆。'],
    ]);
  });

  test('items stay with their clause', () => {
    expect(cut('第二条 下列作业：\n（一）临边；\n（二）洞口。\n一、总则\n（一）本办法')).toEqual([
      ['第二条', '第二条 下列作业：\n（一）临边；\n（二）洞口。'], ['一、', '一、总则\n（一）本办法'],
    ]);
  });

  test('English articles, and what stands before the first number', () => {
    expect(cut('Site Rules\nChapter 1 General\nArticle 5 Helmets are worn.\nThey are checked.\nSection 5.1 Colours\n(a) red')).toEqual([
      [null, 'Site Rules'], ['Chapter 1 General > Article 5', 'Article 5 Helmets are worn.\nThey are checked.'], ['Chapter 1 General > Article 5 > Section 5.1', 'Section 5.1 Colours\n(a) red'],
    ]);
  });

  test('lines that the paper broke are put together', () => {
    expect(cut('第一条 作业人员应当\n系安全带。\nArticle 2 Scaf-\nfolds are in-\nspected daily', true)).toEqual([
      ['第一条', '第一条 作业人员应当系安全带。'], ['Article 2', 'Article 2 Scaffolds are inspected daily'],
    ]);
  });

  test('headings of Markdown, whatever their numbers', () => {
    const text = '# 规程\n\n## 3.1 动火\n\n- **必须**办证，见[附件](http://x/y)\n\n| 级别 | 期限 |\n|---|---|\n| 一级 | 8 |\n';
    expect(cutClauses(readMarkdown(Buffer.from(text)), { wrapped: false })).toEqual([{ clausePath: '规程 > 3.1 动火', page: null, text: '3.1 动火\n必须办证，见附件\n级别 | 期限\n一级 | 8' }]);
  });

  test('a year, a quantity and a list of times are no clauses', () => {
    expect(cut('第一条 如下\n2026年起施行\n1.5米以上\n8:00 开工')).toEqual([['第一条', '第一条 如下\n2026年起施行\n1.5米以上\n8:00 开工']]);
  });
});

test('every word is in a clause or its path, no clause is too long, and there are never too many', () => {
  const line = fc.constantFrom('第一章 总则', '第二条 办证。', '3.2.1 系带', '（一）临边；', 'plain words', '', 'Article 3 Rules', `${'长'.repeat(700)}。${'句'.repeat(900)}。`, '字'.repeat(5_000));
  fc.assert(fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (lines, wrapped) => {
    const clauses = cutClauses(lines.map((text) => ({ text, page: null })), { wrapped });
    const all = clauses.map(({ clausePath, text }) => `${clausePath ?? ''} ${text}`).join('\n').replaceAll(/\s/g, '');
    for (const text of lines) {
      const words = text.replaceAll(/\s/g, '').slice(0, 60);
      expect(all.includes(words) || words === '' , words).toBe(true);
    }
    for (const { text } of clauses) expect(text.length).toBeLessThanOrEqual(1_600);
  }), { numRuns: 200 });
  const many = cutClauses(Array.from({ length: 12_000 }, (_, at) => ({ text: `第${at % 9_999}条 办理。`, page: null })), { wrapped: false });
  expect(many.length).toBeLessThanOrEqual(5_000);
  expect(many.map((one) => one.text).join('\n').split('\n')).toHaveLength(12_000);
});

test('encodings', () => {
  expect(decodeText(Buffer.from('\ufeff安全'))).toBe('安全');
  expect(decodeText(Buffer.from([0xb0, 0xb2, 0xc8, 0xab]))).toBe('安全');
  expect(decodeText(Buffer.from('\ufeff安全', 'utf16le'))).toBe('安全');
  expect(() => decodeText(Buffer.from([1, 0, 2]))).toThrow('no text');
});
