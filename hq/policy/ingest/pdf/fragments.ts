// What stands on the lines of a page, of the pieces that were drawn. Pure.
import { cellText } from '../wrapped.ts';

/** A piece of text as it was drawn; all lengths in the same unit. */
export interface PlacedText {
  text: string;
  /** Left end of its baseline; y grows upwards. */
  x: number;
  y: number;
  width: number;
  /** Size of its font. */
  size: number;
  /** How it stands: along the page, across it, or aslant as a watermark. */
  turn: 'along' | 'across' | 'aslant';
}

/** What stands on one baseline without a wide gap. */
export interface Fragment {
  text: string;
  x: number;
  end: number;
  y: number;
  size: number;
  /** Others stand on its baseline. */
  beside: boolean;
}

/** As shares of the size of the font. */
export const SAME_LINE = 0.5;
const BLANK = 0.15;
const COLUMN = 1.2;
/** A bold letter may be drawn twice. */
const TWICE = 0.2;
/** Columns that a program made with blanks. */
const BLANKS = / {3,}|\u3000{3,}/;

/** A piece as several, without what parts them; the width of its characters is taken by their kinds. */
function parted(piece: PlacedText, at: RegExp): PlacedText[] {
  if (!at.test(piece.text)) return [piece];
  const share = piece.width / widthOf(piece.text);
  const parts: PlacedText[] = [];
  let from = 0;
  for (const text of piece.text.split(new RegExp(`(${at.source})`))) {
    const x = piece.x + widthOf(piece.text.slice(0, from)) * share;
    from += text.length;
    if (text.trim() !== '') parts.push({ ...piece, text, x, width: widthOf(text) * share });
  }
  return parts;
}

/** In half characters. */
const widthOf = (text: string): number => text.length + (text.match(/[\u2e80-\uffe6]/g)?.length ?? 0);

/** Pieces on one baseline, in the order in which they were drawn. */
interface Baseline {
  pieces: PlacedText[];
  /** What stands close together. */
  words: { x: number; end: number }[];
}

/** From so many on, words that stand under those of the line above are cells. */
const CELLS = 3;
/** As a share of the size of the font. */
const UNDER = 0.3;
/** A line of a name and so many values, above or below one of as many, is a row. */
const VALUES = 3;
const VALUE = /^(?:[<>≤≥±≈~～]?\d[\d.,:×~～/–—-]{0,12}[a-zA-Z%‰℃°㎡]{0,4}|[-–—/])$/;

/**
 * Pieces that are cells of their own for narrow columns, whose gaps are no wider than those of a sentence: of
 * lines whose words stand under those of the line before or after them, one to one, or that are a name and
 * values. Of the latter blanks part the cells, where they are in one piece.
 */
function atCells(pieces: readonly PlacedText[]): { piece: PlacedText; cell: boolean }[] {
  const lines = baselinesOf(pieces);
  const counts = lines.map(valuesOf);
  return lines.flatMap((line, at) => {
    const around = [at - 1, at + 1];
    const count = counts[at] ?? 0;
    const ofValues = count >= VALUES && around.some((other) => counts[other] === count);
    const cell = ofValues || around.some((other) => isUnder(line, lines[other]));
    return (ofValues ? line.pieces.flatMap((piece) => parted(piece, / +/)) : line.pieces).map((piece) => ({
      piece,
      cell,
    }));
  });
}

function baselinesOf(pieces: readonly PlacedText[]): Baseline[] {
  const lines: Baseline[] = [];
  let before: PlacedText | undefined;
  for (const piece of pieces) {
    const { x, width, size } = piece;
    const line = before && isSameLine(before, piece) ? lines.at(-1) : undefined;
    const last = line?.words.at(-1);
    if (!line) lines.push({ pieces: [piece], words: [{ x, end: x + width }] });
    else {
      line.pieces.push(piece);
      if (last && x - last.end <= BLANK * size) last.end = x + width;
      else line.words.push({ x, end: x + width });
    }
    before = piece;
  }
  return lines;
}

/** How many values stand behind a name; 0 where anything else does. */
function valuesOf({ pieces }: Baseline): number {
  const [, ...values] = pieces
    .map(({ text, x, size }, at) => {
      const before = pieces[at - 1];
      return (before && x - before.x - before.width > BLANK * size ? ' ' : '') + text;
    })
    .join('')
    .trim()
    .split(/\s+/);
  return values.every((value) => VALUE.test(value)) ? values.length : 0;
}

function isUnder(a: Baseline, b: Baseline | undefined): boolean {
  const near = (one: number, other: number): boolean =>
    Math.abs(one - other) < UNDER * (a.pieces[0]?.size ?? 0);
  return (
    a.words.length >= CELLS &&
    a.words.length === b?.words.length &&
    a.words.every(({ x, end }, at) => {
      const other = b.words[at];
      return other && (near(x, other.x) || near(end, other.end) || near(x + end, other.x + other.end));
    })
  );
}

const isSameLine = (last: PlacedText, { x, y, size }: PlacedText): boolean =>
  Math.abs(y - last.y) < SAME_LINE * Math.max(size, last.size) && x >= last.x + last.width - SAME_LINE * size;

/** What is drawn on one baseline from left to right, up to a wide gap. */
export function fragmentsOf(pieces: readonly PlacedText[]): Fragment[] {
  const fragments: Fragment[] = [];
  for (const { piece, cell } of atCells(pieces.flatMap((one) => parted(one, BLANKS)))) {
    const { text, x, y, width, size } = piece;
    const last = fragments.at(-1);
    if (last && isTwice(last, { text, x, y, size })) continue;
    const sameLine =
      last &&
      Math.abs(y - last.y) < SAME_LINE * Math.max(size, last.size) &&
      x >= last.end - SAME_LINE * size;
    const gap = last && sameLine ? (x - last.end) / size : Infinity;
    if (last && gap <= (cell ? BLANK : COLUMN)) {
      last.text += (gap > BLANK ? ' ' : '') + text;
      last.end = x + width;
    } else {
      const beside = last !== undefined && Math.abs(y - last.y) < SAME_LINE * size;
      if (last && beside) last.beside = true;
      fragments.push({ text, x, end: x + width, y, size, beside });
    }
  }
  return fragments.map((one) => ({ ...one, text: cellText([one.text]) })).filter(({ text }) => text !== '');
}

const isTwice = (
  last: Fragment,
  { text, x, y, size }: Pick<Fragment, 'text' | 'x' | 'y' | 'size'>,
): boolean =>
  text === last.text && Math.abs(x - last.x) < TWICE * size && Math.abs(y - last.y) < TWICE * size;
