// Lines of a page, made of the pieces of text that a PDF places on it. Pure.
import { type Band, bandsOf } from './pdf-bands.ts';
import { type Fragment, fragmentsOf, type PlacedText, SAME_LINE } from './pdf-fragments.ts';
import { type Cells, rowsOfBands } from './pdf-table.ts';
import { cellText } from './wrapped.ts';

export interface PageLine {
  text: string;
  /** It has its columns side by side, each after a gap that no sentence has. */
  row: boolean;
}

export interface PageText {
  lines: PageLine[];
  /** It has a table whose cells could not be told apart, or not be brought together to rows. */
  torn: boolean;
}

/** Between the cells of a row. */
export const BETWEEN_CELLS = ' | ';

/** @param pieces in the order in which they were drawn */
export function linesOf(pieces: readonly PlacedText[]): PageText {
  const shown = pieces.filter(({ text }) => text.trim() !== '');
  const flat = shown.filter(({ turn }) => turn === 'along');
  const { bands, crossed } = bandsOf(fragmentsOf(flat));
  const { rows, leaning } = rowsOfBands(bands);
  const lines = rows.flatMap((row, at) => linesOfBand(row, bands[at]));
  const turned = shown.filter(({ turn }) => turn !== 'along');
  const isTable = rows.some((row) => row !== null);
  return {
    lines: [...lines, ...turned.map(({ text }) => ({ text: cellText([text]), row: false }))],
    torn: crossed || leaning || (isTable && turned.some(({ turn }) => turn === 'across')),
  };
}

function linesOfBand(rows: Cells[] | null, band: Band | undefined): PageLine[] {
  if (rows) return rows.map((cells) => ({ text: cells.join(BETWEEN_CELLS).trim(), row: true }));
  const lines: Fragment[][] = [];
  for (const fragment of band?.blocks.flatMap(({ fragments }) => fragments) ?? []) {
    const same = lines.find(([one]) => one && Math.abs(one.y - fragment.y) < SAME_LINE * one.size);
    if (same) same.push(fragment);
    else lines.push([fragment]);
  }
  return lines.map((line) => ({
    text: line
      .sort((a, b) => a.x - b.x)
      .map(({ text }) => text)
      .join(' '),
    row: false,
  }));
}
