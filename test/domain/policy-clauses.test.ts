import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutClauses, type Line } from '../../hq/policy/ingest/clauses.ts';
import { decodeText, readMarkdown, readPlain } from '../../hq/policy/ingest/plain.ts';

const plain = (text: string): Line[] => readPlain(Buffer.from(text));
const cut = (text: string, wrapped = false) =>
  cutClauses(plain(text), { wrapped }).map(({ clausePath, text: words }) => [clausePath, words]);

describe('numbering', () => {
  test('chapters, sections and clauses', () => {
    expect(
      cut(
        '第三章 动火作业\n第一节 一般规定\n第十二条 应当办理许可证。\n作业前检查。\n第十三条 严禁烟火。\n第四章 附则\n第十四条 自发布之日起施行。',
      ),
    ).toEqual([
      ['第三章 动火作业 > 第一节 一般规定 > 第十二条', '第十二条 应当办理许可证。\n作业前检查。'],
      ['第三章 动火作业 > 第一节 一般规定 > 第十三条', '第十三条 严禁烟火。'],
      ['第四章 附则 > 第十四条', '第十四条 自发布之日起施行。'],
    ]);
  });

  test('numbers with points, their titles in the path', () => {
    expect(cut('3.2 防护\n3.2.1 系安全带。\n3.2.2 设安全网。\n3.3 高度在1.5米以上的，应当设栏杆。')).toEqual([
      ['3.2 防护 > 3.2.1', '3.2.1 系安全带。'],
      ['3.2 防护 > 3.2.2', '3.2.2 设安全网。'],
      ['3.3', '3.3 高度在1.5米以上的，应当设栏杆。'],
    ]);
  });

  test('items stay with their clause', () => {
    expect(cut('第二条 下列作业：\n（一）临边；\n（二）洞口。\n一、总则\n（一）本办法')).toEqual([
      ['第二条', '第二条 下列作业：\n（一）临边；\n（二）洞口。'],
      ['一、', '一、总则\n（一）本办法'],
    ]);
  });

  test('a list of an article stays with its lead, also in Markdown; numbers elsewhere are clauses', () => {
    const markdown =
      '## 第二章 通风\n\n**第五条** 作业前应当：\n\n1. 开启风机；\n2. 检测气体；\n3. 持续强制通风；\n\n第六条 专人监护。';
    const clauses = cutClauses(readMarkdown(Buffer.from(markdown)), { wrapped: false });
    expect(clauses.map(({ clausePath, text }) => [clausePath, text])).toEqual([
      ['第二章 通风 > 第五条', '第五条 作业前应当：\n1. 开启风机；\n2. 检测气体；\n3. 持续强制通风；'],
      ['第二章 通风 > 第六条', '第六条 专人监护。'],
    ]);
    expect(cut('一、总则：\n1. 本办法适用于工地。\n2. 由安全部解释。').map(([path]) => path)).toEqual([
      '一、',
      '一、 > 1',
      '一、 > 2',
    ]);
  });

  test('English articles, and the name of the whole before the first number', () => {
    expect(
      cut(
        'Site Rules\nChapter 1 General\nArticle 5 Helmets are worn.\nThey are checked.\nSection 5.1 ' +
          'Colours\n(a) red',
      ),
    ).toEqual([
      ['Site Rules > Chapter 1 General > Article 5', 'Article 5 Helmets are worn.\nThey are checked.'],
      ['Site Rules > Chapter 1 General > Article 5 > Section 5.1', 'Section 5.1 Colours\n(a) red'],
    ]);
  });

  test('lines that the paper broke are put together', () => {
    expect(
      cut('第一条 作业人员应当\n系安全带。\nArticle 2 Scaf-\nfolds are in-\nspected daily', true),
    ).toEqual([
      ['第一条', '第一条 作业人员应当系安全带。'],
      ['Article 2', 'Article 2 Scaffolds are inspected daily'],
    ]);
  });

  test('headings of Markdown, whatever their numbers', () => {
    const text =
      '# 规程\n\n## 3.1 动火\n\n- **必须**办证，见[附件](http://x/y)\n\n| 级别 | 期限 |\n|---|---|\n| 一级 | 8 |\n';
    expect(cutClauses(readMarkdown(Buffer.from(text)), { wrapped: false })).toEqual([
      {
        clausePath: '规程 > 3.1 动火',
        page: null,
        text: '3.1 动火\n必须办证，见附件\n级别 | 期限\n一级 | 8',
      },
    ]);
  });

  test(
    'chapters of a standard, which bear a bare number, also those without sections; rows of a table look ' +
      'alike and are none',
    () => {
      expect(
        cut(
          '1 范围\n本标准适用于高处作业。\n2 术语\n2.1 高处作业\n在2 m及以上处的作业。\n2.2 临边作业\n见表1。\n1 外观\n2 静负荷\n3 一般规定\n3.1 ' +
            '应当交底。\n4 附则\n由安全部解释。',
        ),
      ).toEqual([
        ['1 范围', '1 范围\n本标准适用于高处作业。'],
        ['2 术语 > 2.1', '2.1 高处作业\n在2 m及以上处的作业。'],
        ['2 术语 > 2.2', '2.2 临边作业\n见表1。\n1 外观\n2 静负荷'],
        ['3 一般规定 > 3.1', '3.1 应当交底。'],
        ['4 附则', '4 附则\n由安全部解释。'],
      ]);
      expect(cut('第二章 作业\n1 动火\n1.1 办证。\n附录A\n图例').map(([path]) => path)).toEqual([
        '第二章 作业 > 1 动火 > 1.1',
        '附录A',
      ]);
      expect(cut('第一条 检查：\n1 安全帽\n2 安全带')).toEqual([
        ['第一条', '第一条 检查：\n1 安全帽\n2 安全带'],
      ]);
    },
  );

  test('appendices have numbers of their own and belong to no article before them', () => {
    expect(
      cut(
        '第六条 自发布之日起施行。\n附录A（规范性）审批表\nA.1 一般要求\nA.1.1 一式三份。\nA.2 ' +
          '填写\n注：用黑色笔。\n附录B\n（资料性附录）\n图例\n参考文献\n[1] GB 50016',
      ),
    ).toEqual([
      ['第六条', '第六条 自发布之日起施行。'],
      ['附录A（规范性）审批表 > A.1 一般要求 > A.1.1', 'A.1.1 一式三份。'],
      ['附录A（规范性）审批表 > A.2', 'A.2 填写\n注：用黑色笔。'],
      ['附录B', '附录B\n（资料性附录）\n图例'],
      ['参考文献', '参考文献\n[1] GB 50016'],
    ]);
    expect(cut('第一条 见下。\n附录A（规范性）给出了格式。')).toEqual([
      ['第一条', '第一条 见下。\n附录A（规范性）给出了格式。'],
    ]);
  });

  test('what explains a standard has its numbers again, and is told apart', () => {
    const rules = Array.from({ length: 6 }, (_, at) => `第${at + 1}条 规定。`).join('\n');
    expect(
      cut(`条文说明\n${rules}\n条 文 说 明\n第1条 说明。`)
        .map(([path]) => path)
        .slice(-2),
    ).toEqual(['第6条', '条 文 说 明 > 第1条']);
    expect(cut(`条文说明\n${rules}`).at(-1)).toEqual(['第6条', '第6条 规定。']);
  });

  test('words under a title are no part of it where the paper breaks lines', () => {
    expect(cut('第一章 总则\n为了安全，制定本规定。', true)).toEqual([
      ['第一章 总则', '第一章 总则\n为了安全，制定本规定。'],
    ]);
  });

  test('of Markdown what its reader does not see stays away, and titles may be underlined', () => {
    const text =
      '---\ntitle: 规程\ntags:\n  - 动火\n---\n总则\n====\n第一条 办证。<!-- 待删：\n第九条 作废 -->\n\n范围\n---\n第二条 ' +
      '严禁烟火。\n---\n| 级别 | 期限 |\n|---|---|\n| 1.5 特级 | 8<br>小时 |\n<!-- 未完';
    expect(
      cutClauses(readMarkdown(Buffer.from(text)), { wrapped: false }).map(({ clausePath, text: words }) => [
        clausePath,
        words,
      ]),
    ).toEqual([
      ['总则 > 第一条', '第一条 办证。'],
      ['总则 > 范围 > 第二条', '第二条 严禁烟火。\n级别 | 期限\n1.5 特级 | 8 小时\n<!-- 未完'],
    ]);
    expect(
      cutClauses(readMarkdown(Buffer.from('---\n第一条 注意: 防火。\n---\n第二条 办证。')), {
        wrapped: false,
      }).map((one) => one.clausePath),
    ).toEqual(['第一条', '第二条']);
  });

  test('a year, a quantity and a list of times are no clauses', () => {
    expect(cut('第一条 如下\n2026年起施行\n1.5米以上\n8:00 开工')).toEqual([
      ['第一条', '第一条 如下\n2026年起施行\n1.5米以上\n8:00 开工'],
    ]);
  });
});

test('every word is in a clause or its path, no clause is too long, and there are never too many', () => {
  const line = fc.constantFrom(
    '第一章 总则',
    '第二条 办证。',
    '3.2.1 系带',
    '（一）临边；',
    'plain words',
    '',
    'Article 3 Rules',
    `${'长'.repeat(700)}。${'句'.repeat(900)}。`,
    '字'.repeat(5_000),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (lines, wrapped) => {
      const clauses = cutClauses(
        lines.map((text) => ({ text, page: null })),
        { wrapped },
      );
      const all = clauses
        .map(({ clausePath, text }) => `${clausePath ?? ''} ${text}`)
        .join('\n')
        .replaceAll(/\s/g, '');
      for (const text of lines) {
        const words = text.replaceAll(/\s/g, '').slice(0, 60);
        expect(all.includes(words) || words === '', words).toBe(true);
      }
      for (const { text } of clauses) expect(text.length).toBeLessThanOrEqual(1_600);
    }),
    { numRuns: 200 },
  );
  const many = cutClauses(
    Array.from({ length: 12_000 }, (_, at) => ({ text: `第${at % 9_999}条 办理。`, page: null })),
    { wrapped: false },
  );
  expect(many.length).toBeLessThanOrEqual(5_000);
  expect(
    many
      .map((one) => one.text)
      .join('\n')
      .split('\n'),
  ).toHaveLength(12_000);
});

test('encodings', () => {
  expect(decodeText(Buffer.from('\ufeff安全'))).toBe('安全');
  expect(decodeText(Buffer.from([0xb0, 0xb2, 0xc8, 0xab]))).toBe('安全');
  expect(decodeText(Buffer.from('\ufeff安全', 'utf16le'))).toBe('安全');
  expect(() => decodeText(Buffer.from([1, 0, 2]))).toThrow('no text');
});
