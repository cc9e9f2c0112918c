// Rows of tables with their cells under each other, of what stands side by side on a page. Pure.
import { cellText } from '../wrapped.ts';
import type { Band, Block } from './bands.ts';
import { type Fragment, SAME_LINE } from './fragments.ts';

/** From left to right; empty where a row has nothing in a column. */
export type Cells = string[];

interface Cell {
  text: string;
  x: number;
  end: number;
}

/** So much of a line at the height of another is no rounding. */
const LEANS = 0.5;
/** The number of a clause, which stands apart from its words. */
const NUMBER =
  /^(?:第 ?\S{1,9} ?[条章节款]|[A-Z]?\d+(?:\.\d+)*[.、]?|[（(]\S{1,4}[)）]|[①-⑳]|[一二三四五六七八九十]+、)$/;

/**
 * For each band its rows; null for one that is no part of a table. `leaning`: a cell stands between two rows,
 * as one that spans them, and is a row of its own.
 */
export function rowsOfBands(bands: readonly Band[]): { rows: (Cells[] | null)[]; leaning: boolean } {
  const beside = bands.map(cellsOf);
  const found = bands.map((band, at) => beside[at] ?? leaningCell(band, [bands[at - 1], bands[at + 1]]));
  const rows: (Cells[] | null)[] = bands.map(() => null);
  let [from, leaning] = [0, false];
  while (from < bands.length) {
    let to = from;
    while (found[to]) to += 1;
    const run = found.slice(from, to).flatMap((one) => one ?? []);
    if (run.length > 1 && run.some((row) => row.length > 1)) {
      const columns = columnsOf(run);
      for (let at = from; at < to; at += 1) {
        rows[at] = (found[at] ?? []).map((row) => inColumns(row, columns));
        leaning ||= !beside[at];
      }
    }
    from = Math.max(to, from + 1);
  }
  return { rows, leaning };
}

/** A single line that is in part at the height of the one before or after it. */
function leaningCell(
  { blocks: [block, ...others], top, bottom }: Band,
  around: readonly (Band | undefined)[],
): Cell[][] | null {
  if (!block || others.length > 0 || block.fragments.length > 1) return null;
  const leans = around.some((one) => one && Math.min(one.top, top) - Math.max(one.bottom, bottom) > LEANS);
  return leans ? [[cellOf(block.fragments)]] : null;
}

/** The rows of a band by itself. Of two cells, the first may be the number of what the second says. */
function cellsOf({ blocks }: Band): Cell[][] | null {
  const [first] = blocks;
  if (!first || blocks.length < 2) return null;
  if (blocks.length === 2 && NUMBER.test(textOf(first))) return null;
  const longest = blocks.reduce((a, b) => (b.fragments.length > a.fragments.length ? b : a));
  const fewest = Math.min(...blocks.map(({ fragments }) => fragments.length));
  const byLine =
    fewest > 1 &&
    blocks.every(({ fragments }) => fragments.every((one) => lineOf(one, longest.fragments) >= 0));
  if (!byLine) return [blocks.map((block) => cellOf(block.fragments))];
  return longest.fragments.map((_, at) =>
    blocks.flatMap(({ fragments }) => {
      const here = fragments.filter((one) => lineOf(one, longest.fragments) === at);
      return here.length === 0 ? [] : [cellOf(here)];
    }),
  );
}

const lineOf = ({ y, size }: Fragment, lines: readonly Fragment[]): number =>
  lines.findIndex((line) => Math.abs(line.y - y) < SAME_LINE * Math.min(size, line.size));

const textOf = ({ fragments }: Block): string => cellText(fragments.map(({ text }) => text));

const cellOf = (fragments: readonly Fragment[]): Cell => ({
  text: cellText(fragments.map(({ text }) => text)),
  x: Math.min(...fragments.map(({ x }) => x)),
  end: Math.max(...fragments.map(({ end }) => end)),
});

/** Columns of the rows that have most cells, each as wide as all cells that are in it alone. */
function columnsOf(rows: readonly (readonly Cell[])[]): Cell[] {
  const most = Math.max(...rows.map((row) => row.length));
  const full = rows.filter((row) => row.length === most);
  const columns = Array.from({ length: most }, (_, at) => ({
    text: '',
    x: Math.min(...full.map((row) => row[at]?.x ?? Infinity)),
    end: Math.max(...full.map((row) => row[at]?.end ?? -Infinity)),
  }));
  for (const cell of rows.filter((row) => row.length < most).flat()) {
    const [only, ...others] = columns.filter((column) => overlap(cell, column) > 0);
    if (!only || others.length > 0) continue;
    only.x = Math.min(only.x, cell.x);
    only.end = Math.max(only.end, cell.end);
  }
  return columns;
}

const overlap = (a: Cell, b: Cell): number => Math.min(a.end, b.end) - Math.max(a.x, b.x);

/** A row whose cells are not one to a column each, as one that spans several, stays as it is. */
function inColumns(row: readonly Cell[], columns: readonly Cell[]): Cells {
  const texts = row.map(({ text }) => text);
  if (row.length === columns.length) return texts;
  const cells: Cells = columns.map(() => '');
  for (const cell of row) {
    const under = columns.flatMap((column, at) => (overlap(cell, column) > 0 ? [at] : []));
    const nearest = columns.reduce((best, column, at) => {
      const than = columns[best];
      return than && overlap(cell, column) > overlap(cell, than) ? at : best;
    }, 0);
    if (under.length > 1 || cells[nearest] !== '') return texts;
    cells[nearest] = cell.text;
  }
  return cells;
}
