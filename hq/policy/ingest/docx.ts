import { pack, unpackTexts } from './archive.ts';
import type { Line } from './clauses.ts';
import { writeNumbers } from './numbered.ts';
import { Unreadable } from './unreadable.ts';

/** Paragraphs of a Word file, with the numbers that Word makes by itself. @throws Unreadable */
export async function readDocx(bytes: Buffer): Promise<Line[]> {
  const parts = await unpackTexts(bytes);
  const { default: mammoth } = await import('mammoth');
  let html: string;
  try {
    writeNumbers(parts);
    html = (
      await mammoth.convertToHtml(
        { buffer: pack(parts) },
        { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
      )
    ).value;
  } catch (error) {
    throw new Unreadable({ code: 'not_word', params: {} }, error);
  }
  return linesOfHtml(html);
}

const BLOCK = /<(h[1-6]|p|li|td|th)(?:\s([^>]*))?>([\s\S]*?)(?=<\/?(?:h[1-6]|p|li|td|th|table|ul|ol)\b)/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};
const IN_ROW = 'class="row"';
/**
 * With more than these a cell holds clauses of its own: the table is there for the layout. Paragraphs;
 * characters of HTML.
 */
const CELL_PARAGRAPHS = 4;
const CELL_TEXT = 600;
const NOTE = /<li id="((?:foot|end)note-[^"]*)">/;
const NOTE_LINK = /<a href="#((?:foot|end)note-[^"]*)"[^>]*>(\[\d+\])<\/a>/g;

/**
 * The converter writes a plain HTML of its own, never that of the document. Footnotes, which it puts at the
 * end, stand after what they are about.
 */
function linesOfHtml(html: string): Line[] {
  const lines: Line[] = [];
  const [body = '', ...rest] = html.split(NOTE);
  const notes = new Map(
    rest.flatMap((id, at) => (at % 2 === 0 ? [[id, noteOf(rest[at + 1] ?? '')] as const] : [])),
  );
  for (const [, tag = '', looks = '', inner = ''] of withRows(body).matchAll(BLOCK)) {
    for (const text of wordsOf(inner).split('\n')) {
      if (text.trim() === '') continue;
      lines.push({
        text,
        page: null,
        ...(tag.startsWith('h') ? { heading: Number(tag.slice(1)) } : {}),
        ...(looks === IN_ROW ? { row: true } : {}),
      });
    }
    for (const [, id = '', mark = ''] of inner.matchAll(NOTE_LINK))
      lines.push({ text: `${mark} ${notes.get(id) ?? ''}`, page: null });
  }
  return lines;
}

/** Rows without a table in them become a line each. */
function withRows(html: string): string {
  const [before = '', ...rows] = html.split('<tr>');
  return (
    before +
    rows
      .map((row) => {
        const end = row.indexOf('</tr>');
        // A row with a table in it ends behind the rows of that table.
        return end < 0 ? row : rowOf(row.slice(0, end)) + row.slice(end + '</tr>'.length);
      })
      .join('')
  );
}

/** The cells of a row in one line, as they are read. */
function rowOf(inner: string): string {
  const cells = inner.split(/<t[dh](?:\s[^>]*)?>/).slice(1);
  if (
    cells.length < 2 ||
    cells.some((cell) => cell.length > CELL_TEXT || cell.split('<p>').length - 1 > CELL_PARAGRAPHS)
  )
    return inner;
  return `<p ${IN_ROW}>${cells
    .map((cell) =>
      cell
        .replace(/<\/?(?:h[1-6]|p|li|ul|ol|td|th|br)\b[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .join(' | ')}</p>`;
}

const noteOf = (html: string): string =>
  wordsOf(
    html.replace(/<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/, '').replace(/<\/(?:p|li)>/g, ' '),
  ).trim();

const wordsOf = (html: string): string =>
  html
    .replace(/<br\s*\/?>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (entity) => ENTITIES[entity] ?? entity);
