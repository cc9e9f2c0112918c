import { displayWidth } from './table.ts';

/**
 * A figure with its unit, a word with the blanks after it, or one wide character with the punctuation that
 * must not begin a line.
 */
const UNIT =
  /\d[\d.]* (?:(?:s|min|h|days|B|[KMGT]iB|%)(?![A-Za-z])[,;.]?|[\u2e80-\uffff])\s*|[^\s\u2e80-\uffff]+\s*|[\u2e80-\uffff][，。；：、）？！]*\s*|\s+/g;

/** Text in lines of at most `width` columns; a word that is longer stays whole. */
export function fold(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [unit] of text.matchAll(UNIT)) {
    if (line !== '' && displayWidth((line + unit).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += unit;
  }
  return [...lines, line.trimEnd()];
}
