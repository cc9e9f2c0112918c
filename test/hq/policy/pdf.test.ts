// What becomes of headers, headings and tables of a PDF, on files that are made here.
import { describe, expect, test } from 'vitest';
import { readOriginal } from '../../../hq/policy/ingest/read.ts';
import { pdf, type Piece } from '../../support/pdf.ts';

const read = async (pages: readonly (readonly Piece[])[]) =>
  (await readOriginal({ bytes: pdf(pages), fileName: 'a.pdf', contentType: null })).clauses.map(
    ({ clausePath, text }) => [clausePath, text],
  );
/** Lines below each other. */
const lines = (texts: readonly string[]): Piece[] => texts.map((text, at) => [50, 750 - at * 20, text]);

const BODY = [
  ['3.1 作业前应当检查', '设备，不得带病运行。'],
  ['3.2 人员不得擅自进入', '危险区域。', '4.3 检查与维护'],
  ['4.3.1 每月检查一次。'],
  ['4.3.2 记录存档。'],
];
const CUT = [
  ['3.1', '3.1 作业前应当检查设备，不得带病运行。'],
  ['3.2', '3.2 人员不得擅自进入危险区域。'],
  ['4.3 检查与维护 > 4.3.1', '4.3.1 每月检查一次。'],
  ['4.3 检查与维护 > 4.3.2', '4.3.2 记录存档。'],
];

test.each<[string, (page: number) => string[], (page: number) => string[]]>([
  ['of two lines', () => ['某局集团有限公司', '安全管理制度汇编'], () => []],
  ['with the page number in it', (page) => [`某局集团有限公司 安全管理制度汇编 第 ${page} 页`], () => []],
  ['behind a page number', (page) => [`${page}`, '某局集团有限公司'], () => []],
  ['before a page number', (page) => ['某局集团有限公司', `— ${page} —`], () => []],
  ['below', () => [], (page) => ['安全管理制度汇编', `第 ${page} 页 共 4 页`]],
])('a running title %s is in no clause, and a heading before it keeps its words', async (_, above, below) => {
  const pages = BODY.map((body, at) => lines([...above(at + 1), ...body, ...below(at + 1)]));
  expect(await read(pages)).toEqual(CUT);
});

test('what begins most pages as clauses do is no header', async () => {
  const pages = [1, 2, 3, 4].map((page) => lines([`第${page}条 作业前应当检查设备。`]));
  expect(await read(pages)).toHaveLength(4);
});

test('a table keeps its columns and rows, also of numbers alone', async () => {
  const columns = [50, 200, 260, 320, 380];
  const row = (y: number, ...cells: string[]): Piece[] =>
    cells.map((cell, at) => [columns[at] ?? 0, y, cell] as const);
  const clauses = await read([
    [
      [50, 750, '5.0.1 最小距离应当符合下表的'],
      [50, 735, '规定。'],
      ...row(710, '电压（kV）', '10', '35', '110', '220'),
      ...row(690, '沿垂直方向（m）', '3.0', '4.0', '5.0', '6.0'),
      ...row(670, '沿水平方向（m）', '2.0', '3.5', '4.0', '6.0'),
      [50, 640, '5.0.2 应当设置警戒线'],
      [50, 625, '并派人监护。'],
    ],
  ]);
  expect(clauses).toEqual([
    [
      '5.0.1',
      '5.0.1 最小距离应当符合下表的规定。\n电压（kV） | 10 | 35 | 110 | 220\n' +
        '沿垂直方向（m） | 3.0 | 4.0 | 5.0 | 6.0\n沿水平方向（m） | 2.0 | 3.5 | 4.0 | 6.0',
    ],
    ['5.0.2', '5.0.2 应当设置警戒线并派人监护。'],
  ]);
});

test('numbers of clauses that stand apart from their words make no table', async () => {
  const clauses = await read([
    [
      [50, 750, '3.0.1'],
      [120, 750, '作业前应当检查。'],
      [50, 730, '3.0.2'],
      [120, 730, '作业后应当清场。'],
    ],
  ]);
  expect(clauses).toEqual([
    ['3.0.1', '3.0.1 作业前应当检查。'],
    ['3.0.2', '3.0.2 作业后应当清场。'],
  ]);
});

describe('a table, in whatever order it was drawn', () => {
  const X = [50, 200, 260, 320];
  const CELLS = [
    ['电压（kV）', '10', '35', '110'],
    ['沿垂直方向（m）', '3.0', '4.0', '5.0'],
    ['沿水平方向（m）', '2.0', '3.5', '4.0'],
  ];
  const LEAD: Piece[] = [[50, 750, '5.0.1 最小距离应当符合下表的规定。']];
  const REST: Piece[] = [
    [50, 600, '5.0.2 应当设置警戒线'],
    [50, 585, '并派人监护。'],
  ];
  const cell = (row: number, column: number, leading: number): Piece => [
    X[column] ?? 0,
    710 - row * leading,
    CELLS[row]?.[column] ?? '',
  ];
  const byRow = (leading: number): Piece[] =>
    CELLS.flatMap((row, at) => row.map((_, column) => cell(at, column, leading)));
  const byColumn = (leading: number): Piece[] =>
    X.flatMap((_, column) => CELLS.map((_row, at) => cell(at, column, leading)));
  const without = (pieces: Piece[], ...texts: string[]): Piece[] =>
    pieces.filter(([, , text]) => !texts.includes(text));
  const rows = (cells: string[][]): string => cells.map((row) => row.join(' | ').trim()).join('\n');
  const expected = (cells: string[][]) => [
    ['5.0.1', `5.0.1 最小距离应当符合下表的规定。\n${rows(cells)}`],
    ['5.0.2', '5.0.2 应当设置警戒线并派人监护。'],
  ];
  const emptied = (...texts: string[]): string[][] =>
    CELLS.map((row) => row.map((text) => (texts.includes(text) ? '' : text)));

  test.each<[string, Piece[], string[][]]>([
    ['column by column', [...LEAD, ...byColumn(20), ...REST], CELLS],
    ['column by column, its rows close together', [...LEAD, ...byColumn(15), ...REST], CELLS],
    ['from the last cell to the first', [...LEAD, ...byRow(20).reverse(), ...REST], CELLS],
    ['after the text below it', [...LEAD, ...REST, ...byColumn(20)], CELLS],
    ['without two cells', [...LEAD, ...without(byRow(20), '3.0', '3.5'), ...REST], emptied('3.0', '3.5')],
    [
      'column by column without its corner',
      [...LEAD, ...without(byColumn(20), '电压（kV）', '3.5'), ...REST],
      emptied('电压（kV）', '3.5'),
    ],
    ['in close columns without a cell', [...LEAD, ...without(byColumn(15), '3.5'), ...REST], emptied('3.5')],
    [
      'with its columns made of blanks',
      [...LEAD, ...CELLS.map((row, at): Piece => [50, 710 - at * 20, row.join('     ')]), ...REST],
      CELLS,
    ],
  ])('%s', async (_, pieces, cells) => {
    expect(await read([pieces])).toEqual(expected(cells));
  });

  test('cell by cell, with cells of several lines beside one in their middle', async () => {
    const pieces: Piece[] = [
      ...LEAD,
      [50, 710, '项目'],
      [150, 710, '要求'],
      [450, 710, '周期'],
      [50, 680, '钢丝绳'],
      [150, 687, '断丝数不得超过规定值，端部固定'],
      [150, 673, '应牢固。'],
      [450, 680, '每日'],
      [50, 650, '制动器'],
      [150, 650, '动作灵敏可靠。'],
      [450, 650, '每班'],
      ...REST,
    ];
    expect(await read([pieces])).toEqual(
      expected([
        ['项目', '要求', '周期'],
        ['钢丝绳', '断丝数不得超过规定值，端部固定应牢固。', '每日'],
        ['制动器', '动作灵敏可靠。', '每班'],
      ]),
    );
  });

  test('that spans rows or lies over something else is named by its page', async () => {
    const torn = async (...pages: Piece[][]): Promise<number[]> =>
      (await readOriginal({ bytes: pdf(pages), fileName: 'a.pdf', contentType: null })).torn;
    const spanned: Piece[] = [
      [50, 702, '方向'],
      [220, 710, '电压（kV）'],
      ...byRow(20).map(([x, y, text]): Piece => [x, y - 18, text]),
    ];
    expect(await torn([...LEAD, ...byRow(20)], [...LEAD, ...spanned])).toEqual([2]);
    expect(await torn([...LEAD, ...byRow(20), [205, 708, '改为12']])).toEqual([1]);
  });

  test('with columns so narrow that a row is drawn in one piece', async () => {
    const pieces: Piece[] = [
      ...LEAD,
      ...CELLS.map((row, at): Piece => [50, 710 - at * 20, row.join(' ')]),
      ...REST,
    ];
    expect(await read([pieces])).toEqual(expected(CELLS));
  });

  test('two lines of a text that end with numbers are none', async () => {
    const lines: Piece[] = [
      [50, 750, '5.0.1 分别为 10 20'],
      [50, 735, '以及一并为 10 20 30 吨。'],
    ];
    expect(await read([lines])).toEqual([['5.0.1', '5.0.1 分别为 10 20以及一并为 10 20 30 吨。']]);
  });

  test('columns of prose are read one after the other', async () => {
    const column = (x: number, text: string): Piece[] =>
      Array.from({ length: 6 }, (_, at) => [x, 700 - at * 15, `${text}${at}。`]);
    const [[, text] = []] = await read([
      [...column(50, '作业前应当检查设备不得带病运行'), ...column(320, '作业后应当清理现场不得留下火种')],
    ]);
    expect(text?.indexOf('运行5')).toBeLessThan(text?.indexOf('火种0') ?? 0);
  });
});
