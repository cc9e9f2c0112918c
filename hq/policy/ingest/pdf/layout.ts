// Lines of a page, made of the pieces of text that a PDF places on it. Pure.
import { cellText } from '../wrapped.ts';
import { type Band, bandsOf } from './bands.ts';
import { type Columns, inColumns } from './columns.ts';
import { type Fragment, fragmentsOf, type PlacedText, SAME_LINE } from './fragments.ts';
import { type Cells, rowsOfBands } from './table.ts';

export interface PageLine {
  text: string;
  /** It has its columns side by side, each after a gap that no sentence has. */
  row: boolean;
}

export interface PageText {
  lines: PageLine[];
  /** It has a table whose cells could not be told apart, or not be brought together to rows. */
  torn: boolean;
  /** The columns of prose in which it is; null: it is one, or none that shows. */
  columns: Columns | null;
}

/** Between the cells of a row. */
export const BETWEEN_CELLS = ' | ';

/**
 * @param pieces in the order in which they were drawn
 * @param known the columns of the pages before it
 */
export function linesOf(pieces: readonly PlacedText[], known: Columns | null): PageText {
  const shown = pieces.filter(({ text }) => text.trim() !== '');
  const flat = shown.filter(({ turn }) => turn === 'along');
  const { parts, columns } = inColumns(fragmentsOf(flat), known);
  const read = parts.map(linesOfPart);
  const turned = shown.filter(({ turn }) => turn !== 'along');
  const isTable = read.some((part) => part.isTable);
  return {
    lines: [
      ...read.flatMap(({ lines }) => lines),
      ...turned.map(({ text }) => ({ text: cellText([text]), row: false })),
    ],
    torn: read.some(({ torn }) => torn) || (isTable && turned.some(({ turn }) => turn === 'across')),
    columns,
  };
}

function linesOfPart(fragments: readonly Fragment[]): { lines: PageLine[]; torn: boolean; isTable: boolean } {
  const { bands, crossed } = bandsOf(fragments);
  const { rows, leaning } = rowsOfBands(bands);
  return {
    lines: rows.flatMap((row, at) => linesOfBand(row, bands[at])),
    torn: crossed || leaning,
    isTable: rows.some((row) => row !== null),
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
