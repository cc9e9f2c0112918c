import type { Line } from './clauses.ts';
import { Unreadable } from './unreadable.ts';

/** UTF-8, UTF-16 with its mark, or GB 18030. @throws Unreadable for what is no text */
export function decodeText(bytes: Buffer): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null;
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes);
  if (bytes.includes(0)) throw new Unreadable({ code: 'no_text', params: {} });
  for (const encoding of ['utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  throw new Unreadable({ code: 'other_encoding', params: {} });
}

const linesOf = (text: string): string[] => text.split(/\r\n|[\n\r\f\u2028\u2029]/);

export const readPlain = (bytes: Buffer): Line[] =>
  linesOf(decodeText(bytes)).map((text) => ({ text, page: null }));

/** What describes the file, for programs. */
const FRONT_MATTER =
  /^---[ \t]*\r?\n\w[\w-]*[ \t]*:.*\r?\n(?:\w[\w-]*[ \t]*:.*\r?\n|[ \t#-].*\r?\n|\r?\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
/** Makes the line above it a heading; a dash or two under a sentence part it from the next. */
const UNDERLINE = /^ {0,3}(?:(=)=+|--+)\s*$/;

/** Marks of Markdown are taken off, its words are kept, as far as its reader sees them. */
export function readMarkdown(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  let fenced = false;
  for (const text of linesOf(withoutComments(decodeText(bytes).replace(FRONT_MATTER, '')))) {
    const under = fenced ? null : UNDERLINE.exec(text);
    const above = lines.at(-1);
    if (under && above && isTitle(above)) {
      above.heading = under[1] === '=' ? 1 : 2;
      continue;
    }
    if (/^\s*(?:```|~~~)/.test(text)) {
      fenced = !fenced;
      continue;
    }
    const [, marks, title] = (fenced ? null : /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(text)) ?? [];
    if (marks !== undefined && title !== undefined)
      lines.push({ text: unmarked(title), page: null, heading: marks.length });
    else if (fenced) lines.push({ text, page: null });
    else if (!/^\s*(?:[-*_]\s*){3,}$|^[\s|:-]*-[\s|:-]*$/.test(text))
      lines.push({ text: unmarked(text), page: null, ...(/^\s*\|.*\|\s*$/.test(text) ? { row: true } : {}) });
  }
  return lines;
}

const isTitle = ({ text, heading, row }: Line): boolean =>
  heading === undefined &&
  !row &&
  text.trim() !== '' &&
  text.length <= 60 &&
  !/[。；;.!?！？：:]\s*$/.test(text);

/** No reader of the document is shown a comment. */
function withoutComments(text: string): string {
  const [first = '', ...rest] = text.split('<!--');
  let shown = first;
  let open = '';
  for (const piece of rest) {
    open += `<!--${piece}`;
    const end = piece.indexOf('-->');
    if (end < 0) continue;
    shown += piece.slice(end + 3);
    open = '';
  }
  // One that is never closed is none.
  return shown + open;
}

function unmarked(text: string): string {
  return text
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/^\s*>+\s?/, '')
    .replace(/^\s*[-*+]\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/(\*\*|__)(.+?)\1/g, '$2')
    .replace(/(?<![*\w])\*([^*\s][^*]*)\*(?![*\w])/g, '$1')
    .replace(/`([^`]+)`/g, '$1')
    .replace(/^\s*\|(.*)\|\s*$/, (_, cells: string) =>
      cells
        .split('|')
        .map((cell) => cell.trim())
        .join(' | '),
    )
    .replace(/\\([\\`*_{}[\]()#+.!|>-])/g, '$1');
}
