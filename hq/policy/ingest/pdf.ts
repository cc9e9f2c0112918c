import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import type { Line } from './clauses.ts';
import { linesOf, type PageLine, type PlacedText } from './pdf-layout.ts';
import { withoutRunningTitles } from './pdf-edges.ts';
import { PdfEncodings } from './pdf-encodings.ts';
import { Unreadable } from './unreadable.ts';

/**
 * More of this in a page's text and it says nothing: its fonts do not tell what their glyphs mean. Share of
 * its characters.
 */
const UNKNOWN = 0.2;
/** Pages that a note names. */
const NAMED_PAGES = 20;

export interface PdfText {
  lines: Line[];
  /** What a reviewer must know: pages that gave no text. */
  note: string | null;
}

/** Lines of a PDF with their pages. @throws Unreadable, also for one of pictures only */
export async function readPdf(bytes: Buffer): Promise<PdfText> {
  const { getDocumentProxy } = await import('unpdf');
  let pages: PageLine[][];
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      BinaryDataFactory: PdfEncodings,
      cMapPacked: false,
    });
    pages = await pagesOf(document);
  } catch (error) {
    throw new Unreadable(
      'it is not a PDF that can be read; it may be damaged or protected by a password',
      error,
    );
  }
  const lines = pages.map((page) => (isUnknown(page) ? [] : page));
  if (lines.every((page) => page.length === 0))
    throw new Unreadable(
      'it holds pictures, or fonts that do not tell their characters, and no text; it must be read by ' +
        'character recognition first',
    );
  const silent = lines.flatMap((page, at) => (page.length === 0 ? [at + 1] : []));
  return {
    note: silent.length === 0 ? null : noteOf(silent),
    lines: withoutRunningTitles(lines).flatMap((page, at) =>
      page.map(({ text, row }) => ({ text, page: at + 1, ...(row ? { row } : {}) })),
    ),
  };
}

/** Pages one after another, so that no more than one is held in pieces. */
async function pagesOf(document: PDFDocumentProxy): Promise<PageLine[][]> {
  const pages: PageLine[][] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    pages.push(linesOf(items.flatMap((item) => ('str' in item ? [placed(item)] : []))));
    page.cleanup();
  }
  return pages;
}

/** The transformation of a piece: its scale in the second column, its place in the third. */
function placed(item: { str: string; transform: number[]; width: number; height: number }): PlacedText {
  const [, , c = 0, d = 0, x = 0, y = 0] = item.transform;
  const size = Math.hypot(c, d) || item.height || 1;
  return { text: item.str, x, y, width: item.width, size };
}

function isUnknown(page: readonly PageLine[]): boolean {
  const text = page.map((line) => line.text).join('');
  return (text.match(/\ufffd/g)?.length ?? 0) > text.replace(/\s/g, '').length * UNKNOWN;
}

function noteOf(pages: readonly number[]): string {
  const named = pages.slice(0, NAMED_PAGES).join(', ');
  const more = pages.length > NAMED_PAGES ? ` and ${pages.length - NAMED_PAGES} more` : '';
  return (
    `Pages without text that can be read, empty or pictures: ${named}${more}. ` +
    'What stands on them is in no clause.'
  );
}
