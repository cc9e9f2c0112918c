import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import type { Line } from '../clauses.ts';
import { Unreadable } from '../unreadable.ts';
import type { Columns } from './columns.ts';
import { withoutRunningTitles } from './edges.ts';
import { PdfEncodings } from './encodings.ts';
import type { PlacedText } from './fragments.ts';
import { linesOf, type PageLine, type PageText } from './layout.ts';

/**
 * More of this in a page's text and it says nothing: its fonts do not tell what their glyphs mean. Share of
 * its characters.
 */
const UNKNOWN = 0.2;
/** The tangent of an angle that a scanned page may have. */
const ASLANT = 0.1;

/** A page of pictures, as character recognition reads it. */
export interface RecognizedPage {
  /** From 1. */
  page: number;
  lines: PageLine[];
}

export interface PdfText {
  lines: Line[];
  /** Pages without text that can be read: empty, pictures, or in fonts that do not tell their characters. */
  silent: number[];
  /** Pages with a table that could not be kept. */
  torn: number[];
}

/**
 * Lines of a PDF with their pages. @param recognized stands for the text of pages that have none
 * @throws Unreadable
 */
export async function readPdf(
  bytes: Buffer,
  recognized: readonly RecognizedPage[],
  told: (page: number, pages: number) => void,
): Promise<PdfText> {
  const { getDocumentProxy } = await import('unpdf');
  let pages: PageText[];
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      BinaryDataFactory: PdfEncodings,
      cMapPacked: false,
    });
    pages = await pagesOf(document, told);
  } catch (error) {
    throw new Unreadable({ code: 'not_pdf', params: {} }, error);
  }
  const instead = new Map(recognized.map(({ page, lines }) => [page, lines]));
  const known = pages.map(({ lines }) => (isUnknown(lines) ? [] : lines));
  const read = withoutRunningTitles(known).map((page) => page.length > 0);
  const lines = known.map((page, at): PageLine[] => (read[at] ? page : (instead.get(at + 1) ?? page)));
  const bare = withoutRunningTitles(lines);
  const numbersOf = (which: (at: number) => boolean): number[] =>
    pages.flatMap((_, at) => (which(at) ? [at + 1] : []));
  return {
    silent: numbersOf((at) => bare[at]?.length === 0),
    torn: numbersOf((at) => pages[at]?.torn === true && read[at] === true),
    lines: bare.flatMap((page, at) =>
      page.map(({ text, row }) => ({ text, page: at + 1, ...(row ? { row } : {}) })),
    ),
  };
}

/** Pages one after another, so that no more than one is held in pieces. */
async function pagesOf(
  document: PDFDocumentProxy,
  told: (page: number, pages: number) => void,
): Promise<PageText[]> {
  const pages: PageText[] = [];
  let columns: Columns | null = null;
  for (let number = 1; number <= document.numPages; number += 1) {
    told(number, document.numPages);
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = linesOf(
      items.flatMap((item) => ('str' in item ? [placed(item)] : [])),
      columns,
    );
    pages.push(text);
    columns = text.columns ?? columns;
    page.cleanup();
  }
  return pages;
}

/** The transformation of a piece: its scale in the first two columns, its place in the third. */
function placed(item: { str: string; transform: number[]; width: number; height: number }): PlacedText {
  const [a = 1, b = 0, c = 0, d = 0, x = 0, y = 0] = item.transform;
  const size = Math.hypot(c, d) || item.height || 1;
  const turn =
    Math.abs(b) < ASLANT * Math.abs(a) ? 'along' : Math.abs(a) < ASLANT * Math.abs(b) ? 'across' : 'aslant';
  return { text: item.str, x, y, width: item.width, size, turn };
}

function isUnknown(page: readonly PageLine[]): boolean {
  const text = page.map((line) => line.text).join('');
  return (text.match(/\ufffd/g)?.length ?? 0) > text.replace(/\s/g, '').length * UNKNOWN;
}
