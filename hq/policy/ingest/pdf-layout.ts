// Lines of a page, made of the pieces of text that a PDF places on it. Pure.

/** A piece of text as it was drawn; all lengths in the same unit. */
export interface PlacedText {
  text: string;
  /** Left end of its baseline; y grows upwards. */
  x: number;
  y: number;
  width: number;
  /** Size of its font. */
  size: number;
}

export interface PageLine {
  text: string;
  /** It has its columns side by side, each after a gap that no sentence has. */
  row: boolean;
}

/** As shares of the size of the font. */
const SAME_LINE = 0.5;
const BLANK = 0.15;
const COLUMN = 1.2;
/** Between the cells of a row. */
const BETWEEN_CELLS = ' | ';
/** The number of a clause, which stands apart from its words. */
const NUMBER =
  /^(?:第 ?\S{1,9} ?[条章节款]|[A-Z]?\d+(?:\.\d+)*[.、]?|[（(]\S{1,4}[)）]|[①-⑳]|[一二三四五六七八九十]+、)$/;

/** @param pieces in the order in which they were drawn */
export function linesOf(pieces: readonly PlacedText[]): PageLine[] {
  const lines = rowsOf(pieces).map(cellsOf);
  return lines.map((cells, at) => {
    const row = isRow(cells) && [lines[at - 1], lines[at + 1]].some((one) => one !== undefined && isRow(one));
    return { text: cells.join(row ? BETWEEN_CELLS : ' '), row };
  });
}

/** What is drawn on one baseline, from left to right. */
function rowsOf(pieces: readonly PlacedText[]): PlacedText[][] {
  const rows: PlacedText[][] = [];
  for (const piece of pieces) {
    if (piece.text.trim() === '') continue;
    const last = rows.at(-1)?.at(-1);
    const sameLine =
      last &&
      Math.abs(piece.y - last.y) < SAME_LINE * Math.max(piece.size, last.size) &&
      piece.x >= last.x + last.width - SAME_LINE * last.size;
    if (sameLine) rows.at(-1)?.push(piece);
    else rows.push([piece]);
  }
  return rows;
}

function cellsOf(row: readonly PlacedText[]): string[] {
  const cells: string[] = [];
  let end: number | null = null;
  for (const { text, x, width, size } of row) {
    const gap: number = end === null ? Infinity : (x - end) / size;
    const last = cells.length - 1;
    if (gap > COLUMN) cells.push(text);
    else cells[last] += (gap > BLANK ? ' ' : '') + text;
    end = x + width;
  }
  return cells.map((cell) => cell.replace(/\s+/g, ' ').trim()).filter((cell) => cell !== '');
}

/** Of two cells, the first may be the number of what the second says. */
const isRow = (cells: readonly string[]): boolean =>
  cells.length > 2 || (cells.length === 2 && !NUMBER.test(cells[0] ?? ''));
