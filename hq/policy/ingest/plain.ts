import type { Line } from './clauses.ts';
import { Unreadable } from './unreadable.ts';

/** UTF-8, UTF-16 with its mark, or GB 18030. @throws Unreadable for what is no text */
export function decodeText(bytes: Buffer): string {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes);
  if (bytes.includes(0)) throw new Unreadable('it is no text');
  for (const encoding of ['utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  throw new Unreadable('it is neither UTF-8 nor GB 18030 text');
}

export const readPlain = (bytes: Buffer): Line[] => decodeText(bytes).split(/\r\n|[\n\r\f\u2028\u2029]/).map((text) => ({ text, page: null }));

/** Marks of Markdown are taken off, its words are kept. */
export function readMarkdown(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  let fenced = false;
  for (const { text } of readPlain(bytes)) {
    if (/^\s*(?:```|~~~)/.test(text)) {
      fenced = !fenced;
      continue;
    }
    const [, marks, title] = (fenced ? null : /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(text)) ?? [];
    if (marks !== undefined && title !== undefined) lines.push({ text: unmarked(title), page: null, heading: marks.length });
    else if (fenced) lines.push({ text, page: null });
    else if (!/^\s*(?:[-*_]\s*){3,}$|^[\s|:-]*-[\s|:-]*$/.test(text)) lines.push({ text: unmarked(text), page: null });
  }
  return lines;
}

function unmarked(text: string): string {
  return text
    .replace(/^\s*>+\s?/, '').replace(/^\s*[-*+]\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, '$1').replace(/(\*\*|__)(.+?)\1/g, '$2').replace(/(?<![*\w])\*([^*\s][^*]*)\*(?![*\w])/g, '$1').replace(/`([^`]+)`/g, '$1')
    .replace(/^\s*\|(.*)\|\s*$/, (_, cells: string) => cells.split('|').map((cell) => cell.trim()).join(' | ')).replace(/\\([\\`*_{}[\]()#+.!|>-])/g, '$1');
}
