import { Parser } from 'htmlparser2';
import type { Line } from './clauses.ts';
import { decodeText } from './plain.ts';

/** What no reader of the page is shown. */
const UNSEEN = new Set([
  'head',
  'script',
  'style',
  'template',
  'noscript',
  'select',
  'object',
  'svg',
  'math',
]);
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table ' +
    'tbody td tfoot th thead tr ul'
  ).split(' '),
);
/** A cell with more text than this, or lines, holds clauses: its table is there for the layout. */
const CELL = { text: 600, lines: 4 };

interface Row {
  cells: Line[][];
}

interface ListOf {
  /** The next number; null: it has none. */
  next: number | null;
}

/** Lines of a web page as its reader sees them: paragraphs, headings, rows of tables, numbers of lists. */
export function readHtml(bytes: Buffer): Line[] {
  const page = new PageLines();
  const parser = new Parser(page, { decodeEntities: true, lowerCaseTags: true });
  parser.write(withoutByteOrder(decodeText(bytes)));
  parser.end();
  return page.all();
}

const withoutByteOrder = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

class PageLines {
  #lines: Line[] = [];
  #words = '';
  #heading: number | null = null;
  #number = '';
  #rows: Row[] = [];
  #lists: ListOf[] = [];
  /** Names of open elements that are not seen, the first of which hides the others. */
  #unseen: string[] = [];

  all(): Line[] {
    this.#close();
    return this.#lines;
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#unseen.length > 0 || isUnseen(name, attributes)) {
      if (!VOID.has(name)) this.#unseen.push(name);
      return;
    }
    if (name === 'br') this.#close();
    if (!BLOCKS.has(name)) return;
    this.#close();
    if (/^h[1-6]$/.test(name)) this.#heading = Number(name.slice(1));
    if (name === 'ol' || name === 'ul' || name === 'menu')
      this.#lists.push({ next: firstOf(name, attributes) });
    if (name === 'li') this.#number = this.#numberOf(attributes);
    if (name === 'tr') this.#rows.push({ cells: [] });
    if (name === 'td' || name === 'th') this.#rows.at(-1)?.cells.push([]);
  }

  ontext(text: string): void {
    if (this.#unseen.length === 0) this.#words += text;
  }

  onclosetag(name: string): void {
    const hidden = this.#unseen.lastIndexOf(name);
    if (this.#unseen.length > 0) {
      if (hidden >= 0) this.#unseen.length = hidden;
      return;
    }
    if (!BLOCKS.has(name)) return;
    this.#close();
    if (/^h[1-6]$/.test(name)) this.#heading = null;
    if (name === 'ol' || name === 'ul' || name === 'menu') this.#lists.pop();
    if (name === 'li') this.#number = '';
    if (name === 'tr') this.#closeRow();
  }

  /** What was gathered is a line. */
  #close(): void {
    const text = this.#words.replace(/[^\S\u3000]+/g, ' ').trim();
    this.#words = '';
    if (text === '') return;
    const line: Line = { text: this.#number + text, page: null };
    this.#number = '';
    if (this.#heading !== null) line.heading = this.#heading;
    (this.#rows.at(-1)?.cells.at(-1) ?? this.#lines).push(line);
  }

  #closeRow(): void {
    const row = this.#rows.pop();
    if (!row) return;
    const into = this.#rows.at(-1)?.cells.at(-1) ?? this.#lines;
    for (const line of isLayout(row) ? row.cells.flat() : rowOf(row)) into.push(line);
  }

  #numberOf({ value }: Readonly<Record<string, string>>): string {
    const list = this.#lists.at(-1);
    if (!list || list.next === null) return '';
    const number = /^\d{1,6}$/.test(value ?? '') ? Number(value) : list.next;
    list.next = number + 1;
    return `${number}. `;
  }
}

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

function isUnseen(name: string, { hidden, style = '' }: Readonly<Record<string, string>>): boolean {
  return (
    UNSEEN.has(name) || hidden !== undefined || /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style)
  );
}

/** The number of the first item of a list whose numbers are its reader's. */
function firstOf(name: string, { start, type, style = '' }: Readonly<Record<string, string>>): number | null {
  if (name !== 'ol' || (type !== undefined && type !== '1') || /list-style[^;]*:\s*none/i.test(style))
    return null;
  return /^\d{1,6}$/.test(start ?? '') ? Number(start) : 1;
}

const isLayout = ({ cells }: Row): boolean =>
  cells.length < 2 ||
  cells.some(
    (lines) =>
      lines.some(({ row }) => row) ||
      lines.length > CELL.lines ||
      lines.reduce((sum, { text }) => sum + text.length, 0) > CELL.text,
  );

const rowOf = ({ cells }: Row): Line[] =>
  cells.every((lines) => lines.length === 0)
    ? []
    : [
        {
          text: cells.map((lines) => lines.map(({ text }) => text).join(' ')).join(' | '),
          page: null,
          row: true,
        },
      ];
