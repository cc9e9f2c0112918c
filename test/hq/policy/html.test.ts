// Web pages as their readers see them, and characters that only look like plain ones.
import { expect, test } from 'vitest';
import { readOriginal } from '../../../hq/policy/ingest/read.ts';

const read = async (html: string | Buffer) =>
  (await readOriginal({ bytes: Buffer.from(html), fileName: 'a.html', contentType: null })).clauses.map(
    ({ clausePath, text }) => [clausePath, text],
  );

test('headings are in the paths, what is not shown is nowhere, and words of one paragraph stay together', async () => {
  expect(
    await read(
      '<html><head><title>第九条 题</title><style>p { color: red }</style></head><body>' +
        '<h1>规程</h1><h2>第一章 总则</h2><p>第一条 动火<b>前</b>\n 办&nbsp;证&amp;监护。<br>第二款。' +
        '<p>第二条 严禁<span hidden>第八条 甲</span>烟火。<div style="display: none"><p>第七条 乙</div>' +
        '<script>document.write("第六条 丙")</script></body></html>',
    ),
  ).toEqual([
    ['规程 > 第一章 总则 > 第一条', '第一条 动火前 办 证&监护。\n第二款。'],
    ['规程 > 第一章 总则 > 第二条', '第二条 严禁烟火。'],
  ]);
});

test('rows of a table stay together, a table for the layout does not, and numbers of lists are written out', async () => {
  expect(
    await read(
      '<table><tr><td><p>第一条 距离不小于下表。</p><table><tr><th>电压（kV）<th>10<th>35' +
        '<tr><td>距离（m）<td>2.0<td></table><p>第二条 检查下列各项：</p><ol start="3"><li>钢丝绳<li><p>制动器</p></ol>' +
        '</table>',
    ),
  ).toEqual([
    ['第一条', '第一条 距离不小于下表。\n电压（kV） | 10 | 35\n距离（m） | 2.0 | '.trim()],
    ['第二条', '第二条 检查下列各项：\n3. 钢丝绳\n4. 制动器'],
  ]);
});

test('a page in another encoding, without an end, or of nothing but nesting', async () => {
  expect(await read(Buffer.from('3c703eb5dad2bbccf520b0b2c8ab', 'hex'))).toEqual([['第一条', '第一条 安全']]);
  expect(await read(`${'<div><table><tr><td><ul><li>'.repeat(20_000)}第一条 安全`)).toEqual([
    ['第一条', '第一条 安全'],
  ]);
});

test('radicals, full-width numbers and ligatures are made plain before the text is cut', async () => {
  const clauses = await read(
    '<p>第⼀条 ⽤⽕前办证，⻔窗关闭。<p>３．１．２ 电压 ３６Ｖ（ﬁre）。<p>第１３条 终。',
  );
  expect(clauses).toEqual([
    ['第一条', '第一条 用火前办证，门窗关闭。'],
    ['第一条 > 3.1.2', '3.1.2 电压 36V（fire）。'],
    ['第13条', '第13条 终。'],
  ]);
});
