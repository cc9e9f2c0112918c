import type { Line } from './clauses.ts';
import { PdfEncodings } from './pdf-encodings.ts';
import { Unreadable } from './unreadable.ts';

const PAGE_NUMBER =
  /^(?:[-—–·\s]*\d{1,4}[-—–·\s]*|第\s*\d+\s*页(?:[，,/\s]*共\s*\d+\s*页)?|page \d+(?: of \d+)?|\d+\s*\/\s*\d+)$/i;
/** From so many pages on, what stands at the edge of most of them is a header or a footer. */
const ENOUGH_PAGES = 3;

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
  const { extractText, getDocumentProxy } = await import('unpdf');
  let pages: string[];
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      BinaryDataFactory: PdfEncodings,
      cMapPacked: false,
    });
    pages = (await extractText(document, { mergePages: false })).text;
  } catch (error) {
    throw new Unreadable(
      'it is not a PDF that can be read; it may be damaged or protected by a password',
      error,
    );
  }
  const lines = pages.map((page) =>
    (isUnknown(page) ? '' : page)
      .split('\n')
      .map((text) => text.trim())
      .filter((text) => text !== ''),
  );
  if (lines.every((page) => page.length === 0))
    throw new Unreadable(
      'it holds pictures, or fonts that do not tell their characters, and no text; it must be read by ' +
        'character recognition first',
    );
  const edges = repeatedEdges(lines);
  const silent = lines.flatMap((page, at) => (page.length === 0 ? [at + 1] : []));
  return {
    note: silent.length === 0 ? null : noteOf(silent),
    lines: lines.flatMap((page, at) =>
      page
        .filter(
          (text, index) =>
            !PAGE_NUMBER.test(text) && !((index === 0 || index === page.length - 1) && edges.has(text)),
        )
        .map((text) => ({ text, page: at + 1 })),
    ),
  };
}

const isUnknown = (page: string): boolean =>
  (page.match(/\ufffd/g)?.length ?? 0) > page.replace(/\s/g, '').length * UNKNOWN;

function noteOf(pages: readonly number[]): string {
  const named = pages.slice(0, NAMED_PAGES).join(', ');
  const more = pages.length > NAMED_PAGES ? ` and ${pages.length - NAMED_PAGES} more` : '';
  return (
    `Pages without text that can be read, empty or pictures: ${named}${more}. ` +
    'What stands on them is in no clause.'
  );
}

function repeatedEdges(pages: readonly string[][]): Set<string> {
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const text of new Set([page[0], page.at(-1)]))
      if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return new Set(
    [...counts]
      .filter(([, count]) => pages.length >= ENOUGH_PAGES && count > pages.length / 2)
      .map(([text]) => text),
  );
}
