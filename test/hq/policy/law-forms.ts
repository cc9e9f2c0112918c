// One law in the forms in which people have it: 建设工程安全生产管理条例 of 2003, 71 articles.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chromiumOfRun } from '../../support/chromium.ts';
import { docx, paragraphOf } from '../../support/docx.ts';
import { pdf, type Piece } from '../../support/pdf.ts';
import { ROOT } from '../../support/sources.ts';

/** Its paragraphs, the name of the law first. */
export const LAW: readonly string[] = readFileSync(path.join(ROOT, 'test/hq/policy/law.txt'), 'utf8')
  .trim()
  .split('\n');
const TITLE = LAW[0] ?? '';
const isChapter = (text: string): boolean => /^第.{1,3}章/.test(text);
const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one] ?? one);

export const asText = (): Buffer => Buffer.from(LAW.join('\r\n'));
export const asMarkdown = (): Buffer =>
  Buffer.from(
    LAW.map((text) => (text === TITLE ? `# ${text}` : isChapter(text) ? `## ${text}` : text)).join('\n\n'),
  );
export const asDocx = (): Buffer =>
  docx(LAW.map((text) => (text === TITLE ? paragraphOf(text, '<w:jc w:val="center"/>') : escaped(text))));

/** As a web page has it, with what its reader is not shown. */
export const asHtml = (columns = 1): Buffer =>
  Buffer.from(
    `<!doctype html><html lang="zh"><head><meta charset="utf-8"><title>第九十九条 网页标题</title><style>
     body { font: 12pt/1.6 "Noto Serif CJK SC", serif } h1, h2 { text-align: center }
     main { column-count: ${columns} } p { margin: 0 0 .3em; text-indent: 2em; text-align: justify }
     </style></head><body><h1>${TITLE}</h1><main>
     ${LAW.slice(1)
       .map((text) => (isChapter(text) ? `<h2>${escaped(text)}</h2>` : `<p>${escaped(text)}</p>`))
       .join('\n')}
     </main><div hidden>第九十八条 不显示</div><script>"第九十七条 脚本"</script></body></html>`,
  );

const HEADER = `<div style="font-size: 9pt; width: 100%; padding: 0 15mm; display: flex;
  justify-content: space-between"><span>${TITLE}</span><span>第 <span class="pageNumber"></span> 页</span></div>`;
const FOOTER =
  '<div style="font-size: 9pt; width: 100%; text-align: center"><span class="pageNumber"></span></div>';

/**
 * Printed by the browser, with a running header and page numbers; laid out here where the machine has no font
 * with Chinese.
 */
export async function asPdf(columns: number): Promise<Buffer> {
  if (!hasChineseFont()) return pdf(laidOut(columns));
  const page = await (await chromiumOfRun()).newPage();
  try {
    await page.setContent(asHtml(columns).toString('utf8'));
    return await page.pdf({
      ...{ format: 'A4', displayHeaderFooter: true, headerTemplate: HEADER, footerTemplate: FOOTER },
      margin: { top: '20mm', bottom: '20mm', left: '15mm', right: '15mm' },
    });
  } finally {
    await page.close();
  }
}

function hasChineseFont(): boolean {
  try {
    return execFileSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' }).trim() !== '';
  } catch {
    return false;
  }
}

const LINES = 42;
const SIZE = 12;
const LEADING = 16;

/** Lines of so many characters, in columns beside each other, drawn one after the other. */
export function laidOut(columns: number): Piece[][] {
  const wide = columns === 1 ? 42 : 19;
  const lines = LAW.flatMap((text, at) => {
    const indented = at === 0 || isChapter(text) ? text : `　　${text}`;
    return indented.match(new RegExp(`.{1,${wide}}`, 'gu')) ?? [];
  });
  const pages: Piece[][] = [];
  for (let from = 0; from < lines.length; from += LINES * columns) {
    const number = pages.length + 1;
    const body = lines.slice(from, from + LINES * columns).map((text, at): Piece => {
      const column = Math.floor(at / LINES);
      return [50 + column * (wide + 2) * SIZE, 740 - (at % LINES) * LEADING, text];
    });
    pages.push([[50, 775, TITLE], [520, 775, `第 ${number} 页`], ...body, [300, 30, `${number}`]]);
  }
  return pages;
}
