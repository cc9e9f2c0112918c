// The numbers that Word makes by itself are in the clauses, as a reader of the printed regulation has them.
import { expect, test } from 'vitest';
import { readOriginal } from '../../../hq/policy/ingest/read.ts';
import { DOCUMENT, docx, OFFICE, paragraphOf, zip } from '../../support/docx.ts';

const WORD = `xmlns:w="${OFFICE}/wordprocessingml/2006/main"`;

interface LevelOf {
  text: string;
  format?: string;
  start?: number;
  more?: string;
}

const levelsOf = (levels: readonly LevelOf[]): string =>
  levels
    .map(
      ({ text, format = 'decimal', start = 1, more = '' }, at) =>
        `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt ` +
        `w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`,
    )
    .join('');
const patternOf = (id: number, levels: readonly LevelOf[]): string =>
  `<w:abstractNum w:abstractNumId="${id}">${levelsOf(levels)}</w:abstractNum>`;
const listOf = (id: number, pattern: number, more = ''): string =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${pattern}"/>${more}</w:num>`;
const inList = (list: number, level = 0): string =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`;

async function clausesOf(
  paragraphs: readonly string[],
  numbering: string,
  styles = '',
): Promise<[string | null, string][]> {
  const bytes = docx(paragraphs, [
    { name: 'word/numbering.xml', bytes: Buffer.from(`<w:numbering ${WORD}>${numbering}</w:numbering>`) },
    { name: 'word/styles.xml', bytes: Buffer.from(`<w:styles ${WORD}>${styles}</w:styles>`) },
  ]);
  return (await readOriginal({ bytes, fileName: 'a.docx', contentType: null })).clauses.map(
    ({ clausePath, text }) => [clausePath, text],
  );
}

test('chapters, articles and items of a regulation', async () => {
  const pattern = patternOf(0, [
    { text: '第%1章', format: 'chineseCounting' },
    { text: '第%2条', format: 'chineseCountingThousand', more: '<w:lvlRestart w:val="0"/>' },
    { text: '（%3）', format: 'chineseCounting', more: '<w:suff w:val="nothing"/>' },
  ]);
  expect(
    await clausesOf(
      [
        paragraphOf('总则', inList(1)),
        paragraphOf('动火前办证。', inList(1, 1)),
        paragraphOf('作业应当：', inList(1, 1)),
        paragraphOf('设监护人', inList(1, 2)),
        paragraphOf('清除可燃物', inList(1, 2)),
        paragraphOf('罚则', inList(1)),
        paragraphOf('违者停工。', inList(1, 1)),
        paragraphOf('没有编号的一段。'),
        paragraphOf('本规定自发布之日起施行。', inList(1, 1)),
      ],
      pattern + listOf(1, 0),
    ),
  ).toEqual([
    ['第一章 总则 > 第一条', '第一条 动火前办证。'],
    ['第一章 总则 > 第二条', '第二条 作业应当：\n（一）设监护人\n（二）清除可燃物'],
    ['第二章 罚则 > 第三条', '第三条 违者停工。\n没有编号的一段。'],
    ['第二章 罚则 > 第四条', '第四条 本规定自发布之日起施行。'],
  ]);
});

test('headings that have their numbers from their styles', async () => {
  const pattern = patternOf(7, [
    { text: '%1', more: '<w:pStyle w:val="H1"/>' },
    { text: '%1.%2', more: '<w:pStyle w:val="H2"/>' },
    { text: '%1.%2.%3', more: '<w:pStyle w:val="H3"/>' },
  ]);
  const style = (id: string, name: string, looks: string, based = ''): string =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name ` +
    `w:val="${name}"/>${based}<w:pPr>${looks}</w:pPr></w:style>`;
  const styles =
    style('H1', 'heading 1', '<w:numPr><w:numId w:val="3"/></w:numPr>') +
    style('H2', 'heading 2', '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="3"/></w:numPr>') +
    style('H3', 'own', '', '<w:basedOn w:val="H2"/>');
  const styled = (id: string, more = ''): string => `<w:pStyle w:val="${id}"/>${more}`;
  expect(
    await clausesOf(
      [
        paragraphOf('Scaffolds', styled('H1')),
        paragraphOf('Erection', styled('H2')),
        paragraphOf('Posts stand on plates.', styled('H3')),
        paragraphOf('Ties are placed every 4 m.', styled('H3')),
        paragraphOf('Use', styled('H2')),
        paragraphOf('Loads are posted.', styled('H3')),
        paragraphOf('Unnumbered', styled('H1', '<w:numPr><w:numId w:val="0"/></w:numPr>')),
        paragraphOf('Lifting', styled('H1')),
        paragraphOf('Text.'),
      ],
      pattern + listOf(3, 7),
      styles,
    ),
  ).toEqual([
    ['1 Scaffolds > 1.1 Erection > 1.1.1', '1.1.1 Posts stand on plates.'],
    ['1 Scaffolds > 1.1 Erection > 1.1.2', '1.1.2 Ties are placed every 4 m.'],
    ['1 Scaffolds > 1.2 Use > 1.2.1', '1.2.1 Loads are posted.'],
    ['Unnumbered', 'Unnumbered'],
    ['2 Lifting', '2 Lifting\nText.'],
  ]);
});

const FORMATS: readonly [string, number, string][] = [
  ['decimal', 3, '3'],
  ['decimalZero', 3, '03'],
  ['lowerLetter', 3, 'c'],
  ['lowerLetter', 28, 'bb'],
  ['upperLetter', 2, 'B'],
  ['lowerRoman', 9, 'ix'],
  ['upperRoman', 14, 'XIV'],
  ['ordinal', 2, '2nd'],
  ['chineseCounting', 12, '十二'],
  ['chineseCountingThousand', 103, '一百零三'],
  ['ideographDigital', 20, '二〇'],
  ['chineseLegalSimplified', 12, '壹拾贰'],
  ['ideographTraditional', 3, '丙'],
  ['decimalEnclosedCircle', 5, '⑤'],
  // Made plain, as all full-width digits are.
  ['decimalFullWidth', 12, '12'],
  ['lowerLetter', 999_999_999, '999999999'],
  ['upperRoman', 999_999_999, '999999999'],
  ['klingon', 4, '4'],
  ['none', 4, ''],
];
test.each(FORMATS)('a number in the format %s: %i is %s', async (format, start, written) => {
  expect(
    await clausesOf(
      [paragraphOf('文字', inList(1))],
      patternOf(0, [{ text: '甲%1）', format, start }]) + listOf(1, 0),
    ),
  ).toEqual([[null, `甲${written}） 文字`]]);
});

test('lists that go on, begin anew and begin elsewhere', async () => {
  const pattern = patternOf(0, [{ text: '%1、' }, { text: '%2)', format: 'lowerLetter' }]);
  const lists =
    listOf(1, 0) +
    listOf(2, 0) +
    listOf(3, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>') +
    listOf(4, 0, `<w:lvlOverride w:ilvl="0">${levelsOf([{ text: '[%1]' }])}</w:lvlOverride>`);
  const lines = await clausesOf(
    [
      paragraphOf('a', inList(1)),
      paragraphOf('b', inList(1, 1)),
      paragraphOf('c', inList(1, 1)),
      paragraphOf('d', inList(2)),
      paragraphOf('e', inList(2, 1)),
      paragraphOf('f', inList(3)),
      paragraphOf('g', inList(3)),
      paragraphOf('h', inList(4)),
    ],
    pattern + lists,
  );
  expect(
    lines
      .map(([, text]) => text)
      .join('\n')
      .split('\n'),
  ).toEqual(['1、 a', 'a) b', 'b) c', '2、 d', 'a) e', '7、 f', '8、 g', '[9] h']);
});

test(
  'what is no number stays away: points, empty paragraphs, earlier states, the newer of two ways to say ' +
    'it',
  async () => {
    const numbering =
      patternOf(0, [{ text: '•', format: 'bullet' }]) +
      patternOf(1, [{ text: '%1.' }]) +
      listOf(1, 0) +
      listOf(2, 1);
    const box = (text: string): string =>
      '<w:r><mc:AlternateContent ' +
      `xmlns:mc="m"><mc:Choice>${paragraphOf(text, inList(2))}</mc:Choice></mc:AlternateContent></w:r>`;
    const lines = await clausesOf(
      [
        paragraphOf('a point.', inList(1)),
        paragraphOf('one', inList(2)),
        `<w:p><w:pPr>${inList(2)}</w:pPr></w:p>`,
        `<w:p><w:pPr><w:pPrChange><w:pPr>${inList(2)}</w:pPr></w:pPrChange></w:pPr><w:r><w:t>was ` +
          'numbered</w:t></w:r></w:p>',
        `<w:p><w:pPr>${inList(2)}</w:pPr>${box('in a box')}<w:r><w:t>three &amp; last</w:t></w:r></w:p>`,
        paragraphOf('of no list', inList(9)),
        `<!-- ${paragraphOf('x', inList(2))} -->`,
        paragraphOf('four', inList(2)),
      ],
      numbering,
    );
    expect(
      lines
        .map(([, text]) => text)
        .join('\n')
        .split('\n'),
    ).toEqual(['a point.', '1. one', 'was numbered', '3. three & last', 'of no list', '4. four']);
  },
);

test('other names of parts and prefixes are followed', async () => {
  const main = (xml: string): string => xml.replaceAll('w:', 'x:').replaceAll('xmlns:w', 'xmlns:x');
  const relation = (type: string, target: string): string =>
    `<Relationship Id="${type}" Type="${OFFICE}/officeDocument/2006/relationships/${type}" ` +
    `Target="${target}"/>`;
  const relations = (inner: string): Buffer =>
    Buffer.from(`<Relationships xmlns="${OFFICE}/package/2006/relationships">${inner}</Relationships>`);
  const bytes = zip([
    { name: '_rels/.rels', bytes: relations(relation('officeDocument', '/text/main2.xml')) },
    { name: 'text/_rels/main2.xml.rels', bytes: relations(relation('numbering', 'lists.xml')) },
    {
      name: 'text/main2.xml',
      bytes: Buffer.from(
        main(
          '<w:document ' +
            `${WORD.replace('xmlns:w', 'xmlns:x')}><w:body>${paragraphOf('总则', inList(1))}</w:body></w:document>`,
        ),
      ),
    },
    {
      name: 'text/lists.xml',
      bytes: Buffer.from(
        '<w:numbering ' +
          `${WORD}>${patternOf(0, [{ text: '&#31532;%1章', format: 'chineseCounting' }])}${listOf(1, 0)}</w:numbering>`,
      ),
    },
    {
      name: '[Content_Types].xml',
      bytes: Buffer.from(
        `<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="xml" ` +
          'ContentType="application/xml"/></Types>',
      ),
    },
  ]);
  expect(await readOriginal({ bytes, fileName: 'a.docx', contentType: null })).toMatchObject({
    clauses: [{ text: '第一章 总则' }],
  });
});

test('numbers cannot be made to grow, nor styles to go round for ever', async () => {
  const long = await clausesOf(
    Array.from({ length: 2_000 }, () => paragraphOf('x', inList(1))),
    patternOf(0, [{ text: '%1'.repeat(100_000), format: 'upperLetter', start: 259 }]) + listOf(1, 0),
  );
  expect(Math.max(...long.map(([, text]) => text.length))).toBeLessThan(2_000);
  const round =
    '<w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style ' +
    'w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style>';
  expect(
    await clausesOf(
      [paragraphOf('y', '<w:pStyle w:val="A"/>')],
      patternOf(0, [{ text: '%1' }]) + listOf(1, 0),
      round,
    ),
  ).toEqual([[null, 'y']]);
  const broken = zip([
    { name: DOCUMENT, bytes: Buffer.from('<w:p><w:pPr><w:numPr>') },
    { name: 'word/numbering.xml', bytes: Buffer.from('<w:lvl w:ilvl="99999"><w:abstractNum') },
  ]);
  await expect(readOriginal({ bytes: broken, fileName: 'a.docx', contentType: null })).rejects.toThrow(
    /Word document/,
  );
});

test(
  'rows of a table stay together, notes stand with what they are about, and only what counts of a ' +
    'tracked change is there',
  async () => {
    const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const line = (inner: string): string => `<w:p>${inner}</w:p>`;
    const row = (...cells: string[]): string =>
      `<w:tr>${cells
        .map(
          (cell) =>
            `<w:tc>${cell
              .split('/')
              .map((text) => line(run(text)))
              .join('')}</w:tc>`,
        )
        .join('')}</w:tr>`;
    const changed = (kind: string, inner: string): string =>
      `<w:${kind} w:id="1" w:author="a">${inner}</w:${kind}>`;
    const bytes = docx(
      [
        line(`${run('第三条 动火分为三级')}<w:r><w:footnoteReference w:id="2"/></w:r>${run('。')}`),
        `<w:tbl>${row('级别', '有效期')}${row('1.5 特级', '8小时/不得延期')}</w:tbl>`,
        line(
          `${run('第四条 高处作业')}${changed('del', '<w:r><w:delText>可以不系</w:delText></w:r>')}${changed('ins', run('必须系'))}${run('安全带')}${changed('moveFrom', run('旧'))}${changed('moveTo', run('新'))}`,
        ),
        `<w:tbl>${row('职责', '第五条 甲/第六条 乙/第七条 丙/第八条 丁/第九条 戊')}</w:tbl>`,
      ],
      [
        {
          name: 'word/footnotes.xml',
          bytes: Buffer.from(
            `<w:footnotes ${WORD}><w:footnote ` +
              `w:id="2">${line(run('不含 &lt;固定&gt; 动火区。'))}</w:footnote></w:footnotes>`,
          ),
        },
        {
          name: 'word/_rels/document.xml.rels',
          bytes: Buffer.from(
            `<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="r1" ` +
              `Type="${OFFICE}/officeDocument/2006/relationships/footnotes" ` +
              'Target="footnotes.xml"/></Relationships>',
          ),
        },
      ],
    );
    expect(
      (await readOriginal({ bytes, fileName: 'a.docx', contentType: null })).clauses.map(
        ({ clausePath, text }) => [clausePath, text],
      ),
    ).toEqual([
      [
        '第三条',
        '第三条 动火分为三级[1]。\n[1] 不含 <固定> 动火区。\n级别 | 有效期\n1.5 特级 | 8小时 不得延期',
      ],
      ['第四条', '第四条 高处作业必须系安全带新\n职责'],
      ['第五条', '第五条 甲'],
      ['第六条', '第六条 乙'],
      ['第七条', '第七条 丙'],
      ['第八条', '第八条 丁'],
      ['第九条', '第九条 戊'],
    ]);
  },
);
