// What becomes of headers, headings and tables of a PDF, on files that are made here.
import { expect, test } from 'vitest';
import { readOriginal } from '../../../hq/policy/ingest/read.ts';

/** A piece of text at its place, in points from the lower left corner. */
type Piece = readonly [x: number, y: number, text: string];

/** A font that lies in no PDF, as older standards have it: each character as wide as it is high. */
const FONT =
  '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [<< ' +
  '/Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) ' +
  '/Ordering (GB1) /Supplement 2 >> /DW 1000 /FontDescriptor << /Type /FontDescriptor /FontName ' +
  '/STSong-Light /Flags 6 >> >>] >>';
const SIZE = 12;

function pdf(pages: readonly (readonly Piece[])[]): Buffer {
  const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
  const objects = ['', '', FONT];
  const kids: string[] = [];
  for (const pieces of pages) {
    const drawn = pieces.map(([x, y, text]) => `1 0 0 1 ${x} ${y} Tm <${hex(text)}> Tj`).join(' ');
    const stream = `BT /F1 ${SIZE} Tf ${drawn} ET`;
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${objects.length} 0 R /Resources ` +
        '<< /Font << /F1 3 0 R >> >> >>',
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[0] = '<< /Type /Catalog /Pages 2 0 R >>';
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ` +
      `${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`,
  );
}

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
